import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../cli.ts";
import { makeSandbox, type Sandbox, writeTool } from "../fixture.ts";
import { FIND, NOTE, NOTES, PRINT } from "./agent-tools.ts";

/** A trusted project with tools. */
export interface AgentProject extends Sandbox {
  /** Runs a toolwright command. Throws if it fails. */
  toolwright(...args: readonly string[]): Promise<void>;
  /** The content of the notes file. */
  notes(): string;
  remove(): void;
}

/** Adds `files` to the standard tool files. Call `remove` when done. */
export async function agentProject(files: Readonly<Record<string, string>> = {}): Promise<AgentProject> {
  const sandbox = makeSandbox();
  // Codex passes only some variables to its servers. These two would be missing there.
  const { TOOLWRIGHT_HOME: _home, NODE_COMPILE_CACHE: _cache, ...env } = sandbox.env;
  const at = { ...sandbox, env };
  const all = { "find.ts": FIND, "note.ts": NOTE, "print.ts": PRINT, ...files };
  for (const [name, text] of Object.entries(all)) writeTool(at, name, text);
  const notes = join(at.project, NOTES);
  writeFileSync(notes, "");
  const made = {
    ...at,
    toolwright: (...args: readonly string[]) => run(at, args),
    notes: () => readFileSync(notes, "utf8"),
  };
  await made.toolwright("trust");
  return made;
}

async function run(at: Sandbox, args: readonly string[]): Promise<void> {
  const { code, stderr } = await cli(at, args);
  if (code !== 0) throw new Error(`toolwright ${args.join(" ")} ended with ${code}: ${stderr}`);
}
