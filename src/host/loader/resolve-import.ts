import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { NapiResolveOptions, ResolverFactory } from "oxc-resolver";
import { packageFile } from "../../platform/files/package-files.ts";
import { textOrEmpty } from "../../platform/files/text-or-empty.ts";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { aliasOf, replacementOf } from "./aliases.ts";

const require = createRequire(import.meta.url);

/** The paths at which an import that was not found may appear, and the files that may map its name. */
export function candidatePaths(specifier: string, parent: string): string[] {
  if (isPath(specifier)) {
    const path = resolve(dirname(parent), specifier);
    const stem = path.replace(/\.[cm]?js$/, "");
    const endings = EXTENSIONS.flatMap((extension) => [stem + extension, join(path, `index${extension}`)]);
    return [path, ...endings, join(path, "package.json")];
  }
  const packages = packageFolders(specifier, parent);
  return [...packages, ...packages.map((folder) => join(folder, "package.json")), ...mappings(parent)];
}

/** The folders in which a package may be installed, nearest first. */
export function packageFolders(specifier: string, parent: string): string[] {
  const name = packageNameOf(specifier);
  return foldersAbove(parent).map((folder) => join(folder, "node_modules", name));
}

/**
 * Whether an import that was not found can be found only after one of `candidatePaths` has changed. It is false if a package
 * or a tsconfig.json may map the name to any path.
 */
export function isDecidedByPaths(specifier: string, parent: string): boolean {
  if (isPath(specifier)) return true;
  if (specifier.startsWith("#") || packageFolders(specifier, parent).some((folder) => existsSync(folder))) return false;
  return !mappings(parent).some((file) => MAPS.test(textOrEmpty(file)));
}

/** Keys of tsconfig.json and package.json that map names to other paths. */
const MAPS = /"(?:paths|extends|references|baseUrl|exports)"/;

function mappings(parent: string): string[] {
  return foldersAbove(parent).flatMap((folder) => [join(folder, "tsconfig.json"), join(folder, "package.json")]);
}

/** The folder of a file and all folders above it, nearest first. */
export function foldersAbove(file: string): string[] {
  const folders = [dirname(file)];
  for (const folder of folders) if (dirname(folder) !== folder) folders.push(dirname(folder));
  return folders;
}

function isPath(specifier: string): boolean {
  return specifier.startsWith(".") || specifier.startsWith("file:") || isAbsolute(specifier);
}

const EXTENSIONS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", ".node"];

/** A resolved import. `ours`: an alias led to a file that comes with this package. */
export interface Resolved {
  readonly path: string;
  readonly ours: boolean;
}

/** Resolves imports in authors' files. Packages near the file take precedence over our aliases. */
export class Resolver {
  readonly #found = new Map<string, Resolved | undefined>();
  readonly #factories = new Map<string, ResolverFactory>();
  /** Loading the resolver itself imports modules that may not exist. */
  #isBusy = false;

  /** Undefined if nothing is found: Node then throws its own error. */
  resolve(specifier: string, parent: string, kind: "import" | "require"): Resolved | undefined {
    const directory = dirname(parent);
    const key = `${kind}\0${directory}\0${specifier}`;
    if (this.#isBusy || this.#found.has(key)) return this.#found.get(key);
    this.#isBusy = true;
    try {
      const found = this.#find(specifier, parent, directory, kind);
      this.#found.set(key, found);
      return found;
    } finally {
      this.#isBusy = false;
    }
  }

  #find(specifier: string, parent: string, directory: string, kind: "import" | "require"): Resolved | undefined {
    const replacement = replacementOf(specifier);
    if (replacement !== undefined) return { path: replacement, ours: true };
    const near = this.#factory(kind).sync(directory, specifier).path;
    if (near !== undefined) return { path: near, ours: false };
    const alias = aliasOf(packageAtPath(specifier) ?? specifier);
    if (alias && "file" in alias) return { path: alias.file, ours: true };
    const { path } = alias
      ? this.#factory(kind).sync(dirname(packageFile("index")), alias.bundled)
      : this.#factory(kind, "auto").resolveFileSync(parent, specifier);
    return path === undefined ? undefined : { path, ours: alias !== undefined };
  }

  /** `tsconfig` applies the `paths` of the nearest tsconfig.json, for imports that are found nowhere else. */
  #factory(kind: "import" | "require", tsconfig?: "auto"): ResolverFactory {
    const key = kind + (tsconfig ?? "");
    const known = this.#factories.get(key);
    if (known) return known;
    const { ResolverFactory } = require("oxc-resolver") as typeof import("oxc-resolver");
    const options: NapiResolveOptions = {
      conditionNames: ["node", kind, "module-sync", "default"],
      extensions: EXTENSIONS,
      extensionAlias: {
        ".js": [".js", ".ts"],
        ".mjs": [".mjs", ".mts"],
        ".cjs": [".cjs", ".cts"],
      },
      mainFields: ["main"],
      builtinModules: true,
      ...(tsconfig ? { tsconfig } : {}),
    };
    const made = new ResolverFactory(options);
    this.#factories.set(key, made);
    return made;
  }
}

/** The package of an import such as `../node_modules/zod/index.js`, which some authors write. */
function packageAtPath(specifier: string): string | undefined {
  return /^(?:\.{0,2}|[A-Za-z]:)[\\/](?:.*[\\/])?node_modules[\\/]((?:@[^\\/]+\/)?[^\\/]+)/.exec(specifier)?.[1];
}
