import { realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { textOrEmpty } from "../../platform/files/text-or-empty.ts";
import { type Position, positionAt } from "../../platform/text/code-frame.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { isAuthorFile } from "./dependencies.ts";
import { type ImportAt, importsIn } from "./imports-in.ts";
import { type Resolved, Resolver } from "./resolve-import.ts";
import { transform } from "./transform.ts";
import { isBunModule } from "./uses-bun.ts";

/** An author's file, read to explain why an import failed. */
export interface AuthorFile {
  readonly path: string;
  readonly source: string;
  /** Without type imports. */
  readonly imports: readonly FoundImport[];
}

export interface FoundImport extends Position {
  readonly specifier: string;
  /** Undefined if it cannot be found. */
  readonly target: Resolved | "builtin" | undefined;
}

const MAX_FILES = 300;
const CODE = /\.[cm]?[jt]s$/;

/** A file and the author's files that it imports, itself first. Runs none of them. */
export function authorFiles(entry: string): AuthorFile[] {
  const resolver = new Resolver();
  const paths = new Set([realpathSync(entry)]);
  const files: AuthorFile[] = [];
  for (const path of paths) {
    if (files.length >= MAX_FILES || (!CODE.test(path) && files.length > 0)) continue;
    const file = readAuthorFile(path, resolver);
    files.push(file);
    for (const { specifier, target } of file.imports) {
      if (typeof target === "object" && isAuthorFile(specifier, target)) paths.add(target.path);
    }
  }
  return files;
}

function readAuthorFile(path: string, resolver: Resolver): AuthorFile {
  const source = textOrEmpty(path);
  const loaded = new Set(importsIn(withoutTypes(path, source)).map(keyOf));
  const imports = importsIn(source).filter(
    (each) => loaded.has(keyOf(each)) && isAtTopLevel(each, source) && !isBunModule(each.specifier),
  );
  return {
    path,
    source,
    imports: imports.map(({ specifier, start, kind }) => ({
      specifier,
      ...positionAt(source, start),
      target: isBuiltin(specifier)
        ? "builtin"
        : resolver.resolve(specifier, path, kind === "require()" ? "require" : "import"),
    })),
  };
}

function keyOf({ kind, specifier }: ImportAt): string {
  return `${kind} ${specifier}`;
}

/** `import()` and `require()` in a function or a block may never run, or run in a `try`. */
function isAtTopLevel({ kind, start }: ImportAt, source: string): boolean {
  if (kind === "static") return true;
  const before = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
  return /^\S/.test(before) && !/=>|\bfunction\b|\btry\b|\bif\b/.test(before);
}

/** The source itself if it does not parse. */
function withoutTypes(path: string, source: string): string {
  return tryOrUndefined(() => transform(path, source).source) ?? source;
}
