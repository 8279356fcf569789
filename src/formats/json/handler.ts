import { homedir } from "node:os";
import { resolve } from "node:path";
import type { CallContext, DeclaredAccess, Hints, ToolReturn } from "../../core/tool.ts";
import type { FormatHost } from "../contributions.ts";

export type Input = Readonly<Record<string, unknown>>;

/** What a handler is put together with. */
export interface HandlerSetup {
  /** The name of the tool. */
  readonly tool: string;
  /** The names that its input may have. */
  readonly fields: ReadonlySet<string>;
  /** The values that its schema gives to them. */
  readonly defaults: ReadonlyMap<string, unknown>;
  readonly log: FormatHost["log"];
}

/** What a tool of a JSON file does. Both functions throw for an input that they refuse, with words for a model. */
export interface Handler {
  /** How long it lets a call run. */
  readonly timeoutMs?: number;
  readonly hints: Hints;
  access(input: Input, cwd: string): readonly DeclaredAccess[];
  run(input: Input, context: CallContext): Promise<ToolReturn>;
}

/** One argument as text, or as several; undefined when it was not given. */
export function textOf(input: Input, name: string): string | readonly string[] | undefined {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(oneText) : oneText(value);
}

/** Of several texts, one. */
export function oneTextOf(input: Input, name: string): string | undefined {
  const text = textOf(input, name);
  return typeof text === "object" ? text.join(",") : text;
}

function oneText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A path as authors write it in a JSON file: from the project, or from the home folder. */
export function fromProject(project: string, path: string): string {
  return resolve(project, path.replace(/^~(?=$|[\\/])/, homedir));
}
