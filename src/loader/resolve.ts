import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { NapiResolveOptions, ResolverFactory } from "oxc-resolver";
import { aliasOf } from "./aliases.ts";
import { ownFile } from "./own-files.ts";

const require = createRequire(import.meta.url);

/** The paths at which an import that leads nowhere would be looked for: a file beside, or a package in a folder above. */
export function wouldBe(specifier: string, parent: string): string[] {
  if (specifier.startsWith(".") || isAbsolute(specifier)) {
    const path = resolve(dirname(parent), specifier);
    const stem = path.replace(/\.[cm]?js$/, "");
    return [path, ...EXTENSIONS.map((extension) => stem + extension), join(path, "index.ts"), join(path, "index.js")];
  }
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const folders: string[] = [];
  for (let folder = dirname(parent); ; folder = dirname(folder)) {
    folders.push(join(folder, "node_modules", name));
    if (dirname(folder) === folder) return folders;
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
      ? this.#factory(kind).sync(dirname(ownFile("index")), alias.bundled)
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
