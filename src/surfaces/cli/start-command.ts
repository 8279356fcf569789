import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { homes } from "../../settings/defaults.ts";

/** Loads the program with a compile cache in a folder of the user. In the shared temporary folder others could plant code. */
export async function start(argv: readonly string[]): Promise<void> {
  const folder = join(homes(process.env, homedir()).cache, "compiled");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // The cache only saves time.
  }
  const { runProgram } = await import("./program.ts");
  await runProgram(argv);
}
