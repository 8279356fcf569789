import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { NapiResolveOptions, ResolverFactory } from "oxc-resolver";
import { packageFile } from "../files/package-files.ts";
import { aliasOf } from "./aliases.ts";

const require = createRequire(import.meta.url);

/**
 * The paths that decide an import which leads nowhere: a file beside, or a package in a folder above, and what may map
 * the name to a file.
 */
export function wouldBe(specifier: string, parent: string): string[] {
  if (isPath(specifier)) {
    const path = resolve(dirname(parent), specifier);
    const stem = path.replace(/\.[cm]?js$/, "");
    const endings = EXTENSIONS.flatMap((extension) => [stem + extension, join(path, `index${extension}`)]);
    return [path, ...endings, join(path, "package.json")];
  }
  const packages = packageFolders(specifier, parent);
  return [...packages, ...packages.map((folder) => join(folder, "package.json")), ...mappings(parent)];
}

/** Where an installed package would be, nearest first. */
export function packageFolders(specifier: string, parent: string): string[] {
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  return foldersAbove(parent).map((folder) => join(folder, "node_modules", name));
}

/**
 * Whether an import that leads nowhere will lead somewhere only after one of `wouldBe` has changed. A package that is
 * there, but not the file that it maps a name to, may get that file at any path; so may a project with mapped paths.
 */
export function isDecidedByPaths(specifier: string, parent: string): boolean {
  if (isPath(specifier)) return true;
  if (specifier.startsWith("#") || packageFolders(specifier, parent).some((folder) => existsSync(folder))) return false;
  return !mappings(parent).some((file) => MAPS.test(textOf(file)));
}

/** What says in a tsconfig.json, or in the package.json of a workspace, that a name may lead to a file elsewhere. */
const MAPS = /"(?:paths|extends|references|baseUrl|exports)"/;

function mappings(parent: string): string[] {
  return foldersAbove(parent).flatMap((folder) => [join(folder, "tsconfig.json"), join(folder, "package.json")]);
}

function foldersAbove(file: string): string[] {
  const folders = [dirname(file)];
  for (const folder of folders) if (dirname(folder) !== folder) folders.push(dirname(folder));
  return folders;
}

function isPath(specifier: string): boolean {
  return specifier.startsWith(".") || specifier.startsWith("file:") || isAbsolute(specifier);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const EXTENSIONS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", ".node"];

/** Where an import leads: to a real path, which is `ours` when an alias led there. */
export interface Resolved {
  readonly path: string;
  readonly ours: boolean;
}

/** Finds what an import in an author's file means. What lies near the file wins over our aliases. */
export class Resolver {
  readonly #found = new Map<string, Resolved | undefined>();
  readonly #factories = new Map<string, ResolverFactory>();

  /** Undefined when nothing is there: the caller lets Node say so in its own words. */
  resolve(specifier: string, parent: string, kind: "import" | "require"): Resolved | undefined {
    const directory = dirname(parent);
    const key = `${kind}\0${directory}\0${specifier}`;
    if (this.#found.has(key)) return this.#found.get(key);
    const found = this.#look(specifier, parent, directory, kind);
    this.#found.set(key, found);
    return found;
  }

  #look(specifier: string, parent: string, directory: string, kind: "import" | "require"): Resolved | undefined {
    const near = this.#factory(kind).sync(directory, specifier).path;
    if (near !== undefined) return { path: near, ours: false };
    const alias = aliasOf(specifier);
    if (alias && "file" in alias) return { path: alias.file, ours: true };
    const { path } = alias
      ? this.#factory(kind).sync(dirname(packageFile("index")), alias.bundled)
      : this.#factory(kind, "auto").resolveFileSync(parent, specifier);
    return path === undefined ? undefined : { path, ours: alias !== undefined };
  }

  /** `tsconfig` asks for the `paths` of the nearest tsconfig.json, which only matters for what is found nowhere else. */
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
