import { dirname, extname, join } from "node:path";
import type { OpencodePlugin } from "../../core/plugin-config.ts";
import type { Problem } from "../../core/problem.ts";
import { isInside } from "../../platform/files/inside.ts";
import { isFile, isFolder } from "../../platform/files/is-folder.ts";
import { leadsOutTo, realPath } from "../../platform/files/real-path.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { type AgentHomes, xdgCache } from "./agent-homes.ts";
import { opencodeFolders, opencodeProjectFiles, opencodeUserFiles } from "./opencode-config.ts";
import { type PluginEntries, type PluginEntry, problemAt, readPluginEntries } from "./opencode-entries.ts";
import { isOurs, pluginEntry } from "./plugin-entry.ts";
import { readText } from "./read-config-file.ts";
import { ancestors, belongsToProject, type ProjectPlace } from "./repository.ts";
import type { FoundPlugin } from "./scan.ts";
import type { ToolLocation } from "./tool-file.ts";
import { trustCommand } from "./trusted-projects.ts";

/** A single file that a config file of an agent names. */
export interface NamedPlugin {
  readonly location: ToolLocation;
  readonly from: string;
}

/** The plugins that the configuration of OpenCode names, and what it says about those in plugin folders. */
export interface OpencodePlugins {
  /** By directory of the project. */
  readonly inProject: ReadonlyMap<string, readonly NamedPlugin[]>;
  readonly ofUser: readonly NamedPlugin[];
  readonly packages: readonly FoundPlugin[];
  readonly inFolders: { readonly project: OpencodePlugin; readonly user: OpencodePlugin };
  readonly problems: readonly Problem[];
  /** Config files and manifests to watch. */
  readonly files: readonly string[];
}

interface OpencodePluginsOptions extends AgentHomes, ProjectPlace {
  /** In an untrusted project, links out of the project are not followed. */
  readonly trusted: boolean;
}

/** Reads `plugin` and `plugins` in all config files of OpenCode. Installs nothing. Never throws. */
export function findOpencodePlugins(options: OpencodePluginsOptions): OpencodePlugins {
  const { root, directories } = options;
  const at: Search = { ...options, untrusted: options.trusted ? undefined : root };
  const userFiles = opencodeUserFiles(at);
  const ofUser = readPluginEntries(
    userFiles.filter((file) => !belongsToProject(file, root, at.home)),
    at,
  );
  const moved = userFiles.filter((file) => belongsToProject(file, root, at.home));
  const read = new Map(
    directories.map((folder) => {
      const files = [...opencodeProjectFiles(folder), ...(folder === root ? moved : [])];
      return [folder, readPluginEntries(files, at, at.untrusted)] as const;
    }),
  );
  const all = [...read.values()];
  // A project cannot turn off the user's plugins: their hooks may guard its calls.
  const user = turnedOff([ofUser]);
  const project = turnedOff([...all, ofUser]);
  const found = new Found(at);
  return {
    inProject: new Map([...read].map(([folder, { entries }]) => [folder, found.add(entries, project, folder)])),
    ofUser: found.add(ofUser.entries, user),
    packages: found.packages,
    inFolders: { project, user },
    problems: [...[...all, ofUser].flatMap(({ problems }) => problems), ...found.problems],
    files: [...directories.flatMap(opencodeProjectFiles), ...userFiles, ...found.files],
  };
}

interface Search extends OpencodePluginsOptions {
  /** The root of an untrusted project. */
  readonly untrusted: string | undefined;
}

function turnedOff(read: readonly PluginEntries[]): OpencodePlugin {
  const disabled = read.flatMap((each) => each.disabled);
  return {
    options: {},
    disabled: [...new Set(disabled.map(({ id }) => id))],
    configs: [...new Set(disabled.map(({ config }) => config))],
  };
}

/** Plugins that have become part of OpenCode, which ignores the packages. */
const PART_OF_OPENCODE = new Set(["opencode-openai-codex-auth", "opencode-copilot-auth"]);

