import { readFileSync } from "node:fs";
import {
  createRequire,
  isBuiltin,
  type LoadHookSync,
  type ResolveHookContext,
  type ResolveHookSync,
  registerHooks,
} from "node:module";
import { dirname, extname, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isModuleNamespaceObject } from "node:util/types";
import { messageOf } from "../../core/error.ts";
import { hasCode } from "../../platform/files/error-code.ts";
import { packageFile } from "../../platform/files/package-files.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { NeedsBun, SourceProblem, UNRESOLVED, type UnresolvedImport } from "../protocol/source-problem.ts";
import { isPerImporter } from "./aliases.ts";
import { Dependencies, isAuthorFile } from "./dependencies.ts";
import type { Loader } from "./loader.ts";
import { isDecidedByPaths, type Resolved, Resolver } from "./resolve-import.ts";
import { namesFromStandIns, standInSource, standInUrl } from "./stand-in-modules.ts";
import { type Transformed, transform } from "./transform.ts";
import { bunUse, bunUseInPackage, isBunModule } from "./uses-bun.ts";

const require = createRequire(import.meta.url);
const CODE = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"]);
const TEXT = new Set([".txt", ".md"]);

/**
 * Registers module hooks in this process, for the files passed to `load` and what they import. `canMoveToBun`: Bun is
 * installed, so that a package that would need it only later is reported now.
 */
export function createLoader({ canMoveToBun = false }: { readonly canMoveToBun?: boolean } = {}): Loader {
  return new NodeLoader(canMoveToBun);
}

class NodeLoader implements Loader {
  readonly #canMoveToBun: boolean;
  readonly #owned = new Set<string>();
  /** Files whose source Node has requested: they are in the module graph, even if their import failed. */
  readonly #loaded = new Set<string>();
  readonly #dependencies = new Dependencies();
  readonly #resolver = new Resolver();
  /** The names that each file imports from packages with stand-ins per importer. */
  readonly #standInNames = new Map<string, ReadonlyMap<string, readonly string[]>>();
  /** The URLs of entry files, by path and by URL. */
  readonly #entries = new Map<string, string>();
  readonly #pathOf = memoized(toPath);
  readonly #hooks: ReturnType<typeof registerHooks>;

