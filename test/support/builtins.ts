import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type CallRequest, createToolbox, outputOf, type ToolboxOptions, type ToolResult } from "../../src/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { project, type Sandbox } from "./fixture.ts";

/** Options of `openBuiltins`. */
export interface BuiltinOptions extends ToolboxOptions {
  /** The user's settings. */
  readonly settings?: object;
  /** Further environment variables of the hosts. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A project with these files, and a toolbox with the built-in tools; both are removed when the current test ends. */
export async function openBuiltins(
  files: Record<string, string> = {},
  { settings = {}, variables = {}, ...options }: BuiltinOptions = {},
): Promise<{
  toolbox: Toolbox;
  at: Sandbox;
  call: (name: string, input?: unknown, more?: Partial<CallRequest>) => Promise<ToolResult>;
  say: (name: string, input?: unknown, more?: Partial<CallRequest>) => Promise<string>;
}> {
  const at = project(files);
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  const env = { ...at.env, ...variables };
  const toolbox = await createToolbox({ cwd: at.project, env, trust: true, ...options });
  onTestFinished(() => toolbox.close());
  const call = (name: string, input: unknown = {}, more: Partial<CallRequest> = {}): Promise<ToolResult> =>
    toolbox.call({ name, input, ...more }).result;
  return { toolbox, at, call, say: async (...args) => outputOf(await call(...args)) };
}
