import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { homes } from "../../config/options.ts";

/** Loads the program, compiled code kept in the user's own cache: in the common temporary folder others could put it there. */
export async function start(argv: readonly string[]): Promise<void> {
  enableCompileCache(join(homes(process.env, homedir()).cache, "compiled"));
  const { runProgram } = await import("./program.ts");
  await runProgram(argv);
}
