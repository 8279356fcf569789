import type { Terminal } from "../output/terminal.ts";
import type { Field } from "./parse-fields.ts";
import { UsageError } from "./usage-error.ts";

/** One option of a command. An option of type string takes a value. */
export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** The name of its value in the help. A boolean option with it has an optional value: `--name=VALUE`. */
  readonly value?: string;
  /** For an optional value: the pattern by which it is also recognised as the next argument: `--name VALUE`. */
  readonly follows?: RegExp;
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The arguments and the help of a command. */
export interface CommandSpec {
  readonly usage: string;
  readonly about: string;
  readonly options: OptionSpecs;
  /** The minimum and maximum number of positional arguments. */
  readonly positionals: readonly [min: number, max: number];
  /** Whether unknown options are fields of a tool's input. */
  readonly takesFields?: boolean;
  readonly examples: readonly string[];
}

/** The values of the global options. */
export interface Globals {
  /** Absolute. It exists. */
  readonly cwd: string;
  readonly trust: boolean;
  readonly json: boolean;
  readonly toolsPaths: readonly { readonly path: string; readonly from: string }[];
}

/** One parsed command line. */
export interface Invocation {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
  readonly fields: readonly Field[];
  readonly globals: Globals;
  readonly terminal: Terminal;
}

/** A command returns its exit code. It throws a `UsageError` for wrong arguments. */
export interface Command {
  readonly spec: CommandSpec;
  run(invocation: Invocation): Promise<number>;
}

/** The options of every command. */
export const GLOBAL_OPTIONS: OptionSpecs = {
  cwd: { type: "string", value: "DIR", help: "Run as if started in DIR" },
  trust: { type: "boolean", help: "Trust the project for this run only" },
  json: { type: "boolean", help: "Print one JSON document" },
  "tools-path": { type: "string", multiple: true, value: "DIR", help: "Also look for tools in DIR (repeatable)" },
  help: { type: "boolean", short: "h", help: "Show help" },
};

/** The value of an option, if it has one. */
export function optionValue({ values }: Invocation, option: string): string | undefined {
  const value = values[option];
  return typeof value === "string" ? value : undefined;
}

/** The value of an option that takes a whole number. */
export function optionNumber(invocation: Invocation, option: string, min: number): number | undefined {
  const text = optionValue(invocation, option);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new UsageError(`--${option} takes a whole number of at least ${min}, not ${JSON.stringify(text)}.`);
}

/** Whether a boolean option is set. */
export function isSet({ values }: Invocation, option: string): boolean {
  return values[option] === true;
}
