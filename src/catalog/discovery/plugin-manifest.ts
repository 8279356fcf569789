import { messageOf } from "../../core/error.ts";
import type { System } from "../../core/tool.ts";
import { isObject } from "../../platform/values/is-object.ts";

/** The tools that a package.json declares. */
type PluginManifest =
  | {
      readonly kind: "plugin";
      readonly system: System;
      readonly version?: string;
      readonly named: readonly NamedPath[];
    }
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "none" };

/** A path or pattern, and the field that names it. */
export interface NamedPath {
  readonly field: string;
  readonly path: string;
}

/** In order: a package with several keys belongs to the first system. */
const FIELDS: readonly (readonly [key: string & System, fields: readonly string[]])[] = [
  ["toolwright", ["tools"]],
  ["omp", ["tools", "extensions"]],
  ["pi", ["extensions"]],
  ["openclaw", ["extensions"]],
];

const EXAMPLE = '["./tools/lint.ts"]';

/** Reads the text of a package.json: the keys of all systems, or of one. Never throws. */
export function readPluginManifest(text: string, only?: System): PluginManifest {
  // Most packages declare no tools, and a text search is twenty times cheaper than parsing.
  if (!FIELDS.some(([key]) => text.includes(`"${key}"`))) return { kind: "none" };
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    return malformed(`It is not valid JSON (${messageOf(error)}), so its tools are not loaded.`);
  }
  if (!isObject(manifest)) return { kind: "none" };
  for (const [key, fields] of FIELDS) {
    if (only !== undefined && key !== only) continue;
    const read = readKey(manifest, key, fields);
    if (read.kind !== "none") return read;
  }
  return { kind: "none" };
}

function readKey(manifest: Record<string, unknown>, key: string & System, fields: readonly string[]): PluginManifest {
  const section = manifest[key];
  if (!isObject(section)) {
    // The other keys are short, and may belong to another program.
    if (key !== "toolwright" || section === undefined) return { kind: "none" };
    return malformed(`"toolwright" must be an object: "toolwright": { "tools": ${EXAMPLE} }.`);
  }
  const named: NamedPath[] = [];
  for (const name of fields) {
    const field = `${key}.${name}`;
    const paths = toPaths(section[name]);
    if (paths === undefined) return malformed(`"${field}" must be a list of paths in the package, like ${EXAMPLE}.`);
    named.push(...paths.map((path) => ({ field, path })));
  }
  if (named.length === 0) return { kind: "none" };
  const { version } = manifest;
  return { kind: "plugin", system: key, named, ...(typeof version === "string" ? { version } : {}) };
}

function toPaths(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((path) => typeof path === "string") ? value : undefined;
}

function malformed(reason: string): PluginManifest {
  return { kind: "malformed", message: `${reason} Correct it, or install the package again.` };
}
