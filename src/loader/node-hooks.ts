import { readFileSync } from "node:fs";
import { createRequire, isBuiltin, type LoadHookSync, type ResolveHookSync, registerHooks } from "node:module";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isModuleNamespaceObject } from "node:util/types";
import { isObject } from "../core/is-object.ts";
import { NeedsBun, UNRESOLVED } from "../core/source-problem.ts";
import { Dependencies, isAuthorFile } from "./dependencies.ts";
import type { Loader } from "./loader.ts";
import { namesFromPi, stubSource, stubUrl } from "./pi-stubs.ts";
import { isDecidedByPaths, Resolver } from "./resolve-import.ts";
import { type Transformed, transform } from "./transform.ts";
import { bunUse, isBunModule } from "./uses-bun.ts";

const require = createRequire(import.meta.url);
const CODE = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"]);
const TEXT = new Set([".txt", ".md"]);

/** Registers module hooks in this process. They apply only to files passed to `load` and to their relative imports. */
export function createLoader(): Loader {
  const owned = new Set<string>();
  /** Files whose source Node has requested: they are in the module graph, even if their import failed. */
  const loaded = new Set<string>();
  const dependencies = new Dependencies();
  const resolver = new Resolver();
  /** The names that each file imports from pi packages. */
  const fromPi = new Map<string, ReadonlyMap<string, readonly string[]>>();
  /** The URLs of entry files, by path and by URL. */
  const entries = new Map<string, string>();
  const pathOf = memoized(toPath);
  const ownedPath = (url: string | undefined): string | undefined => {
    if (!url?.startsWith("file:")) return undefined;
    const path = pathOf(url);
    return owned.has(path) ? path : undefined;
  };

  const resolve: ResolveHookSync = (specifier, context, next) => {
    const entry = entries.get(specifier);
    if (entry !== undefined) return { url: entry, shortCircuit: true };
    if (specifier.startsWith(WRAPPER)) return { url: specifier, shortCircuit: true };
    const parent = ownedPath(context.parentURL);
    if (specifier.startsWith("data:")) return next(specifier, context);
    if (parent === undefined) return marked(false, () => next(specifier, context));
    if (isBunModule(specifier)) throw new NeedsBun(`It imports "${specifier}".`, { cause: parent });
    if (isBuiltin(specifier)) return next(specifier, context);
    const kind = isRequire(context.conditions) ? "require" : "import";
    const wanted = asPath(specifier);
    const found = resolver.resolve(wanted, parent, kind);
    dependencies.add(parent, wanted, found);
    if (found === undefined) return marked(isDecidedByPaths(wanted, parent), () => next(specifier, context));
    if (isAuthorFile(specifier, found)) owned.add(found.path);
    const names = found.ours ? fromPi.get(parent)?.get(specifier) : undefined;
    const url = names ? stubUrl(found.path, names) : toUrl(found.path);
    return { url, shortCircuit: true, importAttributes: context.importAttributes };
  };

  const load: LoadHookSync = (url, context, next) => {
    const source = stubSource(url) ?? wrapperSource(url);
    if (source !== undefined) return { format: "module", source, shortCircuit: true };
    const path = ownedPath(url);
    if (path === undefined) return next(url, context);
    dependencies.stamp(path);
    loaded.add(path);
    const extension = extname(path);
    // A `require` has no attributes, although the types say otherwise.
    const isText = TEXT.has(extension) || context.importAttributes?.type === "text";
    if (isText) return asModule(textModule(readFileSync(path, "utf8")));
    if (CODE.has(extension)) {
      const code = forNode(path);
      const names = namesFromPi(code.source);
      if (names.size > 0) fromPi.set(path, names);
      return { ...code, shortCircuit: true };
    }
    if (extension === ".json" && !isRequire(context.conditions))
      return asModule(jsonModule(readFileSync(path, "utf8")));
    return next(url, context);
  };

  const hooks = registerHooks({ resolve, load });
  return {
    async load(file) {
      const path = dependencies.enter(file);
      const href = toUrl(path);
      const isImported = loaded.has(path);
      owned.add(path);
      entries.set(path, href).set(href, href);
      return isImported ? importThrough(href) : evaluate(path, href);
    },
    get edges() {
      return dependencies.size;
    },
    importsOf: (file) => dependencies.of(file),
    close: () => hooks.deregister(),
  };
}

