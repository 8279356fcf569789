import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { EXTENSION_FILE } from "../../core/agent-extension.ts";
import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import { isInside } from "../../platform/files/inside.ts";
import { isFolder } from "../../platform/files/is-folder.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { defined } from "../../platform/values/defined.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { expandHome } from "../../settings/defaults.ts";
import { type AgentHomes, piFolder } from "./agent-homes.ts";
import { type Candidate, candidatesAt, indexOf } from "./candidates.ts";
import { type Listed, listedIn, pathOfUrl, problemAt } from "./opencode-entries.ts";
import { isOutsideProject, type NamedPlugin, nameOf } from "./opencode-plugins.ts";
import { hasSign, isAdded, isFileSelected, isPiPattern, piEntries } from "./pi-entries.ts";
import { isOurs } from "./plugin-entry.ts";
import { filesAt, pluginFiles } from "./plugin-files.ts";
import { readPluginManifest } from "./plugin-manifest.ts";
import { readText } from "./read-config-file.ts";
import { belongsToProject, type ProjectPlace } from "./repository.ts";
import type { FoundPlugin, FoundPlugins } from "./scan.ts";
import { trustCommand } from "./trusted-projects.ts";

/** The extensions that settings files of pi name, and the packages. */
export interface PiExtensions extends FoundPlugins {
  /** By directory of the project. */
  readonly inProject: ReadonlyMap<string, readonly NamedPlugin[]>;
  readonly ofUser: readonly NamedPlugin[];
  /** Files in extension folders that the settings beside the folder turn off. */
  readonly turnedOff: ReadonlySet<string>;
}

interface PiExtensionsOptions extends AgentHomes, ProjectPlace {
  /** In an untrusted project, links and paths out of the project are not followed. */
  readonly trusted: boolean;
}

/** Reads `extensions` and `packages` in all settings files of pi. Installs nothing. Never throws. */
export function findPiExtensions(options: PiExtensionsOptions): PiExtensions {
  const at: Search = { ...options, user: piFolder(".pi", options) };
  const inProject = new Map<string, readonly NamedPlugin[]>();
  const found = new Found(at);
  for (const directory of options.directories) inProject.set(directory, found.add(join(directory, ".pi"), "project"));
  const ofUser = found.add(at.user, "global");
  const { plugins, turnedOff, problems, folders, files } = found;
  return { inProject, ofUser, plugins, turnedOff, problems, folders, files };
}

interface Search extends PiExtensionsOptions {
  /** The folder of the user's settings. */
  readonly user: string;
}

/** A folder with a settings file. */
interface Scope {
  readonly folder: string;
  readonly kind: "project" | "global";
  readonly ofProject: boolean;
  /** The root of the project, if the settings file belongs to it and it is not trusted. */
  readonly untrusted: string | undefined;
}

class Found {
  readonly plugins: FoundPlugin[] = [];
  readonly turnedOff = new Set<string>();
  readonly problems: Problem[] = [];
  readonly folders: string[] = [];
  readonly files: string[] = [];
  readonly #at: Search;

  constructor(at: Search) {
    this.#at = at;
  }

