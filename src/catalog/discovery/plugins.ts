import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import { readTextFile } from "../../platform/files/read-text-file.ts";
import { defined } from "../../platform/values/defined.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { findClaudePlugins } from "./claude-plugins.ts";
import { openClawEntries, toCandidates } from "./openclaw-entries.ts";
import { pluginFiles } from "./plugin-files.ts";
import { readPluginManifest } from "./plugin-manifest.ts";
import { readPlainJson, readText } from "./read-config-file.ts";
import { ancestors } from "./repository.ts";
import type { FoundPlugin, FoundPlugins } from "./scan.ts";
import type { LocationOptions } from "./tool-locations.ts";

/** Where to look for packages. */
interface PluginsOptions extends LocationOptions {
  /** In an untrusted project, links out of the project are not followed. */
  readonly trusted: boolean;
}

/** Finds the packages that name tool files in their package.json. Never throws. */
export function findPlugins(options: PluginsOptions): FoundPlugins {
  const project = projectPackages(options);
  const own = join(options.toolwrightHome, "node_modules");
  const omp = join(options.home, ".omp/plugins");
  const read = [...project.packages, ...packagesIn(own), ...ompPackages(omp)].flatMap((found) => toPlugin(found));
  const claude = findClaudePlugins(options);
  return {
    plugins: [...read.flatMap(({ plugin }) => plugin ?? []), ...claude.plugins],
    problems: [...project.problems, ...read.flatMap(({ problems }) => problems), ...claude.problems],
    folders: [own, join(omp, "node_modules"), ...claude.folders],
    files: [...project.files, ...read.map(({ file }) => file), join(omp, OMP_LOCK), ...claude.files],
  };
}

/** An installed package and the text of its package.json. */
interface Installed {
  readonly name: string;
  readonly folder: string;
  readonly text: string;
  readonly ofProject: boolean;
}

interface ReadPlugin {
  readonly file: string;
  readonly plugin?: FoundPlugin;
  readonly problems: readonly Problem[];
}

/** Empty for a package without tools. */
function toPlugin({ name, folder, text, ofProject }: Installed): [ReadPlugin] | [] {
  const manifest = readPluginManifest(text);
  if (manifest.kind === "none") return [];
  const file = join(folder, "package.json");
  if (manifest.kind === "malformed")
    return [{ file, problems: [{ file, code: "plugin_failed", message: manifest.message }] }];
  const { system, version, named } = manifest;
  const plugin = { name, ...defined({ version }) };
  const problems: Problem[] = [];
  const candidates =
    system === "openclaw"
      ? toCandidates(openClawEntries(folder, problems), folder)
      : pluginFiles(folder, named, problems);
  return [
    { file, plugin: { location: { path: folder, kind: "package", system, ofProject, plugin }, candidates }, problems },
  ];
}

interface ProjectPackages {
  readonly packages: readonly Installed[];
  readonly problems: readonly Problem[];
  readonly files: readonly string[];
}

/** The installed dependencies of every package.json from the working directory up to the root of the project. */
function projectPackages({ root, directories, trusted }: PluginsOptions): ProjectPackages {
  const untrusted = trusted ? undefined : root;
  const packages = new Map<string, Installed>();
  const problems: Problem[] = [];
  const files: string[] = [];
  for (const directory of directories) {
    const file = join(directory, "package.json");
    // npm writes the second file after it has installed all packages.
    files.push(file, join(directory, "node_modules/.package-lock.json"));
    const names = dependenciesOf(file, problems, untrusted);
    if (names.length === 0) continue;
    const modules = [...ancestors(directory, root)].map((each) => join(each, "node_modules")).filter(existsSync);
    for (const name of names) {
      const found = firstInstalled(name, modules, untrusted);
      if (found !== undefined && !packages.has(found.folder)) packages.set(found.folder, found);
    }
  }
  return { packages: [...packages.values()], problems, files };
}

const MAX_MANIFEST_BYTES = 10_000_000;
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies"];
const PACKAGE_NAME = /^(?:@[\w-][\w.-]*\/)?[\w-][\w.-]*$/;

function dependenciesOf(file: string, problems: Problem[], untrusted: string | undefined): string[] {
  const read = readTextFile(file, { largest: MAX_MANIFEST_BYTES, untrusted });
  if (read.kind === "refused") problems.push({ file, code: "unreadable", message: `It is not read: ${read.reason}` });
  if (read.kind !== "text") return [];
  try {
    const manifest: unknown = JSON.parse(read.text);
    if (!isObject(manifest)) return [];
    const names = DEPENDENCIES.flatMap((key) => (isObject(manifest[key]) ? Object.keys(manifest[key]) : []));
    return [...new Set(names)].filter((name) => PACKAGE_NAME.test(name));
  } catch (error) {
    const message = `It is not valid JSON (${messageOf(error)}), so its dependencies are not searched for tools. Correct it.`;
    problems.push({ file, code: "plugin_failed", message });
    return [];
  }
}

function firstInstalled(name: string, modules: readonly string[], untrusted?: string): Installed | undefined {
  for (const folder of modules.map((each) => join(each, name))) {
    const text = readText(join(folder, "package.json"), untrusted);
    if (text !== undefined) return { name, folder, text, ofProject: true };
  }
  return undefined;
}

function packagesIn(modules: string): Installed[] {
  return namesIn(modules)
    .flatMap((name) => (name.startsWith("@") ? namesIn(join(modules, name)).map((each) => `${name}/${each}`) : [name]))
    .flatMap((name) => {
      const folder = join(modules, name);
      const text = readText(join(folder, "package.json"));
      return text === undefined ? [] : [{ name, folder, text, ofProject: false }];
    });
}

const OMP_LOCK = "omp-plugins.lock.json";

/** The enabled plugins of oh-my-pi. */
function ompPackages(folder: string): Installed[] {
  const packages = packagesIn(join(folder, "node_modules"));
  const lock = packages.length === 0 ? undefined : readPlainJson(join(folder, OMP_LOCK));
  const known = isObject(lock) && isObject(lock.plugins) ? lock.plugins : {};
  const isOff = (state: unknown): boolean => isObject(state) && state.enabled === false;
  return packages.filter(({ name }) => !(Object.hasOwn(known, name) && isOff(known[name])));
}

function namesIn(folder: string): string[] {
  return (
    tryOrUndefined(() =>
      readdirSync(folder)
        .filter((name) => !name.startsWith("."))
        .sort(),
    ) ?? []
  );
}
