import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, extname, isAbsolute, sep } from "node:path";
import { packageFile } from "../../platform/files/package-files.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { aliasOf, isPerImporter, replacementOf } from "./aliases.ts";
import { asUnderNode } from "./bun-errors.ts";
import { Dependencies } from "./dependencies.ts";
import { importsIn } from "./imports-in.ts";
import type { Loader } from "./loader.ts";
import type { Resolved } from "./resolve-import.ts";
import { namesFromStandIns, type StandInImport, standInSource, standInUrl } from "./stand-in-modules.ts";
import { transform } from "./transform.ts";
import { usesDecorators } from "./uses-decorators.ts";

declare const Bun: BunGlobal;

const require = createRequire(import.meta.url);
const MODULES = `${sep}node_modules${sep}`;
const CODE = new Map<string, "ts" | "js">([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".js", "js"],
  [".mjs", "js"],
  [".cjs", "js"],
]);

type Imports = ReadonlyMap<string, Resolved>;

interface Scanned {
  readonly imports: Imports;
  readonly hasExports: boolean;
}

function hasOurs(imports: Imports): boolean {
  return [...imports.values()].some(({ ours }) => ours);
}

/**
 * Loads authors' files under Bun. Bun plugins do not see the specifiers of packages. Therefore, files and the packages that
 * they import are scanned before they run. If one imports a package that only we provide, Bun gets its source with our path
 * instead.
 */
export function createBunLoader(): Loader {
  return new BunLoader();
}

class BunLoader implements Loader {
  readonly #dependencies = new Dependencies();
  readonly #seen = new Set<string>();
  readonly #scanned = new Map<string, Scanned>();
  #release: (() => void) | undefined;

  async load(file: string): Promise<Record<string, unknown>> {
    const path = this.#dependencies.enter(file);
    this.#scan(path);
    try {
      const module: Record<string, unknown> = await import(path);
      return this.#scanned.get(path)?.hasExports ? module : asCommonJs(module, path);
    } catch (error) {
      throw asUnderNode(error, this.#scanned.get(path)?.imports);
    }
  }

  get edges(): number {
    return this.#dependencies.size;
  }

  importsOf(file: string): ReturnType<Loader["importsOf"]> {
    return this.#dependencies.of(file);
  }

  close(): void {
    this.#release?.();
  }

  #scan(path: string): void {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const kind = CODE.get(extname(path));
    const isPackaged = path.includes(MODULES);
    if (!isPackaged) this.#dependencies.stamp(path);
    if (!kind) return extname(path) === ".md" ? onLoad(path, () => asText(path)) : undefined;
    return isPackaged ? this.#scanPackaged(path, kind) : this.#scanAuthored(path, kind);
  }

  #scanAuthored(path: string, kind: "ts" | "js"): void {
    const text = textFor(path, kind);
    const parsed = parse(text);
    const imports = new Map<string, Resolved>();
    for (const name of parsed.names) {
      const found = resolve(name, path);
      if (found === "builtin") continue;
      this.#dependencies.add(path, name, found);
      if (!found) continue;
      imports.set(name, found);
      this.#follow(name, found);
    }
    this.#register(path, text, { ...parsed, imports, isChanged: text.loader !== kind });
  }

  /** An installed version of a package that we provide does not need ours. */
  #follow(name: string, { path, ours }: Resolved): void {
    if (!ours && !(path.includes(MODULES) && aliasOf(name))) this.#scan(path);
  }

  /** Looks only for imports that we provide: the files of a package are many, and parsing them takes as long as loading them. */
  #scanPackaged(path: string, loader: "ts" | "js"): void {
    const contents = readFileSync(path, "utf8");
    const imports = new Map<string, Resolved>();
    for (const name of specifiersIn(contents)) {
      const found = resolve(name, path);
      if (!found || found === "builtin") continue;
      imports.set(name, found);
      this.#follow(name, found);
    }
    const text = { contents, loader };
    if (hasOurs(imports)) this.#register(path, text, { ...parse(text), imports, isChanged: false });
  }

  /** Bun gets our paths instead of specifiers. `isChanged`: the text is not that of the file. */
  #register(
    path: string,
    text: Text,
    { imports: found, isModule, hasExports, isChanged }: Parsed & { imports: Imports; isChanged: boolean },
  ): void {
    const names = namesFromStandIns(text.contents);
    const imports = new Map(
      Array.from(found, ([name, each]) => [
        name,
        each.ours ? standInFor(each, { importer: path, names: names.get(name) ?? [] }, name) : each,
      ]),
    );
    this.#scanned.set(path, { imports, hasExports });
    if (!isChanged && !hasOurs(imports)) return;
    if (isModule) onLoad(path, () => ({ ...text, contents: withOurs(text.contents, imports) }));
    else this.#release ??= aliasRequires((parent) => this.#scanned.get(parent)?.imports);
  }
}

/** Bun's scanner rejects a "#!" line, although its loader accepts it. */
const SHEBANG = /^#!/;

/** The source that Bun gets. Decorators are compiled as under Node. */
function textFor(path: string, loader: "ts" | "js"): Text {
  const contents = readFileSync(path, "utf8");
  try {
    if (loader === "ts" && usesDecorators(contents))
      return { contents: transform(path, contents).source, loader: "js" };
  } catch {
    // A syntax error: the import reports it.
  }
  return { contents, loader };
}

