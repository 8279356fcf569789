import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { shellWord } from "../../platform/text/shell-word.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { foldersAbove } from "./resolve-import.ts";

/** The command that installs packages where a file can import them. */
export function installCommand(names: readonly string[], file: string): string {
  const folder = folderFor(file);
  const words = names.map((name) => shellWord(name)).join(" ");
  const [, command] = MANAGERS.find(([lock]) => existsSync(join(folder, lock))) ?? NPM;
  return command(shellWord(folder), words);
}

type Manager = readonly [lock: string, command: (folder: string, names: string) => string];

const NPM: Manager = ["package-lock.json", (folder, names) => `npm install --prefix ${folder} ${names}`];

const MANAGERS: readonly Manager[] = [
  NPM,
  ["pnpm-lock.yaml", (folder, names) => `pnpm --dir ${folder} add ${names}`],
  ["yarn.lock", (folder, names) => `yarn --cwd ${folder} add ${names}`],
  ["bun.lock", (folder, names) => `bun add --cwd ${folder} ${names}`],
  ["bun.lockb", (folder, names) => `bun add --cwd ${folder} ${names}`],
];

/**
 * The nearest folder above a file with a package.json, within its repository and below the home folder. Without one, the
 * folder that contains the tools folder, as OpenCode does it.
 */
function folderFor(file: string): string {
  const [outside = "", inside] = file.split(`${sep}node_modules${sep}`, 2);
  if (inside !== undefined) return outside;
  const near: string[] = [];
  for (const folder of foldersAbove(file)) {
    if (folder === homedir()) break;
    near.push(folder);
    if (existsSync(join(folder, ".git"))) break;
  }
  const withPackage = near.find((folder) => existsSync(join(folder, "package.json")));
  const tools = near.find((folder) => TOOLS_FOLDER.test(basename(folder)));
  return withPackage ?? (tools === undefined ? dirname(file) : dirname(tools));
}

const TOOLS_FOLDER = /^(?:tools?|plugins?|extensions)$/;

/** The names of the dependencies in the package.json files above a file. */
export function dependenciesNear(file: string): ReadonlySet<string> {
  const names = foldersAbove(file).flatMap((folder) => {
    const about = readPackageJson(folder);
    const fields = [about.dependencies, about.devDependencies, about.peerDependencies, about.optionalDependencies];
    return fields.flatMap((field) => (isObject(field) ? Object.keys(field) : []));
  });
  return new Set(names);
}

/** The names of the packages that a file can import. */
export function installedNear(file: string): string[] {
  const folders = foldersAbove(file).map((folder) => join(folder, "node_modules"));
  return folders.flatMap((folder) =>
    namesIn(folder).flatMap((name) =>
      name.startsWith("@") ? namesIn(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    ),
  );
}

/** The package.json of a folder; empty if there is none that can be read. */
export function readPackageJson(folder: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The names in a folder; empty if it cannot be read. */
export function namesIn(folder: string): string[] {
  return tryOrUndefined(() => readdirSync(folder).slice(0, 5_000)) ?? [];
}
