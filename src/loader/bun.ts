import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, extname, isAbsolute } from "node:path";
import { packageFile } from "../files/package-files.ts";
import { aliasOf } from "./aliases.ts";
import { asUnderNode } from "./bun-errors.ts";
import { Dependencies, isAuthors } from "./dependencies.ts";
import { importsIn } from "./imports-in.ts";
import type { Loader } from "./loader.ts";
import { namesFromPi, standIn, standInSource } from "./pi-names.ts";
import type { Resolved } from "./resolve-import.ts";
import { transform } from "./transform.ts";
import { usesDecorators } from "./uses-decorators.ts";

declare const Bun: BunGlobal;

const require = createRequire(import.meta.url);
const CODE = new Map<string, "ts" | "js">([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".js", "js"],
  [".mjs", "js"],
  [".cjs", "js"],
]);

/** What is known of an author's file before it runs. */
interface Scanned {
  /** Where its imports lead. */
  readonly imports: ReadonlyMap<string, Resolved>;
  readonly hasExports: boolean;
}

/**
 * Loads authors' files where Bun runs this process. Bun loads TypeScript by itself and lets no plugin see the name of a
 * package that is imported. So files are looked through before they run, and where one names a package of ours that
 * it has not installed, Bun is given the file with our path in its place.
 */
export function createBunLoader(): Loader {
  const dependencies = new Dependencies();
  const seen = new Set<string>();
  const scanned = new Map<string, Scanned>();
  let release: (() => void) | undefined;

  const look = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    dependencies.stamp(path);
    const kind = CODE.get(extname(path));
    if (!kind) return extname(path) === ".md" ? onLoad(path, () => asText(path)) : undefined;
    const text = textFor(path, kind);
    const { names, hasExports, isModule } = parse(text);
    const imports = new Map<string, Resolved>();
    scanned.set(path, { imports, hasExports });
    const fromPi = namesFromPi(text.contents);
    for (const name of names) {
      const found = resolve(name, path);
      if (found === "builtin") continue;
      dependencies.add(path, name, found);
      if (found) imports.set(name, found.ours ? withNames(found, fromPi.get(name)) : found);
      if (found && isAuthors(name, found)) look(found.path);
    }
    if (text.loader === kind && ![...imports.values()].some(({ ours }) => ours)) return;
    if (isModule) onLoad(path, () => ({ ...text, contents: withOurs(text.contents, imports) }));
    else release ??= aliasRequires((parent) => scanned.get(parent)?.imports);
  };

  return {
    async load(file) {
      const path = dependencies.enter(file);
      look(path);
      try {
        const module: Record<string, unknown> = await import(path);
        return scanned.get(path)?.hasExports ? module : asCommonJs(module, path);
      } catch (error) {
        throw asUnderNode(error, scanned.get(path)?.imports);
      }
    },
    get edges() {
      return dependencies.size;
    },
    importsOf: (file) => dependencies.of(file),
    close: () => release?.(),
  };
}

/** A "#!" line is no JavaScript to Bun's scanner, though it is to its loader. */
const SHEBANG = /^#!/;

/** A file as Bun is to see it: its decorators, if it has any, are understood as under Node. */
function textFor(path: string, loader: "ts" | "js"): Text {
  const contents = readFileSync(path, "utf8");
  try {
    if (loader === "ts" && usesDecorators(contents))
      return { contents: transform(path, contents).source, loader: "js" };
  } catch {
    // It does not parse, which importing it tells.
  }
  return { contents, loader };
}

interface Text {
  readonly contents: string;
  readonly loader: "ts" | "js";
}

/** What a file names and whether it is a module. Of one that does not parse nothing is known: importing it tells why. */
function parse({ contents, loader }: Text): { names: string[]; hasExports: boolean; isModule: boolean } {
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

/** What lies near the file wins over our aliases. */
function resolve(specifier: string, parent: string): Resolved | "builtin" | undefined {
  const near = resolveFrom(specifier, dirname(parent));
  if (near !== undefined) return isAbsolute(near) ? { path: near, ours: false } : "builtin";
  const alias = aliasOf(specifier);
  if (!alias) return undefined;
  const path = "file" in alias ? alias.file : resolveFrom(alias.bundled, dirname(packageFile("index")));
  return path === undefined ? undefined : { path, ours: true };
}

function resolveFrom(specifier: string, folder: string): string | undefined {
  try {
    return Bun.resolveSync(specifier, folder);
  } catch {
    return undefined;
  }
}

/** Our stand-in for a package of pi, with all that a file wants of it. */
function withNames(found: Resolved, wanted: readonly string[] = []): Resolved {
  const url = wanted.length > 0 ? standIn(found.path, wanted) : "";
  const contents = standInSource(url);
  if (contents === undefined) return found;
  const path = `toolwright-pi:${url}`;
  Bun.plugin({ name: path, setup: (build) => build.module(path, () => ({ contents, loader: "js" })) });
  return { path, ours: true };
}

/** The text with the paths of our files in place of their names. No line moves. */
function withOurs(source: string, imports: Scanned["imports"]): string {
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

/** Bun would make HTML of it. */
function asText(path: string): object {
  return { loader: "object", exports: { default: readFileSync(path, "utf8") } };
}

/** As Node gives it: whatever the file assigned is the default. A module without any export looks the same. */
function asCommonJs(module: Record<string, unknown>, path: string): Record<string, unknown> {
  if (!("default" in module)) return module;
  const exported: unknown = require(path);
  return { default: exported, "module.exports": exported };
}

/**
 * The same for CommonJS, which Bun does not load from a changed text. Gives a function that undoes it. Done only where
 * it is needed: before 1.4, Bun then no longer finds what modules require by relative path.
 */
function aliasRequires(importsOf: (parent: string) => Scanned["imports"] | undefined): () => void {
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

/** The part of the global `Bun` that loading files needs. */
interface BunGlobal {
  /** Rejects what it cannot find by throwing. Built-in modules come out as names, not as paths. */
  resolveSync(specifier: string, folder: string): string;
  plugin(plugin: { name: string; setup(build: PluginBuilder): void }): void;
  readonly Transpiler: new (options: { loader: "ts" | "js" }) => Transpiler;
}

interface PluginBuilder {
  onLoad(options: { filter: RegExp }, load: () => object): void;
  /** A module that is in no file. */
  module(specifier: string, load: () => object): void;
}

interface Transpiler {
  scan(source: string): { readonly exports: readonly string[] };
  /** Unlike `scan`, it names what is required as well. */
  scanImports(source: string): readonly { readonly kind: string; readonly path: string }[];
}
