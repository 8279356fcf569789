import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of the bundlers' plugin interface that is used here: of tsdown and of Vite. */
interface Plugin {
  readonly name: string;
  generateBundle(
    this: { emitFile(file: { type: "asset"; fileName: string; source: string }): unknown },
    options: unknown,
    bundle: Readonly<Record<string, { readonly moduleIds?: readonly string[] }>>,
  ): void;
}

/**
 * Writes the licenses of the packages whose code is in the bundle to `THIRD-PARTY-LICENSES.txt`, next to it. `nested` names
 * packages whose code is in the published files of a bundled package, where the bundler does not see them.
 */
export function thirdPartyLicenses(nested: readonly string[] = []): Plugin {
  return {
    name: "third-party-licenses",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds }) => moduleIds ?? []);
      const folders = new Set([
        ...modules.flatMap((id) => packageFolder(id) ?? []),
        ...nested.map((name) => join(import.meta.dirname, "../node_modules", name)),
      ]);
      const source = [...folders]
        .map(describePackage)
        .sort()
        .join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES.txt", source });
    },
  };
}

/** The folder of the package that a module belongs to. Undefined for modules of this project and of the bundler. */
function packageFolder(id: string): string | undefined {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?]+)[\\/]/.exec(id)?.[1];
}

/** The license text. For a package without one: the name of the license and the author. */
function describePackage(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each));
  const text = file ? readFileSync(join(folder, file), "utf8") : `Copyright (c) ${author?.name ?? author ?? name}`;
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
