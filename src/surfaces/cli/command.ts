import type { Terminal } from "./terminal.ts";

/** One option of a command; those of type string take a value. */
export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** How its value is called in the help. One of type boolean that has it may be given a value: `--name=VALUE`. */
  readonly value?: string;
  /** Of such a boolean: what its value looks like, so that it is taken where it follows: `--name VALUE`. */
  readonly follows?: RegExp;
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** What a command takes, and what its help says. */
export interface CommandSpec {
  readonly usage: string;
  readonly about: string;
  readonly options: OptionSpecs;
  /** The fewest and the most arguments that are not options. */
  readonly positionals: readonly [least: number, most: number];
  /** Whether options that are not known are fields of a tool's input. */
  readonly takesFields?: boolean;
  readonly examples: readonly string[];
}

/** One field of a tool's input as it was typed: `--name value`, `--name=value`, or `--name` alone. */
export interface Field {
  readonly name: string;
  readonly value?: string;
}

/** The options that every command takes. */
export interface Globals {
  /** Absolute, and there. */
  readonly cwd: string;
  readonly trust: boolean;
  readonly json: boolean;
  readonly toolsPaths: readonly string[];
}

/** One use of a command. */
export interface Invocation {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
  readonly fields: readonly Field[];
  readonly globals: Globals;
  readonly terminal: Terminal;
}

/** A command answers with its exit code. It throws a `UsageError` when it is used wrongly. */
export interface Command {
  readonly spec: CommandSpec;
  run(invocation: Invocation): Promise<number>;
}

/** What every command understands. */
export const GLOBAL_OPTIONS: OptionSpecs = {
  cwd: { type: "string", value: "DIR", help: "work as if started in DIR" },
  trust: { type: "boolean", help: "trust the project for this run only" },
  json: { type: "boolean", help: "answer with one JSON document" },
  "tools-path": { type: "string", multiple: true, value: "DIR", help: "look for tools there too (repeatable)" },
  help: { type: "boolean", short: "h", help: "show this help" },
};

/** The value of an option, where it was given one. */
export function optionValue({ values }: Invocation, option: string): string | undefined {
  const value = values[option];
  return typeof value === "string" ? value : undefined;
}

/** Whether an option was given. */
export function isSet({ values }: Invocation, option: string): boolean {
  return values[option] === true;
}