/** Locates the plugins of entries. */
class Found {
  readonly packages: FoundPlugin[] = [];
  readonly problems: Problem[] = [];
  readonly files: string[] = [];
  readonly #at: Search;

  constructor(at: Search) {
    this.#at = at;
  }

  /** Returns the local plugins. `folder` is the directory of the project whose config files hold the entries. */
  add(entries: readonly PluginEntry[], { disabled, configs }: OpencodePlugin, folder?: string): NamedPlugin[] {
    return entries.flatMap((entry) => {
      const { options, config, target } = entry;
      const opencodePlugin = { options, disabled, configs: [...new Set([config, ...configs])] };
      if ("path" in target) return this.#local(target.path, entry, opencodePlugin, folder);
      const name = nameOf(target.package);
      if (name !== undefined && (disabled.includes(name) || name === "toolwright" || PART_OF_OPENCODE.has(name)))
        return [];
      this.#package(target.package, entry, opencodePlugin, folder);
      return [];
    });
  }

  #local(path: string, entry: PluginEntry, opencodePlugin: OpencodePlugin, folder?: string): NamedPlugin[] {
    const ofProject = folder !== undefined || belongsToProject(path, this.#at.root, this.#at.home);
    const untrusted = folder === undefined ? undefined : this.#at.untrusted;
    const file = isOutsideProject(path, untrusted) ? path : this.#fileAt(path, entry, untrusted);
    if (untrusted !== undefined && file !== undefined && isOutsideProject(file, untrusted)) {
      this.problems.push(outsideProblem(file, entry, untrusted));
      return [];
    }
    if (file === undefined || isOurs(file)) return [];
    const kind = folder === undefined ? "global" : "project";
    return [
      {
        location: { path: file, kind, system: "opencode", ofProject, opencodePlugin },
        from: `${entry.list} in ${entry.config}`,
      },
    ];
  }

