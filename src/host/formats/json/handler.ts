import { homedir } from "node:os";
import { resolve } from "node:path";
import type { DeclaredAccess, Hints, ToolContext, ToolReturn } from "../../../core/tool.ts";
import type { FormatHost } from "../contributions.ts";

export type Input = Readonly<Record<string, unknown>>;

/** The tool that a handler is created for. */
export interface HandlerSetup {
  readonly tool: string;
  /** The properties of its input. */
  readonly fields: ReadonlySet<string>;
  /** The defaults of these properties. */
  readonly defaults: ReadonlyMap<string, unknown>;
  readonly log: FormatHost["log"];
}

/** The implementation of a JSON tool. Both functions throw for an invalid input. A model reads the message. */
export interface Handler {
  /** The time limit that the handler enforces itself. */
  readonly timeoutMs?: number;
  readonly hints: Hints;
  access(input: Input, cwd: string): readonly DeclaredAccess[];
  run(input: Input, context: ToolContext): Promise<ToolReturn>;
}

/** An argument as text, or as several texts if it is a list. Undefined if it was not sent. */
export function argumentText(input: Input, name: string): string | readonly string[] | undefined {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(oneText) : oneText(value);
}

/** Like `textOf`, with the texts of a list joined by commas. */
export function oneTextOf(input: Input, name: string): string | undefined {
  const text = argumentText(input, name);
  return typeof text === "object" ? text.join(",") : text;
}

function oneText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Resolves a path of a JSON file: relative to the project, or to the home folder with `~`. */
export function fromProject(project: string, path: string): string {
  return resolve(project, path.replace(/^~(?=$|[\\/])/, homedir));
}
