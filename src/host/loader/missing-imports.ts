import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../platform/files/package-files.ts";
import { firstNames } from "../../platform/text/amount-text.ts";
import type { Position } from "../../platform/text/code-frame.ts";
import { misspelled, nearest, suggestion } from "../../platform/text/nearest.ts";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { UnresolvedImport } from "../protocol/source-problem.ts";
import { aliasOf, providedNames } from "./aliases.ts";
import type { AuthorFile } from "./author-files.ts";
import { dependenciesNear, installCommand, installedNear, namesIn, readPackageJson } from "./install-command.ts";
import { packageFolders } from "./resolve-import.ts";

/** An import that cannot be resolved, and where it is. */
interface Missing extends Partial<Position> {
  readonly specifier: string;
  readonly parent: string;
}

/** What is wrong with the imports of some files, in sentences, and the position of the first in the entry file. */
interface MissingImports {
  readonly message: string;
  readonly position?: Position;
}

/**
 * Explains all imports of a file and of its own imports that cannot be resolved. `failed` is the one that stopped the
 * import, if it is known. Undefined if there is none.
 */
export function explainMissingImports(
  files: readonly AuthorFile[],
  failed: UnresolvedImport | undefined,
): MissingImports | undefined {
  const all = withFailed(
    files.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target === undefined)
        .map(({ specifier, line, column }): Missing => ({ specifier, parent: path, line, column })),
    ),
    failed,
  );
  const entry = files[0]?.path ?? "";
  const explained = all.map((missing) => ({ missing, reason: reasonFor(missing) }));
  const packages = explained.filter(({ reason }) => reason === "not installed").map(({ missing }) => missing);
  const sentences = [
    ...explained.flatMap(({ missing, reason }) =>
      reason === "not installed" ? [] : [`${importer(missing, entry)} imports ${reason}`],
    ),
    ...notInstalled(packages, entry),
  ];
  if (sentences.length === 0) return undefined;
  const own = all.find(({ parent, line }) => parent === entry && line !== undefined);
  const message = [...new Set(sentences)].join("\n");
  return own?.line === undefined || own.column === undefined
    ? { message }
    : { message, position: { line: own.line, column: own.column } };
}

function withFailed(found: readonly Missing[], failed: UnresolvedImport | undefined): Missing[] {
  if (!failed) return [...found];
  const isFailed = ({ specifier, parent }: Missing): boolean =>
    specifier === failed.specifier && parent === failed.parent;
  const { specifier, parent } = failed;
  return [found.find(isFailed) ?? { specifier, parent }, ...found.filter((each) => !isFailed(each))];
}

/** "It", or the place of another file, or the package that it belongs to. */
function importer({ parent, line, column }: Missing, entry: string): string {
  if (parent === entry || parent === "") return "It";
  const from = dirname(entry);
  const owner = packageOf(parent);
  if (owner !== undefined && owner !== packageOf(entry)) return `The package "${owner}"`;
  return `${relative(from, parent)}${line === undefined ? "" : `:${line}:${column}`}, which it imports,`;
}

/** The name of the installed package that a file belongs to. */
function packageOf(file: string): string | undefined {
  const inside = file.split(`${sep}node_modules${sep}`);
  return inside.length < 2 ? undefined : packageNameOf((inside.at(-1) ?? "").replaceAll(sep, "/"));
}

/** Continues "It imports". */
type Reason = string | "not installed";

function reasonFor({ specifier, parent }: Missing): Reason {
  if (specifier.startsWith(".") || specifier.startsWith("file:") || isAbsolute(specifier)) {
    return noFile(specifier, parent);
  }
  if (specifier.startsWith("node:")) return noBuiltin(specifier);
  if (specifier.startsWith("#")) {
    return `"${specifier}", which "imports" in the nearest package.json does not define. Add it there, or correct the name.`;
  }
  const scheme = /^([a-z]+):/.exec(specifier)?.[1];
  if (scheme !== undefined) {
    return `"${specifier}". Imports of "${scheme}:" are not supported: install the package, and import it by its name.`;
  }
  const name = packageNameOf(specifier);
  if (!PACKAGE_NAME.test(name)) {
    return `"${specifier}", which is neither a package nor mapped by "paths" in a tsconfig.json above the file. Correct the name, or add the mapping.`;
  }
  const folder = installedFolder(specifier, parent);
  if (folder !== undefined) return brokenPackage(specifier, name, folder, parent);
  return noPackage(specifier, name, parent);
}

const PACKAGE_NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;

function noFile(specifier: string, parent: string): string {
  const path = pathOf(specifier, parent);
  if (path === undefined) return `"${specifier}", which is not the URL of a file on this computer. Correct it.`;
  const near = nearFiles(path).map((found) => asSpecifier(found, specifier, parent));
  return `"${specifier}", which does not exist. ${suggestion(near) || "Correct the path."}`;
}

/** Undefined for the URL of a file on another computer. */
function pathOf(specifier: string, parent: string): string | undefined {
  if (!specifier.startsWith("file:")) return resolve(dirname(parent), specifier);
  return tryOrUndefined(() => fileURLToPath(specifier));
}