/** Throws `NeedsBun` before any code of the file runs. Type imports have been removed by then. */
function forNode(path: string): Transformed {
  const transformed = transform(path, readFileSync(path, "utf8"));
  const use = bunUse(transformed.source);
  if (use !== undefined) throw new NeedsBun(use, { cause: path });
  return transformed;
}

/**
 * `require` is a tenth faster than `import`, which matters for hundreds of files. It fails for modules with top-level await,
 * before any of their code runs, and gives CommonJS modules another shape.
 */
async function evaluate(path: string, href: string): Promise<Record<string, unknown>> {
  try {
    const module = require(path);
    return isModuleNamespaceObject(module) ? (module as Record<string, unknown>) : await importThrough(href);
  } catch (error) {
    if (!hasCode(error, "ERR_REQUIRE_ASYNC_MODULE")) throw error;
    return importThrough(href);
  }
}

const WRAPPER = "toolwright:import:";

/**
 * Imports a module that Node has already loaded, through a wrapper module. A direct import would fail if a linked module is
 * broken, resolve before the end of a top-level await, or not throw although the evaluation failed.
 */
async function importThrough(href: string): Promise<Record<string, unknown>> {
  const { module } = await import(WRAPPER + href);
  return module;
}

function wrapperSource(url: string): string | undefined {
  if (!url.startsWith(WRAPPER)) return undefined;
  return `export * as module from ${JSON.stringify(url.slice(WRAPPER.length))};`;
}

/** Paths that need no escaping. `pathToFileURL` takes as long as reading the file. */
const PLAIN_PATH = /^\/[\w./-]*$/;

function toUrl(path: string): string {
  return PLAIN_PATH.test(path) ? `file://${path}` : pathToFileURL(path).href;
}

function toPath(url: string): string {
  const path = url.slice("file://".length);
  return PLAIN_PATH.test(path) ? path : fileURLToPath(url);
}

/** Marks the error of an import that was not found. */
function marked<T>(decided: boolean, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof Error) Object.defineProperty(error, UNRESOLVED, { value: decided, configurable: true });
    throw error;
  }
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}

function memoized(work: (argument: string) => string): (argument: string) => string {
  const known = new Map<string, string>();
  return (argument) => {
    const value = known.get(argument) ?? work(argument);
    known.set(argument, value);
    return value;
  };
}

/** Node 22 passes a set, later versions pass an array. */
function isRequire(conditions: Iterable<string>): boolean {
  return Array.isArray(conditions) ? conditions.includes("require") : new Set(conditions).has("require");
}

function asPath(specifier: string): string {
  return specifier.startsWith("file:") ? fileURLToPath(specifier) : specifier;
}

function asModule(source: string): ReturnType<LoadHookSync> {
  return { format: "module", source, shortCircuit: true };
}

/** The source of a module whose default export is a text. */
function textModule(text: string): string {
  return `export default ${JSON.stringify(text)};`;
}

/** The source of a module for a JSON file: its value as default export, and its members as named exports, as in Bun. */
function jsonModule(file: string): string {
  const text = file.replace(/^\uFEFF/, "");
  const value: unknown = JSON.parse(text);
  const names = isObject(value) ? Object.keys(value).filter((name) => name !== "default" && name.isWellFormed()) : [];
  const members = names.map((name, index) => ({ name: JSON.stringify(name), local: `member${index}` }));
  return [
    `const value = JSON.parse(${JSON.stringify(text)});`,
    "export default value;",
    ...members.map(({ name, local }) => `const ${local} = value[${name}]; export { ${local} as ${name} };`),
  ].join("\n");
}
