import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import { defined } from "../../platform/values/defined.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { expandHome } from "../../settings/defaults.ts";
import type { AgentHomes } from "./agent-homes.ts";
import { fillInBraces } from "./mcp-variables.ts";
import { readAgentConfig } from "./read-config-file.ts";

/** A plugin that a config file of OpenCode names. */
export interface PluginEntry {
  readonly target: { readonly path: string } | { readonly package: string };
  readonly options: Readonly<Record<string, unknown>>;
  readonly config: string;
  /** The key of the list, in quotation marks. */
  readonly list: string;
  /** The line in the config file. */
  line(): number | undefined;
}

/** The `plugin` and `plugins` lists of some config files. */
export interface PluginEntries {
  readonly entries: readonly PluginEntry[];
  /** The ids after a "-", and the files that have them. */
  readonly disabled: readonly { readonly id: string; readonly config: string }[];
  readonly problems: readonly Problem[];
}

/** OpenCode 1 reads the first list, OpenCode 2 both. */
const KEYS = ["plugin", "plugins"];
/** Each entry is looked up in many folders, also those of an untrusted project. */
const MAX_ENTRIES = 200;

/**
 * Reads the plugins that config files of OpenCode name, in order. `untrusted` is the root of an untrusted project: its
 * variables are not replaced. Never throws.
 */
export function readPluginEntries(files: readonly string[], at: AgentHomes, untrusted?: string): PluginEntries {
  const entries: PluginEntry[] = [];
  const disabled: { id: string; config: string }[] = [];
  const problems: Problem[] = [];
  for (const listed of files.flatMap((file) => listedIn(file, KEYS, problems, untrusted))) {
    const { value, config, list, line } = listed;
    try {
      const { spec, options } = partsOf(value);
      const name = untrusted === undefined ? fillInBraces(spec, { ...at, folder: dirname(config) }) : spec;
      if (name.startsWith("-")) disabled.push({ id: name.slice(1), config });
      else entries.push({ target: targetOf(name, config, at.home), options, config, list, line });
    } catch (error) {
      const message = `An entry of ${list} ${messageOf(error)}. Correct it.`;
      problems.push(problemAt(config, line(), message));
    }
  }
  return { entries, disabled, problems };
}

/** A problem of an entry in a config file. */
export function problemAt(file: string, line: number | undefined, message: string): Problem {
  return { file, ...defined({ line }), code: "plugin_failed", message };
}

/** A value in a list of a config file. */
export interface Listed extends Pick<PluginEntry, "config" | "list" | "line"> {
  readonly value: unknown;
}

/** The values of some lists in a config file. `untrusted` is the root of an untrusted project. */
export function listedIn(config: string, keys: readonly string[], problems: Problem[], untrusted?: string): Listed[] {
  const read = readAgentConfig(config, keys === KEYS ? "plugins" : "extensions", untrusted);
  if (read.kind === "problem") problems.push(read.problem);
  if (read.kind !== "read" || !isObject(read.value)) return [];
  const { value, lineOf } = read;
  return keys.flatMap((key) => {
    const given: unknown = value[key];
    const list = `"${key}"`;
    if (typeof given === "string") {
      problems.push(problemAt(config, lineOf([key]), `${list} is a text. Write a list: [${JSON.stringify(given)}].`));
    }
    if (!Array.isArray(given)) return [];
    if (given.length > MAX_ENTRIES) {
      const message = `${list} has ${given.length} entries. Only the first ${MAX_ENTRIES} are read. Remove some.`;
      problems.push(problemAt(config, lineOf([key]), message));
    }
    return given
      .slice(0, MAX_ENTRIES)
      .map((each: unknown, index) => ({ value: each, config, list, line: () => lineOf([key, index]) }));
  });
}

/** `"name"`, `["name", options]` in OpenCode 1, or `{ package, options }` in OpenCode 2. */
function partsOf(value: unknown): { spec: string; options: Readonly<Record<string, unknown>> } {
  const fields: unknown[] = isObject(value) && !Array.isArray(value) ? [value.package, value.options] : [value].flat();
  const [name, options] = fields;
  if (typeof name !== "string" || name.trim() === "")
    throw new Error('is neither a name, nor a path, nor an object with "package"');
  // Deeper values cannot be sent to the host.
  if (isDeeper(options, MAX_DEPTH)) throw new Error(`has options that are nested more than ${MAX_DEPTH} levels deep`);
  return { spec: name.trim(), options: isObject(options) ? options : {} };
}

const MAX_DEPTH = 100;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function targetOf(spec: string, config: string, home: string): PluginEntry["target"] {
  if (spec.startsWith("file:")) return { path: pathOfUrl(spec, config) };
  const expanded = expandHome(spec, home);
  if (spec.startsWith(".") || isAbsolute(expanded)) return { path: resolve(dirname(config), expanded) };
  return { package: spec };
}

/** The path of a URL. People also write relative paths after "file:". */
export function pathOfUrl(spec: string, config: string): string {
  const relative = /^file:(?:\/\/)?(\.\.?\/.*)$/.exec(spec)?.[1];
  if (relative !== undefined) return resolve(dirname(config), relative);
  try {
    return fileURLToPath(spec);
  } catch {
    throw new Error(`names ${JSON.stringify(spec)}, which is not the URL of a file`);
  }
}
