import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const LIST = /^export\s*\{([^}]*)\}/gm;
const DECLARATION =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:const\s+enum|const|let|var|function\*?|class|enum)\s+([\w$]+)/gm;
const NAMESPACE = /^export\s*\*\s*as\s+([\w$]+)\s+from/gm;
const ALL = /^export\s*\*\s*from\s*["']([^"']+)["']/gm;

/**
 * The names of the values that a module of JavaScript or TypeScript exports, read from its source: to import it, all of its
 * dependencies, or another runtime, would be necessary. Modules of other packages are not followed.
 */
export function exportsOf(file: string, seen: Set<string> = new Set()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = readFileSync(file, "utf8").replace(COMMENTS, "");
  const listed = [...source.matchAll(LIST)].flatMap(([, list = ""]) =>
    list
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "" && !part.startsWith("type "))
      .map((part) => part.split(/\s+as\s+/).at(-1) ?? part),
  );
  const declared = [...source.matchAll(DECLARATION), ...source.matchAll(NAMESPACE)].map(([, name = ""]) => name);
  const followed = [...source.matchAll(ALL)].flatMap(([, to = ""]) =>
    to.startsWith(".") ? exportsOf(moduleAt(resolve(dirname(file), to)), seen) : [],
  );
  return [...new Set([...listed, ...declared, ...followed])];
}

function moduleAt(path: string): string {
  const candidates = [path, `${path}.ts`, `${path}.js`, join(path, "index.ts"), join(path, "index.js")];
  const found = candidates.find((each) => /\.[jt]s$/.test(each) && existsSync(each));
  if (found === undefined) throw new Error(`There is no module ${path}.`);
  return found;
}
