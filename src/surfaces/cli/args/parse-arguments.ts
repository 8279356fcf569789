import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { defined } from "../../../platform/values/defined.ts";
import type { Terminal } from "../output/terminal.ts";
import { type CommandSpec, GLOBAL_OPTIONS, type Invocation, type OptionSpecs } from "./command.ts";
import type { Field } from "./parse-fields.ts";
import { splitFields } from "./split-fields.ts";
import { didYouMean, UsageError } from "./usage-error.ts";

/** Splits off the name of the command. Global options may come before it. */
export function splitCommand(argv: readonly string[]): { name: string | undefined; rest: string[] } {
  const { tokens } = parseArgs({ args: [...argv], options: plain(GLOBAL_OPTIONS), strict: false, tokens: true });
  const command = tokens.find(({ kind }) => kind === "positional");
  const before = tokens.filter(({ index }) => command === undefined || index < command.index);
  for (const token of before) {
    if (token.kind === "option" && !(token.name in GLOBAL_OPTIONS)) throw unknownOption(token.rawName, GLOBAL_OPTIONS);
  }
  if (command === undefined) return { name: undefined, rest: [...argv] };
  return { name: argv[command.index], rest: argv.toSpliced(command.index, 1) };
}

/** Parses the arguments of one command. Throws a `UsageError`. */
export function parseArguments(spec: CommandSpec, args: readonly string[], terminal: Terminal): Invocation {
  const options = { ...spec.options, ...GLOBAL_OPTIONS };
  const { own, fields } = spec.takesFields ? splitFields(args, options) : { own: args, fields: [] };
  const { values, positionals } = parseOptions(spec, own);
  return { values, positionals, fields: fields as readonly Field[], terminal, globals: globalsOf(values, terminal) };
}

/** Like `parseArguments`, without access to the file system: for arguments of a later run, maybe in another directory. */
export function parseOptions(spec: CommandSpec, args: readonly string[]): Pick<Invocation, "values" | "positionals"> {
  const options = { ...spec.options, ...GLOBAL_OPTIONS };
  const { tokens, values, positionals } = parseArgs({
    args: joined(args, options),
    options: plain(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!spec) throw unknownOption(token.rawName, options);
    if (spec.type === "boolean" && spec.value === undefined && token.value !== undefined) {
      throw new UsageError(`${token.rawName} takes no value.`);
    }
    if (spec.type === "string" && isMissing(token)) {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${spec.value ?? "VALUE"}`);
    }
  }
  if (values.help !== true) checkCount(spec, positionals);
  return { values: values as Invocation["values"], positionals };
}

/** Writes `--name VALUE` as `--name=VALUE` for options with an optional value. */
function joined(args: readonly string[], options: OptionSpecs): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const words: string[] = [];
  for (const [index, word] of args.entries()) {
    const before = index < end ? words.at(-1) : undefined;
    const { follows } = (before?.startsWith("--") && options[before.slice(2)]) || {};
    if (follows?.test(word)) words[words.length - 1] = `${before}=${word}`;
    else words.push(word);
  }
  return words;
}

function isMissing({ value, inlineValue }: { value?: string | undefined; inlineValue?: boolean | undefined }): boolean {
  return value === undefined || (!inlineValue && value.startsWith("--"));
}

type Parsable = Record<string, { type: "string" | "boolean"; short?: string; multiple?: boolean }>;

function plain(options: OptionSpecs): Parsable {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...defined({ short, multiple }) },
    ]),
  );
}

function unknownOption(typed: string, options: OptionSpecs): UsageError {
  const known = Object.keys(options).map((name) => `--${name}`);
  return new UsageError(`Unknown option ${typed}. ${didYouMean(typed, known, "See --help.")}`);
}

function checkCount({ usage, positionals: [min, max] }: CommandSpec, given: readonly string[]): void {
  if (given.length < min) throw new UsageError(`Missing argument. Usage: ${usage}`);
  const extra = given[max];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}". Usage: ${usage}`);
}

function globalsOf(values: Invocation["values"], terminal: Terminal): Invocation["globals"] {
  const cwd = resolve(terminal.cwd, typeof values.cwd === "string" ? values.cwd : ".");
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--cwd: no such directory: ${cwd}`);
  }
  const paths = values["tools-path"];
  return {
    cwd,
    trust: values.trust === true,
    json: values.json === true,
    toolsPaths: Array.isArray(paths) ? paths.map((path) => ({ path: String(path), from: "--tools-path" })) : [],
  };
}