  /** Returns the extensions that the settings file in a folder names. */
  add(folder: string, kind: Scope["kind"]): NamedPlugin[] {
    const config = join(folder, "settings.json");
    const { root, home, trusted } = this.#at;
    const ofProject = kind === "project" || belongsToProject(config, root, home);
    const scope = { folder, kind, ofProject, untrusted: ofProject && !trusted ? root : undefined };
    this.files.push(config);
    const listed = listedIn(config, ["extensions", "packages"], this.problems, scope.untrusted);
    const [extensions = [], packages = []] = ['"extensions"', '"packages"'].map((list) =>
      listed.filter((each) => each.list === list),
    );
    for (const each of packages) this.#report(each, () => this.#package(each, scope));
    const patterns = extensions.flatMap(({ value }) => (typeof value === "string" && isPiPattern(value) ? value : []));
    this.#turnOff(patterns.filter(hasSign), scope);
    return extensions.flatMap((each) => this.#report(each, () => this.#extension(each, patterns, scope)) ?? []);
  }

  /** Turns an error into a problem of the entry. */
  #report<T>({ config, list, line }: Listed, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.problems.push(problemAt(config, line(), `An entry of ${list} ${messageOf(error)}`));
      return undefined;
    }
  }

  #turnOff(patterns: readonly string[], { folder, untrusted }: Scope): void {
    const extensions = join(folder, "extensions");
    if (patterns.length === 0 || isOutsideProject(extensions, untrusted) || !isFolder(extensions)) return;
    for (const { file } of candidatesAt(extensions, [], piEntries(untrusted)))
      if (!isFileSelected(file, patterns, folder)) this.turnedOff.add(file);
  }

  #extension(entry: Listed, patterns: readonly string[], scope: Scope): NamedPlugin[] {
    const { value, list, config } = entry;
    if (typeof value !== "string" || value.trim() === "") throw new Error("is not a path. Correct it.");
    if (isPiPattern(value)) return [];
    const path = this.#existing(value, entry, scope);
    return this.#filesAt(path, scope)
      .filter(({ file }) => isFileSelected(file, patterns, scope.folder))
      .map(({ file }) => {
        const ofProject = scope.ofProject || belongsToProject(file, this.#at.root, this.#at.home);
        return { location: { path: file, kind: scope.kind, system: "pi", ofProject }, from: `${list} in ${config}` };
      });
  }

  /** The absolute path of a local entry. Throws if nothing is there, or if it must not be looked up. */
  #existing(value: string, { config }: Listed, { untrusted }: Scope): string {
    const spec = value.trim();
    const path = spec.startsWith("file:")
      ? pathOfUrl(spec, config)
      : resolve(dirname(config), expandHome(spec, this.#at.home));
    if (isOutsideProject(path, untrusted))
      throw new Error(
        `names ${path}, which is outside the project. It is not loaded before the project is trusted. If you want it, run: ${trustCommand(this.#at.root)}`,
      );
    (isFolder(path) ? this.folders : this.files).push(path);
    if (!existsSync(path)) throw new Error(`names ${path}, which does not exist. Correct the path, or create it.`);
    return path;
  }

  #filesAt(path: string, { untrusted }: Scope): Candidate[] {
    return filesAt(path, this.problems, piEntries(untrusted)).filter(
      ({ file }) => basename(file) !== EXTENSION_FILE && !isOurs(file),
    );
  }

  #package(entry: Listed, scope: Scope): void {
    const { source, patterns, autoload } = partsOf(entry.value);
    // Such an entry loads nothing, so the package need not be installed.
    if (patterns?.length === 0 || (!autoload && !patterns?.some((each) => !/^[!-]/.test(each)))) return;
    const path = this.#installed(source, autoload, scope) ?? this.#existing(source, entry, scope);
    const inside = isOutsideProject(path, scope.untrusted) ? { ...scope, untrusted: undefined } : scope;
    const manifest = readText(join(path, "package.json"), inside.untrusted);
    const { name, version, pi } = fieldsOf(manifest);
    // As in pi, an entry that is an object finds the folder `extensions` also beside other resources in `pi`.
    const hasManifest = isObject(pi) && (typeof entry.value === "string" || Array.isArray(pi.extensions));
    const isSelectedHere = autoload ? isFileSelected : isAdded;
    const candidates = this.#packageFiles(path, manifest ?? "", inside, hasManifest).filter(
      ({ file }) => patterns === undefined || isSelectedHere(file, patterns, path),
    );
    if (candidates.length === 0) return;
    const plugin = { name: name ?? basename(path), ...defined({ version }) };
    const ofProject = scope.ofProject || belongsToProject(path, this.#at.root, this.#at.home);
    this.plugins.push({ location: { path, kind: "package", system: "pi", ofProject, plugin }, candidates });
  }

  /** The files that `pi.extensions` names; without `pi` those in `extensions`, or the index file if there is no resource folder. */
  #packageFiles(path: string, text: string, scope: Scope, hasManifest: boolean): Candidate[] {
    if (!isFolder(path)) return this.#filesAt(path, scope);
    this.files.push(join(path, "package.json"));
    if (hasManifest) {
      const manifest = readPluginManifest(text, "pi");
      const named = manifest.kind === "plugin" ? manifest.named : [];
      const signed = named.map((each) => each.path).filter((each) => /^[+-]/.test(each));
      const sources = named.filter((each) => !signed.includes(each.path));
      return pluginFiles(path, sources, this.problems, piEntries(scope.untrusted)).filter(
        ({ file }) => isFileSelected(file, signed, path) && !isOurs(file),
      );
    }
    const resources = ["extensions", "skills", "prompts", "themes"].map((name) => join(path, name));
    const [extensions = ""] = resources;
    this.folders.push(extensions);
    if (isOutsideProject(extensions, scope.untrusted)) return [];
    if (resources.some(isFolder)) return this.#filesAt(extensions, scope);
    const index = indexOf(path, realPath(path) ?? path);
    if (index === undefined)
      throw new Error(
        `names ${path}, which has no extensions: there is neither "pi" in a package.json, nor a folder "extensions", nor an index.ts. Correct the path, or build the package.`,
      );
    return [index];
  }

  /** The folder in which pi installed a package; undefined for a local path. Throws if it is not installed. */
  #installed(source: string, autoload: boolean, { folder, kind, untrusted }: Scope): string | undefined {
    const place = placeOf(source);
    if (place === undefined) return undefined;
    // An entry that only adds to a package of the user refers to the user's installation.
    const isOfUser = kind === "global" || !autoload;
    const globalModules = isOfUser && place.name !== undefined ? [join(globalRoot(this.#at), place.name)] : [];
    const own = join(folder, place.path);
    const others = [...(isOfUser ? [join(this.#at.user, place.path)] : []), ...globalModules];
    this.files.push(join(own, "package.json"));
    const path = [own, ...others].find(
      (each) => (each !== own || !isOutsideProject(each, untrusted)) && isFolder(each),
    );
    if (path !== undefined) return path;
    // The advice would be to install what an untrusted project names.
    if (untrusted !== undefined) {
      throw new Error(
        `names ${source}, which is not installed. If you trust the project, run: ${trustCommand(untrusted)}`,
      );
    }
    const where = kind === "project" ? ` in ${dirname(folder)}: pi install --local` : ": pi install";
    throw new Error(
      `names ${source}, which is not installed. Start pi, which installs it, or run${where} ${shellWord(source)}`,
    );
  }
}

/** `"source"` or `{ source, extensions, autoload }`. Throws for another value. */
function partsOf(value: unknown): { source: string; patterns?: readonly string[]; autoload: boolean } {
  const { source, extensions, autoload } = isObject(value) ? value : { source: value };
  if (typeof source !== "string" || source.trim() === "")
    throw new Error('is neither a package, nor a path, nor an object with "source". Correct it.');
  const patterns = Array.isArray(extensions) ? extensions.filter((each) => typeof each === "string") : undefined;
  return { source: source.trim(), ...(patterns && { patterns }), autoload: autoload !== false };
}

/** `git@host:path`, `https://user@host:1/path.git@ref`, `host/path#ref`, `owner/name`, `github:owner/name`. */
const REPOSITORY =
  /^(?:[\w+]+:\/\/|github:)?(?:[^@/]*@)?(?:((?=[^@/:#]*\.)[^@/:#]+|localhost)(?::\d+)?[/:])?([^@#]+?)(?:\.git)?\/?(?:[@#].*)?$/;

/** Where pi installs a package, relative to the folder of its settings; undefined for a local path. Throws for a wrong name. */
function placeOf(source: string): { path: string; name?: string } | undefined {
  if (source.startsWith("npm:")) {
    const name = nameOf(source.slice("npm:".length).trim());
    if (name === undefined) throw new Error(`names ${source}, which is not the name of a package. Correct it.`);
    return { path: join("npm/node_modules", name), name };
  }
  if (!/^(?:git:|(?:https?|ssh|git):\/\/)/.test(source)) return undefined;
  const [, host = "github.com", path = ""] = REPOSITORY.exec(source.replace(/^git:(?!\/\/)/, "").trim()) ?? [];
  const folder = join("git", host, path);
  if (!path.includes("/") || !isInside(resolve("git", host), resolve(folder)))
    throw new Error(`names ${source}, which is not the address of a repository. Correct it.`);
  return { path: folder };
}

/** Older versions of pi installed packages of the user with `npm install --global`. */
function globalRoot({ env }: AgentHomes): string {
  return join(env.npm_config_prefix || env.NPM_CONFIG_PREFIX || dirname(dirname(process.execPath)), "lib/node_modules");
}

function fieldsOf(manifest: string | undefined): { name?: string; version?: string; pi?: unknown } {
  const value = tryOrUndefined<unknown>(() => JSON.parse(manifest ?? ""));
  if (!isObject(value)) return {};
  const { name, version, pi } = value;
  return { ...(typeof name === "string" && { name }), ...(typeof version === "string" && { version }), pi };
}
