import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { homes } from "../../config/options.ts";

/** Loads the program, compiled code kept in the user's own cache: in the common temporary folder others could put it there. */
export async function start(argv: readonly string[]): Promise<void> {
  const folder = join(homes(process.env, homedir()).cache, "compiled");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // Without a cache it is only slower.
  }
  const { runProgram } = await import("./program.ts");
  await runProgram(argv);
}
