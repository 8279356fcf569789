import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isPi } from "./aliases.ts";

const require = createRequire(import.meta.url);

const IMPORT = /\b(?:import|export)\s*(?:([\w$]+)\s*,?\s*)?(?:\{([^{}]*)\}\s*)?from\s*(?:"([^"\n]+)"|'([^'\n]+)')/g;

const WHOLE = /\bimport\s*\*\s*as\s+[\w$]+\s+from\s*(?:"([^"\n]+)"|'([^'\n]+)')/g;

/** The names that a file imports from pi packages, by package, without type imports. `*` stands for all. */
export function namesFromPi(source: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  if (!/\/pi-|@bastani\//.test(source)) return names;
  for (const [, whole, list = "", double, single] of source.matchAll(IMPORT)) {
    const specifier = double ?? single ?? "";
    if (!isPi(specifier) || whole === "type") continue;
    const named = list.split(",").map((part) => part.trim().split(/\s+as\s+/, 1)[0] ?? "");
    const all = [...(names.get(specifier) ?? []), ...(whole ? ["default"] : []), ...named];
    names.set(
      specifier,
      all.filter((name) => /^[\w$]+$/.test(name)),
    );
  }
  for (const [, double, single] of source.matchAll(WHOLE)) {
    const specifier = double ?? single ?? "";
    if (isPi(specifier)) names.set(specifier, [...(names.get(specifier) ?? []), "*"]);
  }
  return names;
}

const MARK = "?toolwright-also=";

/**
 * The URL of our stub of a pi package, with the names that a file imports. The packages export hundreds of names, which
 * change with each version: a name that the stub lacks must not prevent the file from loading.
 */
export function stubUrl(path: string, wanted: readonly string[]): string {
  const known = require(path) as object;
  const missing = [...new Set(wanted)].filter((name) => !(name in known));
  return pathToFileURL(path).href + (missing.length === 0 ? "" : MARK + missing.join(","));
}

/** The source of the module at a URL with names that the stub lacks. */
export function stubSource(url: string): string | undefined {
  const at = url.lastIndexOf(MARK);
  if (at < 0) return undefined;
  const file = url.slice(0, at);
  const wanted = url.slice(at + MARK.length).split(",");
  const exported = [...new Set(wanted.flatMap((name) => (name === "*" ? unavailableIn(file) : [name])))].map((name) =>
    name === "default" ? 'export default unavailable("default");' : `export const ${name} = unavailable("${name}");`,
  );
  const from = JSON.stringify(file);
  return [`export * from ${from};`, `import { unavailable } from ${from};`, ...exported].join("\n");
}

/** The names that the packages export and the stub lacks. */
function unavailableIn(file: string): string[] {
  const known = require(fileURLToPath(file)) as { unavailableNames(): readonly string[] };
  return known.unavailableNames().filter((name) => !(name in known));
}