/** Existing files whose path differs from a missing one in its last existing folder. */
function nearFiles(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    if (dirname(folder) === folder) return [];
    const rest = basename(path);
    return nearFiles(folder).flatMap((found) => {
      const names = namesIn(found).filter((name) => name === rest || stemOf(name) === stemOf(rest));
      return names.slice(0, 1).map((name) => join(found, name));
    });
  }
  const names = namesIn(folder).filter((name) => name !== "node_modules" && !name.startsWith("."));
  const byStem = new Map(names.map((name) => [stemOf(name), name]));
  const same = byStem.get(stemOf(basename(path)));
  const near = same === undefined ? nearest(stemOf(basename(path)), byStem.keys()) : [stemOf(same)];
  return near.map((stem) => join(folder, byStem.get(stem) ?? stem));
}

function stemOf(name: string): string {
  return basename(name, extname(name));
}

/** In the way the author wrote it: relative or absolute. */
function asSpecifier(found: string, written: string, parent: string): string {
  if (!written.startsWith(".")) return found;
  const path = relative(dirname(parent), found).replaceAll(sep, "/");
  return path.startsWith(".") ? path : `./${path}`;
}

function noBuiltin(specifier: string): string {
  const modules = builtinModules.map((name) => (name.startsWith("node:") ? name : `node:${name}`));
  const near = misspelled(specifier, modules);
  return `"${specifier}", which is not a module of Node. ${suggestion(near) || "Correct the name."}`;
}

/** Packages whose names differ from that of a Node module by one letter. */
const NOT_TYPOS = new Set(["pathe", "consola"]);

function noPackage(specifier: string, name: string, parent: string): Reason {
  if (NOT_TYPOS.has(name) || dependenciesNear(parent).has(name)) return "not installed";
  const builtins = builtinModules.filter((module) => module.length > 3 && !module.startsWith("_"));
  const provided = misspelled(specifier, [...providedNames(), ...builtins]);
  if (provided.length > 0) return `"${specifier}", which does not exist. ${suggestion(provided)}`;
  const near = misspelled(name, installedNear(parent));
  return near.length > 0 ? `"${specifier}", which is not installed. ${suggestion(near)}` : "not installed";
}

/** The folder of an installed package, or of one that comes with this package. */
function installedFolder(specifier: string, parent: string): string | undefined {
  const alias = aliasOf(specifier);
  const bundled = alias && "bundled" in alias ? packageFolders(alias.bundled, packageFile("index")) : [];
  return [...packageFolders(specifier, parent), ...bundled].find((folder) => existsSync(folder));
}

function brokenPackage(specifier: string, name: string, folder: string, parent: string): string {
  const about = readPackageJson(folder);
  const exported = exportedPaths(about.exports, name);
  if (specifier !== name) {
    const near = exported ? misspelled(specifier, exported) : nearFiles(join(folder, specifier.slice(name.length + 1)));
    const names = exported ? near : near.map((path) => `${name}/${relative(folder, path).replaceAll(sep, "/")}`);
    const lacks = exported
      ? `which the package "${name}" does not export`
      : `but the package "${name}" has no such file`;
    const known = exported && exported.length > 0 ? `It exports ${listed(exported)}.` : "Correct the path.";
    return `"${specifier}", ${lacks}. ${suggestion(names) || known}`;
  }
  if (exported && !exported.includes(name)) {
    return `"${name}", which has no main file. It exports ${listed(exported)}.`;
  }
  const main = typeof about.main === "string" ? about.main : undefined;
  if (!exported && main === undefined && (about.types ?? about.typings) !== undefined) {
    return `"${name}", which contains only types. Write: import type { … } from "${name}".`;
  }
  const missing = exported ? "a main file" : `the file ${join(folder, main ?? "index.js")}`;
  return `"${name}", which is installed but lacks ${missing}. Build the package, or install it again: ${installCommand([name], parent)}`;
}

/** The specifiers that "exports" allows, without patterns; undefined if it allows all files. */
function exportedPaths(exports: unknown, name: string): string[] | undefined {
  if (exports === undefined || exports === null) return undefined;
  const keys = isObject(exports) ? Object.keys(exports).filter((key) => key.startsWith(".")) : [];
  if (keys.length === 0) return [name];
  return keys.filter((key) => !key.includes("*") && key !== "./package.json").map((key) => `${name}${key.slice(1)}`);
}

const MAX_LISTED = 8;

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return firstNames(quoted, MAX_LISTED);
}

/** One sentence and one command for all packages that are to be installed in the same folder. */
function notInstalled(all: readonly Missing[], entry: string): string[] {
  const byCommand = Map.groupBy(all, ({ parent }) => installCommand([], parent || entry));
  return [...byCommand.values()].map((missing) => {
    const names = [...new Set(missing.map(({ specifier }) => packageNameOf(specifier)))];
    const command = installCommand(names, missing[0]?.parent || entry);
    const who = missing.every(({ parent }) => parent === missing[0]?.parent) ? missing[0] : undefined;
    const subject = who ? importer(who, entry) : "It and its imports";
    const verb = who ? "imports" : "import";
    return names.length === 1
      ? `${subject} ${verb} the package "${names[0]}", which is not installed. To install it, run: ${command}`
      : `${subject} ${verb} packages that are not installed: ${names.map((name) => `"${name}"`).join(", ")}. To install them, run: ${command}`;
  });
}
