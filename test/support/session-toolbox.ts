/** A program that calls tools in a session on disk: `node session-toolbox.ts '{"cwd": …}'`. See `ToolboxLine`. */
import { writeSync } from "node:fs";
import { outputOf } from "../../src/core/result.ts";
import { createToolbox } from "../../src/index.ts";

export interface SessionToolboxOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sessionID: string;
  /** The tools to call, all at once. */
  readonly calls: readonly { readonly callID: string; readonly name: string }[];
}

export type ToolboxLine =
  | { readonly opened: true }
  | { readonly callID: string; readonly ok: boolean; readonly text: string }
  | { readonly warned: string };

const { cwd, env, sessionID, calls } = JSON.parse(process.argv[2] ?? "") as SessionToolboxOptions;
const toolbox = await createToolbox({ cwd, env, trust: true, builtins: false, sessions: "disk" });
toolbox.on("log", ({ text }) => print({ warned: text }));
await toolbox.sessions.open(sessionID, { callerIsAsked: false, answerable: true });
print({ opened: true });
await Promise.all(
  calls.map(async ({ callID, name }) => {
    const result = await toolbox.call({ name, callID, sessionID }).result;
    print({ callID, ok: result.ok, text: outputOf(result) });
  }),
);
await toolbox.close();

function print(line: ToolboxLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
