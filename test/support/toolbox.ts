import { onTestFinished } from "vitest";
import type { Run } from "../../src/calls/call.ts";
import { outputOf } from "../../src/core/result.ts";
import { createToolbox } from "../../src/index.ts";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { type Sandbox, sandbox } from "./fixture.ts";

/** A trusted toolbox with these tool files and without built-in tools, closed when the current test ends. */
export async function open(
  files: Record<string, string> | Sandbox = {},
  options: ToolboxOptions = {},
): Promise<{ toolbox: Toolbox; at: Sandbox; say: (name: string, input?: unknown) => Promise<string> }> {
  const at =
    "project" in files && "env" in files ? (files as unknown as Sandbox) : sandbox(files as Record<string, string>);
  const toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false, ...options });
  onTestFinished(() => toolbox.close());
  return { toolbox, at, say: async (name, input) => outputOf(await toolbox.call({ name, input }).result) };
}

/** The source of a tool that returns the value of an expression. */
export function answering(expression: string, description = "Answers."): string {
  return `export default { description: ${JSON.stringify(description)}, execute: (args, context) => (${expression}) };\n`;
}

/** Resolves when a tool runs whose first act is an update. */
export async function begun(run: Run): Promise<void> {
  for await (const { type } of run) if (type === "tool.update") return;
}