interface Text {
  readonly contents: string;
  readonly loader: "ts" | "js";
}

/** What looks like an import. In a comment, it does no harm. */
const SPECIFIER = /(?<![.\w$])(?:from|import|require)\s*\(?\s*(?:"([^"\n]+)"|'([^'\n]+)')/g;

function specifiersIn(source: string): Set<string> {
  return new Set(Array.from(source.matchAll(SPECIFIER), ([, double, single]) => double ?? single ?? ""));
}

interface Parsed {
  readonly names: readonly string[];
  readonly hasExports: boolean;
  readonly isModule: boolean;
}

/** The specifiers in a file, and whether it is a module. Empty if it does not parse: the import reports that. */
function parse({ contents, loader }: Text): Parsed {
  try {
    const code = contents.replace(SHEBANG, "//");
    const transpiler = new Bun.Transpiler({ loader });
    const imports = transpiler.scanImports(code);
    const hasExports = transpiler.scan(code).exports.length > 0;
    const isModule = hasExports || imports.some(({ kind }) => kind === "import-statement");
    return { names: [...new Set(imports.map(({ path }) => path))], hasExports, isModule };
  } catch {
    return { names: [], hasExports: false, isModule: false };
  }
}

/** Packages near the file take precedence over our aliases. */
function resolve(specifier: string, parent: string): Resolved | "builtin" | undefined {
  const replacement = replacementOf(specifier);
  if (replacement !== undefined) return { path: replacement, ours: true };
  const near = resolveFrom(specifier, dirname(parent));
  if (near !== undefined) return isAbsolute(near) ? { path: near, ours: false } : "builtin";
  const alias = aliasOf(specifier);
  if (!alias) return undefined;
  const path = "file" in alias ? alias.file : resolveFrom(alias.bundled, dirname(packageFile("index")));
  return path === undefined ? undefined : { path, ours: true };
}

function resolveFrom(specifier: string, folder: string): string | undefined {
  return tryOrUndefined(() => Bun.resolveSync(specifier, folder));
}

/** Our stand-in for a package, as the importing file needs it. */
function standInFor(found: Resolved, by: StandInImport, specifier: string): Resolved {
  const url = isPerImporter(specifier) ? standInUrl(found.path, by) : "";
  const contents = standInSource(url);
  if (contents === undefined) return found;
  const path = `toolwright-stand-in:${url}`;
  Bun.plugin({ name: path, setup: (build) => build.module(path, () => ({ contents, loader: "js" })) });
  return { path, ours: true };
}

/** The source with our paths instead of specifiers. Line numbers do not change. */
function withOurs(source: string, imports: Imports): string {
  let text = source;
  for (const { specifier, start, end } of importsIn(source).reverse()) {
    const found = imports.get(specifier);
    if (found?.ours) text = text.slice(0, start) + JSON.stringify(found.path).slice(1, -1) + text.slice(end);
  }
  return text;
}

function onLoad(path: string, load: () => object): void {
  const filter = new RegExp(`^${path.replace(/\W/g, "\\$&")}$`);
  Bun.plugin({ name: path, setup: (build) => build.onLoad({ filter }, load) });
}

/** Bun would convert Markdown to HTML. */
function asText(path: string): object {
  return { loader: "object", exports: { default: readFileSync(path, "utf8") } };
}

/** CommonJS exports as Node gives them: the assigned value is the default. A module without exports is not changed. */
function asCommonJs(module: Record<string, unknown>, path: string): Record<string, unknown> {
  if (!("default" in module)) return module;
  const exported: unknown = require(path);
  return { default: exported, "module.exports": exported };
}

/**
 * Resolves our packages for CommonJS files, whose source Bun does not let plugins change. Returns a function that undoes it.
 * Used only when necessary: before 1.4, it breaks relative requires in Bun.
 */
function aliasRequires(importsOf: (parent: string) => Imports | undefined): () => void {
  const modules = Module as unknown as { _resolveFilename: ResolveFilename };
  const original = modules._resolveFilename;
  modules._resolveFilename = function (specifier, parent, ...rest) {
    const found = importsOf(parent?.filename ?? "")?.get(specifier);
    return found?.ours ? found.path : original.call(this, specifier, parent, ...rest);
  };
  return () => {
    modules._resolveFilename = original;
  };
}

type ResolveFilename = (this: unknown, specifier: string, parent?: { filename?: string }, ...rest: unknown[]) => string;

/** The members of the global `Bun` that are used here. */
interface BunGlobal {
  /** Throws if it finds nothing. Returns the names of built-in modules, not paths. */
  resolveSync(specifier: string, folder: string): string;
  plugin(plugin: { name: string; setup(build: PluginBuilder): void }): void;
  readonly Transpiler: new (options: { loader: "ts" | "js" }) => Transpiler;
}

interface PluginBuilder {
  onLoad(options: { filter: RegExp }, load: () => object): void;
  /** A virtual module. */
  module(specifier: string, load: () => object): void;
}

interface Transpiler {
  scan(source: string): { readonly exports: readonly string[] };
  /** Unlike `scan`, it includes `require` calls. */
  scanImports(source: string): readonly { readonly kind: string; readonly path: string }[];
}