  constructor(canMoveToBun: boolean) {
    this.#canMoveToBun = canMoveToBun;
    this.#hooks = registerHooks({
      resolve: (specifier, context, next) => this.#resolve(specifier, context, next),
      load: (url, context, next) => this.#load(url, context, next),
    });
  }

  async load(file: string): Promise<Record<string, unknown>> {
    const path = this.#dependencies.enter(file);
    const href = toUrl(path);
    const isImported = this.#loaded.has(path);
    this.#owned.add(path);
    this.#entries.set(path, href).set(href, href);
    return isImported ? importThrough(href) : evaluate(path, href);
  }

  get edges(): number {
    return this.#dependencies.size;
  }

  importsOf(file: string): ReturnType<Loader["importsOf"]> {
    return this.#dependencies.of(file);
  }

  close(): void {
    this.#hooks.deregister();
  }

  #ownedPath(url: string | undefined): string | undefined {
    if (!url?.startsWith("file:")) return undefined;
    const path = this.#pathOf(url);
    return this.#owned.has(path) ? path : undefined;
  }

  #resolve(...[specifier, context, next]: Parameters<ResolveHookSync>): ReturnType<ResolveHookSync> {
    const entry = this.#entries.get(specifier);
    if (entry !== undefined) return { url: entry, shortCircuit: true };
    if (specifier.startsWith(WRAPPER)) return { url: specifier, shortCircuit: true };
    const parent = this.#ownedPath(context.parentURL);
    if (specifier.startsWith("data:")) return next(specifier, context);
    if (parent === undefined) return this.#resolveFromPackage(specifier, context, next);
    if (isBunModule(specifier)) throw new NeedsBun(`It imports "${specifier}".`, { cause: parent });
    if (isBuiltin(specifier)) return next(specifier, context);
    const wanted = asPath(specifier);
    const found = this.#resolver.resolve(wanted, parent, kindOf(context.conditions));
    this.#dependencies.add(parent, wanted, found);
    if (found === undefined) {
      try {
        return next(specifier, context);
      } catch (error) {
        throw marked(error, { specifier, parent, decidedByPaths: isDecidedByPaths(wanted, parent) });
      }
    }
    if (isAuthorFile(specifier, found) || isPackagedTypeScript(found.path)) this.#owned.add(found.path);
    return this.#resolvedTo(found, parent, specifier, context);
  }

  /**
   * An import in a package is resolved by Node, at no cost. If that fails, it may be one of our packages, or TypeScript as
   * only Bun and bundlers find it. TypeScript in a package is treated as an author's file.
   */
  #resolveFromPackage(...[specifier, context, next]: Parameters<ResolveHookSync>): ReturnType<ResolveHookSync> {
    const parent = context.parentURL?.startsWith("file:") ? this.#pathOf(context.parentURL) : undefined;
    if (parent !== undefined && isBunModule(specifier)) {
      throw new NeedsBun(`It imports "${specifier}".`, { cause: parent });
    }
    try {
      const found = next(specifier, context);
      if (isTypeScript(found.url) && isPackagedTypeScript(this.#pathOf(found.url))) {
        this.#owned.add(this.#pathOf(found.url));
      }
      return found;
    } catch (error) {
      const kind = kindOf(context.conditions);
      const found = parent === undefined ? undefined : this.#resolver.resolve(asPath(specifier), parent, kind);
      if (parent === undefined || found === undefined) {
        throw marked(error, { specifier, parent: parent ?? "", decidedByPaths: false });
      }
      if (isPackagedTypeScript(found.path)) this.#owned.add(found.path);
      return this.#resolvedTo(found, parent, specifier, context);
    }
  }

  /** The result of resolving an import. Some of our stand-ins depend on the importing file. */
  #resolvedTo(
    found: Resolved,
    parent: string,
    specifier: string,
    { importAttributes }: ResolveHookContext,
  ): ReturnType<ResolveHookSync> {
    const url =
      found.ours && isPerImporter(specifier)
        ? standInUrl(found.path, { importer: parent, names: this.#namesIn(parent).get(specifier) ?? [] })
        : toUrl(found.path);
    return { url, shortCircuit: true, importAttributes };
  }

  #namesIn(file: string): ReadonlyMap<string, readonly string[]> {
    const names = this.#standInNames.get(file) ?? namesFromStandIns(readFileSync(file, "utf8"));
    this.#standInNames.set(file, names);
    return names;
  }

  #load(...[url, context, next]: Parameters<LoadHookSync>): ReturnType<LoadHookSync> {
    const source = standInSource(url) ?? wrapperSource(url);
    if (source !== undefined) return { format: "module", source, shortCircuit: true };
    const path = this.#ownedPath(url);
    if (path === undefined) {
      const code = next(url, context);
      const use = this.#canMoveToBun && isPackaged(url) ? bunUseInPackage(code.source) : undefined;
      if (use !== undefined) throw new NeedsBun(use, { cause: this.#pathOf(url) });
      return code;
    }
    this.#dependencies.stamp(path);
    this.#loaded.add(path);
    const extension = extname(path);
    // A `require` has no attributes, although the types say otherwise.
    const isText = TEXT.has(extension) || context.importAttributes?.type === "text";
    if (isText) return asModule(textModule(readFileSync(path, "utf8")));
    if (CODE.has(extension)) {
      const code = forNode(path);
      const names = namesFromStandIns(code.source);
      if (names.size > 0) this.#standInNames.set(path, names);
      return { ...code, shortCircuit: true };
    }
    if (extension === ".json" && !isRequire(context.conditions)) return asModule(jsonModule(path));
    return next(url, context);
  }
}

const TYPESCRIPT = /\.[cm]?ts$/;
const MODULES = `${sep}node_modules${sep}`;

/** Our own code checks its runtime before it uses Bun. */
const OWN_FOLDER = pathToFileURL(dirname(packageFile("index"))).href;

function isPackaged(url: string): boolean {
  return url.includes("/node_modules/") && !url.startsWith(OWN_FOLDER);
}

function isTypeScript(url: string): boolean {
  return TYPESCRIPT.test(url) && url.startsWith("file:");
}

/** Node refuses TypeScript in packages. */
function isPackagedTypeScript(path: string): boolean {
  return TYPESCRIPT.test(path) && path.includes(MODULES);
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
    return isModuleNamespaceObject(module) ? notThenable(module as Record<string, unknown>) : await importThrough(href);
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
  return notThenable(module);
}

/** The exports without `then`: a promise would call it. */
function notThenable(module: Record<string, unknown>): Record<string, unknown> {
  if (!("then" in module)) return module;
  const others: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(module)) {
    if (name !== "then") Object.defineProperty(others, name, { enumerable: true, get: () => module[name] });
  }
  return others;
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
function marked(error: unknown, value: UnresolvedImport): unknown {
  if (error instanceof Error) Object.defineProperty(error, UNRESOLVED, { value, configurable: true });
  return error;
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

function kindOf(conditions: Iterable<string>): "require" | "import" {
  return isRequire(conditions) ? "require" : "import";
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
function jsonModule(path: string): string {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  const value = parsedJson(path, text);
  const names = isObject(value) ? Object.keys(value).filter((name) => name !== "default" && name.isWellFormed()) : [];
  const members = names.map((name, index) => ({ name: JSON.stringify(name), local: `member${index}` }));
  return [
    `const value = JSON.parse(${JSON.stringify(text)});`,
    "export default value;",
    ...members.map(({ name, local }) => `const ${local} = value[${name}]; export { ${local} as ${name} };`),
  ].join("\n");
}

/** V8 says where the error is, but not in which file. */
function parsedJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, reason = messageOf(error), line, column] = JSON_ERROR.exec(messageOf(error)) ?? [];
    const position = line === undefined ? undefined : { line: Number(line), column: Number(column) };
    throw new SourceProblem(path, position, reason);
  }
}

const JSON_ERROR = /^(.*?)(?: at position \d+)? \(line (\d+) column (\d+)\)$/s;
