import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { PiResult } from "./pi-tool.ts";

/** The exports of Atomic that pi does not have. */
export const APP_NAME = "atomic";
export const APP_TITLE = "atomic";
export const PACKAGE_NAME = "@bastani/atomic";
export const LEGACY_ENV_PREFIX = "PI";
export const isBunBinary = false;

/** The names of an environment variable of Atomic: its own, then that of pi. */
export function getEnvNames(name: string): string[] {
  return name.startsWith("ATOMIC_") ? [name, name.replace("ATOMIC", LEGACY_ENV_PREFIX)] : [name];
}

export function getEnvValue(name: string): string | undefined {
  return getEnvNames(name)
    .map((each) => process.env[each])
    .find((value) => value !== undefined);
}

export function hasEnvValue(name: string): boolean {
  return getEnvValue(name) !== undefined;
}

export function setEnvValue(name: string, value: string): void {
  process.env[name] = value;
}

export const STRUCTURED_OUTPUT_TOOL_NAME = "structured_output";

/** The value that a structured-output tool was called with. */
export interface StructuredOutputCapture {
  value: unknown;
  called: boolean;
}

export function createStructuredOutputCapture(): StructuredOutputCapture {
  return { value: undefined, called: false };
}

export interface StructuredOutputToolOptions {
  readonly schema: object;
  readonly capture?: StructuredOutputCapture;
  /** A file that receives the value as JSON. */
  readonly output?: { readonly outputPath: string };
  readonly name?: string;
}

/** A tool whose arguments are the result of a task. It stores them, and returns them as its details. */
export function createStructuredOutputTool(options: StructuredOutputToolOptions): {
  name: string;
  label: string;
  description: string;
  parameters: object;
  execute(toolCallId: string, params: Readonly<Record<string, unknown>>): Promise<PiResult>;
} {
  const { schema, capture, output, name = STRUCTURED_OUTPUT_TOOL_NAME } = options;
  return {
    name,
    label: "Structured Output",
    description: "Return the final machine-readable result of the task. Call it once, when the task is done.",
    parameters: schema,
    execute: async (_toolCallId, params) => {
      if (output) await writePrivately(output.outputPath, JSON.stringify(params, null, 2));
      if (capture) Object.assign(capture, { value: params, called: true });
      return { content: [{ type: "text", text: "Structured output received." }], details: params };
    },
  };
}

async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o600 });
  // The mode of `writeFile` applies to new files only.
  await chmod(path, 0o600);
}
