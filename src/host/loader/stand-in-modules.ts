import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { isPerImporter } from "./aliases.ts";

const require = createRequire(import.meta.url);

const IMPORT = /\b(?:import|export)\s*(?:([\w$]+)\s*,?\s*)?(?:\{([^{}]*)\}\s*)?from\s*(?:"([^"\n]+)"|'([^'\n]+)')/g;
const WHOLE = /\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*(?:"([^"\n]+)"|'([^'\n]+)')/g;
const MEMBER = /([\w$]+)\s*(?:\?\.|\.)\s*([\w$]+)/g;
const MENTION = /\/pi-|@bastani\/|@github\/copilot-sdk|(?:openclaw|moltbot|clawdbot)|["']xmcp/;

/** The names that a file imports from packages with stand-ins per importer, by package, without type imports. */
export function namesFromStandIns(source: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  if (!MENTION.test(source)) return names;
  const add = (specifier: string, found: readonly string[]): void => {
    const all = [...(names.get(specifier) ?? []), ...found.filter((name) => /^[\w$]+$/.test(name))];
    if (isPerImporter(specifier)) names.set(specifier, all);
  };
  for (const [, whole, list = "", double, single] of source.matchAll(IMPORT)) {
    if (whole === "type") continue;
    const named = list.split(",").map((part) => part.trim().split(/\s+as\s+/, 1)[0] ?? "");
    add(double ?? single ?? "", [...(whole ? ["default"] : []), ...named]);
  }
  for (const [, whole, double, single] of source.matchAll(WHOLE)) {
    const members = [...source.matchAll(MEMBER)].flatMap(([, object, name = ""]) => (object === whole ? [name] : []));
    add(double ?? single ?? "", members);
  }
  return names;
}

/** An import for which a stand-in is used: the importing file, and the names that it imports. */
export interface StandInImport {
  readonly importer: string;
  readonly names: readonly string[];
}

const MARK = "?toolwright-stand-in&";

/**
 * The URL of our stand-in for a package. The packages export hundreds of names, which change with each version: a name that
 * the stand-in lacks must not prevent the file from loading. A stand-in with `joinSessionFor` must know the importing file.
 */
export function standInUrl(path: string, { importer, names }: StandInImport): string {
  const known = require(path) as object;
  const isJoined = "joinSessionFor" in known;
  const missing = [...new Set(names)].filter((name) => !(name in known) && !(isJoined && name === "joinSession"));
  const fields = {
    ...(missing.length === 0 ? {} : { missing: missing.join(",") }),
    ...(isJoined ? { importer } : {}),
  };
  const query = new URLSearchParams(fields).toString();
  return pathToFileURL(path).href + (query === "" ? "" : MARK + query);
}

/** The source of the module at such a URL. Undefined for any other URL. */
export function standInSource(url: string): string | undefined {
  const at = url.lastIndexOf(MARK);
  if (at < 0) return undefined;
  const file = JSON.stringify(url.slice(0, at));
  const fields = new URLSearchParams(url.slice(at + MARK.length));
  const importer = fields.get("importer");
  const names = fields.get("missing")?.split(",") ?? [];
  return [
    `export * from ${file};`,
    `import { unavailable } from ${file};`,
    ...names.map((name) =>
      name === "default" ? 'export default unavailable("default");' : `export const ${name} = unavailable("${name}");`,
    ),
    ...(importer === null
      ? []
      : [
          `import { joinSessionFor } from ${file};`,
          `export const joinSession = (config) => joinSessionFor(${JSON.stringify(importer)}, config);`,
        ]),
  ].join("\n");
}