  /** The file itself, the entry of a folder, or a path that does not exist. Undefined after a problem. */
  #fileAt(path: string, { config, line, list }: PluginEntry, untrusted: string | undefined): string | undefined {
    if (isFolder(path)) {
      this.files.push(join(path, "package.json"));
      const entry = pluginEntry(path, untrusted);
      if (entry === undefined) this.problems.push(problemAt(config, line(), noEntry(`the folder ${path}`, list)));
      return entry;
    }
    const complete = extname(path) === "" ? [".ts", ".js"].map((ending) => path + ending) : [];
    return [path, ...complete].find((each) => isOutsideProject(each, untrusted) || isFile(each)) ?? path;
  }

  #package(spec: string, entry: PluginEntry, opencodePlugin: OpencodePlugin, folder?: string): void {
    const installed = this.#installed(spec, entry.config, folder);
    if (installed === undefined) {
      // The advice would be to install what an untrusted project names.
      if (folder !== undefined && this.#at.untrusted !== undefined) return;
      this.problems.push(
        problemAt(entry.config, entry.line(), notInstalled(spec, entry, folder ?? dirname(entry.config))),
      );
      return;
    }
    const { path, manifest, untrusted } = installed;
    const file = pluginEntry(path, untrusted);
    if (file === undefined) {
      // A package may hold only themes or a part of the terminal interface.
      if (!/"(?:\.\/tui|oc-themes)"/.test(manifest))
        this.problems.push(problemAt(entry.config, entry.line(), noEntry(`the package "${spec}"`, entry.list)));
      return;
    }
    if (isOurs(file)) return;
    const name = nameOf(spec) ?? spec;
    const version = tryOrUndefined(() => (JSON.parse(manifest) as { version?: unknown }).version);
    const plugin = { name, ...(typeof version === "string" ? { version } : {}) };
    const ofProject = folder !== undefined || belongsToProject(path, this.#at.root, this.#at.home);
    this.packages.push({
      location: { path, kind: "package", system: "opencode", ofProject, plugin, opencodePlugin },
      candidates: [{ file, name: name.replace(/^.*\//, ""), real: realPath(file) ?? file }],
    });
  }

  /** The first folder in which the package is installed. Those in the project come first. */
  #installed(
    spec: string,
    config: string,
    folder: string | undefined,
  ): { path: string; manifest: string; untrusted: string | undefined } | undefined {
    const { root, untrusted } = this.#at;
    const name = nameOf(spec);
    const ofProject =
      folder === undefined ? [] : [...ancestors(folder, root)].flatMap((each) => [join(each, ".opencode"), each]);
    const ofUser = [...(folder === undefined ? [dirname(config)] : []), ...opencodeFolders(this.#at)];
    const inModules = (folders: readonly string[]): string[] =>
      name === undefined ? [] : folders.map((each) => modules(each, name));
    const places = [
      ...inModules(ofProject).map((path) => ({ path, untrusted })),
      ...[...inModules(ofUser), ...cachedPackages(spec, name, this.#at)].map((path) => ({
        path,
        untrusted: undefined,
      })),
    ];
    for (const place of places) {
      const file = join(place.path, "package.json");
      this.files.push(file);
      const manifest = readText(file, place.untrusted);
      if (manifest !== undefined) return { ...place, manifest };
    }
    return undefined;
  }
}

function modules(folder: string, name: string): string {
  return join(folder, "node_modules", name);
}

const REGISTRY_NAME = /^((?:@[\w-][\w.-]*\/)?[\w-][\w.-]*)(?:@[^/]*)?$/;

/** The name in `name@version`; undefined for the address of a repository or an archive. */
export function nameOf(spec: string): string | undefined {
  return REGISTRY_NAME.exec(spec)?.[1];
}

/** Where OpenCode installs packages: one folder for each entry, in older versions one for all. */
function cachedPackages(spec: string, name: string | undefined, at: AgentHomes): string[] {
  const cache = join(xdgCache(at), "opencode");
  const folders = [spec, ...(name === undefined ? [] : [`${name}@latest`, name])].map((each) =>
    join(cache, "packages", each),
  );
  const own = folders.filter((folder) => isInside(join(cache, "packages"), folder));
  if (name !== undefined) return [...own, cache].map((folder) => modules(folder, name));
  return own.flatMap((folder) => {
    const { dependencies = {} } = (tryOrUndefined(() => JSON.parse(readText(join(folder, "package.json")) ?? "")) ??
      {}) as {
      dependencies?: object;
    };
    return Object.keys(dependencies).map((each) => modules(folder, each));
  });
}

/** Whether a path is outside an untrusted project, or a link out of it. What is there is not looked up. */
export function isOutsideProject(path: string, untrusted: string | undefined): boolean {
  return untrusted !== undefined && (!isInside(untrusted, path) || leadsOutTo(path, untrusted) !== undefined);
}

function outsideProblem(file: string, { config }: PluginEntry, root: string): Problem {
  const message = `${config} names this plugin, which is outside the project. It is not loaded before the project is trusted. If you want it, run: ${trustCommand(root)}`;
  return { file, code: "unreadable", message };
}

function noEntry(what: string, list: string): string {
  return `${list} names ${what}, which has no file to load: neither "exports" or "main" in its package.json nor index.ts or index.js names one. Build it, or correct the entry.`;
}

function notInstalled(spec: string, { list }: PluginEntry, folder: string): string {
  const named = `${list} names the package "${spec}", which is not installed.`;
  const isFile = /\.[cm]?[jt]s$/.test(spec) ? ` If it is a file, write "./${spec}".` : "";
  const at = folder.endsWith("opencode") ? folder : join(folder, ".opencode");
  return `${named}${isFile} Start OpenCode, which installs it, or run: npm install --prefix ${shellWord(at)} ${shellWord(spec)}`;
}
