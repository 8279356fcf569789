import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { realPath } from "../../platform/files/real-path.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** A file, and the relative paths that it names: without a suffix if the import has none, also if nothing is there. */
interface ReadFile {
  readonly path: string;
  /** Undefined if the file may not be read; empty for a folder. */
  readonly text: string | undefined;
  readonly imports: readonly string[];
}

/** More files than this are not read: the next one counts as one that may not be read. */
const MAX_FILES = 500;

/**
 * Relative imports, and other relative paths in quotes, since a path can be imported in many ways. Other folders are not meant. Spaces are
 * bounded, so that the time does not grow with the square of their number.
 */
const RELATIVE_PATH =
  /(?:\bfrom|\bimport|\brequire)\s{0,99}\(?\s{0,99}["'`](\.{1,2}(?:\/[^"'`\n]*)?)["'`]|["'`](\.{1,2}\/[^"'`\n]*[^"'`\n./])["'`]/g;

/** The entry of a folder with a manifest. */
const MAIN = /"main"\s*:\s*"([^"]+)"/;

const SUFFIXES = [
  "",
  ".ts",
  ".mts",
  ".cts",
  ".js",
  ".mjs",
  ".cjs",
  "/index.ts",
  "/index.js",
  "/index.mjs",
  "/index.cjs",
];

/** Reads a file, and all files whose relative paths it names, directly or not. Computed paths are not found. Runs no code. */
export function* readWithImports(file: string): Generator<ReadFile> {
  const seen = new Set<string>();
  const queue = [file];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const real = realPath(path);
    if (real === undefined || seen.has(real)) continue;
    if (seen.size === MAX_FILES) return yield { path: real, text: undefined, imports: [] };
    seen.add(real);
    const text = textOf(real);
    // The import of a linked file is relative to the place that the link leads to.
    const folders = [...new Set([dirname(real), dirname(path)])];
    const named = [...(text ?? "").matchAll(RELATIVE_PATH)].map(([, imported, quoted = ""]) =>
      pathOf(imported ?? quoted),
    );
    const imports = named
      .filter((each) => !OTHER_CONTENT.test(each))
      .flatMap((each) => folders.map((folder) => resolve(folder, each)));
    yield { path: real, text, imports };
    queue.push(...imports.flatMap(candidates));
  }
}

/** A specifier may be a URL, with escapes and a query. */
function pathOf(specifier: string): string {
  const path = specifier.replace(/[?#].*$/, "");
  return tryOrUndefined(() => decodeURIComponent(path)) ?? path;
}

/** The files that a relative specifier may mean. TypeScript is often imported with the suffix of its output. */
function candidates(path: string): string[] {
  const source = path.replace(/\.([cm]?)js$/, ".$1ts");
  const [, main] = MAIN.exec(textOf(join(path, "package.json")) ?? "") ?? [];
  return [
    ...(source === path ? [] : [source]),
    ...SUFFIXES.map((suffix) => path + suffix),
    ...(main === undefined ? [] : [join(path, main)]),
  ];
}

/** Files that no import leads to, such as documents that explain hooks. */
const OTHER_CONTENT = /\.(?:mdx?|txt|html?|css|csv|lock|log|svg|png|jpe?g|gif|webp|pdf|sqlite|db|map|wasm|node)$/i;

/** Empty if there is no file; undefined if it may not be read. Opens no pipe or device, which could block. */
function textOf(path: string): string | undefined {
  return tryOrUndefined(() => (statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : ""));
}
