import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire, isBuiltin, type LoadHookSync, type ResolveHookSync, registerHooks } from "node:module";
import { extname, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isModuleNamespaceObject } from "node:util/types";
import { ImportGraph } from "./graph.ts";
import { type Resolved, Resolver, wouldBe } from "./resolve.ts";
import { NeedsBun } from "./source-problem.ts";
import { stampOf } from "./stamp.ts";
import { transform } from "./transform.ts";

const require = createRequire(import.meta.url);
const CODE = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"]);
const TEXT = new Set([".txt", ".md"]);

/** Loads authors' files in this process, as Node loads its own, with all that TypeScript authors write. */
export interface Loader {
  /** Imports a file. Rejects with whatever the file threw, or with `SourceProblem` or `NeedsBun`. */
  load(file: string): Promise<Record<string, unknown>>;
  /**
   * The files that decided what a loaded file is, itself first; of installed packages only their entry. Each with
   * its stamp from before it was read, so that an edit during the import is noticed later.
   */
  importsOf(file: string): Stamped[];
  /** Grows whenever a file imports something it had not imported before. */
  readonly edges: number;
  /** Takes the hooks out again. What was loaded stays loaded. */
  close(): void;
}

export type Stamped = readonly [file: string, stamp: string];

/**
 * Puts hooks into this process's module loader. They act only on files given to `load` and on what those import
 * by relative path: everything else resolves and loads as it always did.
 */
export function createLoader(): Loader {
  const owned = new Set<string>();
  const graph = new ImportGraph();
  const resolver = new Resolver();
  const stamps = new Map<string, string>();
  /** Entry files by path and by URL: by both they are asked for. */
  const entries = new Map<string, string>();
  const pathOf = remembered(toPath);
  const realOf = remembered((file: string) => realpathSync.native(file));
  const stampBefore = (path: string): string => stamps.get(path) ?? stampNow(path);
  const stampNow = (path: string): string => {
    const stamp = stampOf(path);
    stamps.set(path, stamp);
    return stamp;
  };
  const ownedPath = (url: string | undefined): string | undefined => {
    if (!url?.startsWith("file:")) return undefined;
    const path = pathOf(url);
    return owned.has(path) ? path : undefined;
  };

  const resolve: ResolveHookSync = (specifier, context, next) => {
    const entry = entries.get(specifier);
    if (entry !== undefined) return { url: entry, shortCircuit: true };
    const parent = ownedPath(context.parentURL);
    if (parent === undefined || specifier.startsWith("data:")) return next(specifier, context);
    if (specifier === "bun" || specifier.startsWith("bun:")) throw new NeedsBun(`It imports "${specifier}".`);
    if (isBuiltin(specifier)) return next(specifier, context);
    const kind = isRequire(context.conditions) ? "require" : "import";
    const found = resolver.resolve(asPath(specifier), parent, kind);
    if (found === undefined) {
      // What is not there is a dependency too: the day it is, the file may load.
      for (const path of wouldBe(specifier, parent)) graph.add(parent, path);
      return next(specifier, context);
    }
    graph.add(parent, found.path);
    // Which package a name leads to is decided by a folder that may be a link, and may come to lead elsewhere.
    if (!found.ours && isBare(specifier)) graph.add(parent, nearestPackage(specifier, parent) ?? found.path);
    if (isAuthors(specifier, found)) owned.add(found.path);
    return { url: toUrl(found.path), shortCircuit: true, importAttributes: context.importAttributes };
  };

  const load: LoadHookSync = (url, context, next) => {
    const path = ownedPath(url);
    if (path === undefined) return next(url, context);
    stampNow(path);
    const extension = extname(path);
    if (CODE.has(extension)) return { ...transform(path, readFileSync(path, "utf8")), shortCircuit: true };
    if (TEXT.has(extension)) return asModule(JSON.stringify(readFileSync(path, "utf8")));
    if (extension === ".json" && !context.importAttributes.type && !isRequire(context.conditions)) {
      return asModule(JSON.stringify(JSON.parse(readFileSync(path, "utf8"))));
    }
    return next(url, context);
  };

  const hooks = registerHooks({ resolve, load });
  return {
    async load(file) {
      const path = realOf(file);
      const href = toUrl(path);
      // A link is what the file is known by: leading elsewhere, it is another file.
      if (path !== file) graph.add(path, file);
      owned.add(path);
      entries.set(path, href).set(href, href);
      return evaluate(path, href);
    },
    get edges() {
      return graph.size;
    },
    importsOf: (file) => graph.closure(realOf(file)).map((path) => [path, stampBefore(path)]),
    close: () => hooks.deregister(),
  };
}

/**
 * Requiring a module costs a tenth less than importing it, which counts for hundreds of files. It cannot be done for
 * one with a top-level await, which is said before any of it has run, and gives CommonJS another shape.
 */
async function evaluate(path: string, href: string): Promise<Record<string, unknown>> {
  try {
    const module = require(path);
    return isModuleNamespaceObject(module) ? (module as Record<string, unknown>) : await import(href);
  } catch (error) {
    if (!hasCode(error, "ERR_REQUIRE_ASYNC_MODULE")) throw error;
    return import(href);
  }
}

/** For the paths that nearly all files have, which need no escaping; the general way costs as much as reading the file. */
const PLAIN_PATH = /^\/[\w./-]*$/;

function toUrl(path: string): string {
  return PLAIN_PATH.test(path) ? `file://${path}` : pathToFileURL(path).href;
}

function toPath(url: string): string {
  const path = url.slice("file://".length);
  return PLAIN_PATH.test(path) ? path : fileURLToPath(url);
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}

/** The same function, asked once for each argument. */
function remembered(work: (argument: string) => string): (argument: string) => string {
  const known = new Map<string, string>();
  return (argument) => {
    const value = known.get(argument) ?? work(argument);
    known.set(argument, value);
    return value;
  };
}

/** Node 22 gives a set where later ones give a list, whatever the types say. */
function isRequire(conditions: Iterable<string>): boolean {
  return Array.isArray(conditions) ? conditions.includes("require") : new Set(conditions).has("require");
}

function asPath(specifier: string): string {
  return specifier.startsWith("file:") ? fileURLToPath(specifier) : specifier;
}

function isBare(specifier: string): boolean {
  return !/^[./#]|^\w+:|^[A-Za-z]:/.test(specifier);
}

/** The folder of an installed package as the file sees it. */
function nearestPackage(specifier: string, parent: string): string | undefined {
  return wouldBe(specifier, parent).find((folder) => existsSync(folder));
}

/** A relative import stays with the author's code; so does a workspace package, which is linked, not installed. */
function isAuthors(specifier: string, found: Resolved): boolean {
  if (found.ours) return false;
  return specifier.startsWith(".") || !found.path.includes(`${sep}node_modules${sep}`);
}

function asModule(json: string): ReturnType<LoadHookSync> {
  return { format: "module", source: `export default ${json};`, shortCircuit: true };
}
