import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { resolveStateDir } from "../../../authoring/openclaw/small-values.ts";
import { OPENCLAW_MANIFEST, openClawPackageOf } from "../../../platform/files/openclaw-package.ts";
import { readTextFile } from "../../../platform/files/read-text-file.ts";
import { parseJson } from "../../../platform/json/parse-json.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { ModuleFile } from "../contributions.ts";
import { ExportError } from "../export-context.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the manifest of a plugin and the user's configuration of OpenClaw say about it. */
export interface PluginSettings {
  readonly id: string;
  readonly name: string;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly rootDir: string;
  /** The user's whole configuration of OpenClaw. */
  readonly config: Fields;
  /** The part for this plugin, with the defaults of its schema. */
  readonly pluginConfig: Fields;
  /** Why the user's configuration turns the plugin off. */
  readonly off: string | undefined;
  /** The files that were read, also missing ones. */
  readonly reads: readonly string[];
}

/** Reads the settings of a plugin. Throws an `ExportError` if a file is broken: a plugin may guard calls by its configuration. */
export function readPluginSettings(file: ModuleFile, entry: Fields): PluginSettings {
  const rootDir = openClawPackageOf(file.path)?.folder ?? dirname(file.path);
  const manifestFile = join(rootDir, OPENCLAW_MANIFEST);
  const configFile = openClawConfigFile();
  const manifest = readJson(manifestFile);
  const config = withVariables(readJson(configFile)) as Fields;
  const [id = basename(rootDir)] = [manifest.id, entry.id, file.plugin?.name].filter(isText);
  const entries = fieldsIn(fieldsIn(config, "plugins"), "entries");
  const own = fieldsIn(entries, id);
  return {
    id,
    name: [manifest.name, entry.name].find(isText) ?? id,
    version: [manifest.version, file.plugin?.version].find(isText),
    description: [manifest.description, entry.description].find(isText),
    rootDir,
    config,
    pluginConfig: withDefaults(manifest.configSchema, fieldsIn(own, "config")) as Fields,
    off: own.enabled === false ? `"plugins.entries.${id}.enabled" is false in ${configFile}` : undefined,
    reads: [manifestFile, configFile],
  };
}

/** The user's configuration file of OpenClaw. */
function openClawConfigFile(): string {
  const named = process.env.OPENCLAW_CONFIG_PATH;
  return named ? resolve(expandHome(named)) : join(resolveStateDir(), "openclaw.json");
}

export function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

const MAX_BYTES = 10_000_000;

/** An empty object if the file is missing. */
function readJson(file: string): Fields {
  const read = readTextFile(file, { largest: MAX_BYTES });
  if (read.kind === "missing") return {};
  if (read.kind === "refused") throw new ExportError("plugin_failed", `${file} is not read: ${read.reason}`);
  const { value, error } = parseJson(read.text, { allowEmpty: true });
  if (error) {
    const message = `${file} is not valid JSON (line ${error.line}: ${error.reason}), so the plugin is not loaded. Correct it.`;
    throw new ExportError("plugin_failed", message);
  }
  return isObject(value) ? value : {};
}

function fieldsIn(value: Fields, key: string): Fields {
  const fields = Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(fields) ? fields : {};
}

/** Replaces `${NAME}` in texts by a variable of the environment that is set. */
function withVariables(value: unknown): unknown {
  if (typeof value === "string") {
    return value.replace(/\$\{([A-Z_][A-Z0-9_]*)\}/g, (all, name: string) => process.env[name] ?? all);
  }
  if (Array.isArray(value)) return value.map(withVariables);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withVariables(each)]));
}

/** Adds the defaults of a JSON Schema for properties that are missing. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(value)) return value;
  const added = Object.entries(schema.properties).flatMap(([key, property]) => {
    const given = Object.hasOwn(value, key) ? value[key] : isObject(property) ? property.default : undefined;
    return given === undefined ? [] : [[key, withDefaults(property, structuredClone(given))]];
  });
  return { ...value, ...Object.fromEntries(added) };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
