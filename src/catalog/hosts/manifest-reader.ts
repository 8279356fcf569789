import { statSync } from "node:fs";
import type { Hosts } from "../../host/protocol/hosts.ts";
import { stillImporting } from "../../host/protocol/load-problems.ts";
import {
  type FileManifest,
  hasNoCode,
  isBroken,
  mayLackHooks,
  type ToolManifest,
} from "../../host/protocol/manifest.ts";
import { hiddenBy } from "../../platform/files/hidden-by.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { ToolFile } from "../discovery/tool-file.ts";
import { Guards, type Known } from "./guards.ts";
import { type FileImport, ImportsInProgress, type WaitOptions } from "./imports-in-progress.ts";
import { LastWorkingFiles } from "./last-working-files.ts";
import { type IsNamed, type LoadedFile, toHostFile, withExpectedTools, withoutHelperModules } from "./loaded-file.ts";
import { folderKey, type ManifestCache } from "./manifest-cache.ts";

/** How files are read. */
export interface ReadOptions extends WaitOptions {
  /** Selects files to import again even if they have not changed, provided that they had problems. */
  readonly again?: ((file: ToolFile) => boolean) | undefined;
  /** Loads every file, ignoring the cache, and checks every schema. */
  readonly verify?: boolean;
  /** Disabled files, which are not imported. */
  readonly isOff?: ((file: ToolFile) => boolean) | undefined;
  /** Imports only these files; others are served from the cache. */
  readonly only?: ReadonlySet<string> | undefined;
}

/**
 * When unfinished imports are stored, in case this process exits before they end. Files that another
 * import delays have moved to other hosts by then, and agents still wait for the list of tools.
 */
const STORE_UNFINISHED_MS = 2_000;

/** The most imports that one file may report while it runs: all imports are watched. */
const MAX_IMPORTS = 10_000;

/** Reads what discovered files declare: from the cache if nothing changed, otherwise by loading them. */
export class ManifestReader {
  readonly #hosts: Hosts;
  readonly #cache: ManifestCache;
  /** The working directory of the hosts. Tools that an author's function creates may depend on it. */
  readonly #directory: string;
  readonly #manifests = new Map<string, FileManifest>();
  readonly #working: LastWorkingFiles;
  readonly #files = new Map<string, ToolFile>();
  /** What earlier versions of the files declared that are being imported. The cache may forget it while they are. */
  readonly #earlier = new WeakMap<FileImport, FileManifest>();
  readonly #importing = new ImportsInProgress();
  readonly #onRead: () => void;
  /** The files with hooks that no call may bypass. */
  readonly guards: Guards;

  /** `onRead` is called after each file that has been read. */
  constructor(hosts: Hosts, cache: ManifestCache, directory: string, onRead: () => void) {
    this.#hosts = hosts;
    this.#cache = cache;
    this.#directory = directory;
    this.#onRead = onRead;
    this.#working = new LastWorkingFiles(hosts);
    this.guards = new Guards(this.#importing, (file) => this.#knownOf(file));
  }

  #knownOf({ location, file }: ToolFile): Known {
    const lastHooks = this.#cache.lastHooks(folderKey(location), file, this.#directory);
    return {
      hadHooks: this.#working.hasHooks(file) || lastHooks.length > 0,
      isServed: this.#working.runsHooks(file),
      manifest: this.#manifests.get(file),
    };
  }

  loading(files: readonly ToolFile[]): ToolFile[] {
    return files.filter(({ file }) => this.#importing.has(file));
  }

  /** Whether the tools of a file are listed as its last known version declared them, until the present one is imported. */
  isUnverified(file: string): boolean {
    return this.#importing.has(file) && !this.#manifests.has(file) && !this.#working.has(file);
  }

  /** Whether the current version of a file was read and provides nothing. */
  hasFailed(file: string): boolean {
    const manifest = this.#manifests.get(file);
    return manifest !== undefined && !this.#importing.has(file) && isBroken(manifest);
  }

  /** Whether it is certain which file provides a tool: no file of higher precedence is still being imported. */
  isDecided(name: string, files: readonly ToolFile[]): boolean {
    const holds = ({ file }: ToolFile): boolean =>
      !this.#importing.has(file) && this.#manifests.get(file)?.tools.some((tool) => tool.name === name) === true;
    const owner = files.find(holds);
    if (!owner) return false;
    const above = files.slice(0, files.indexOf(owner)).filter(({ location }) => location !== owner.location);
    return !above.some(({ file }) => this.#importing.isAwaited(file));
  }

  /** Whether a file could not be read as it is: not all its imports are known then. */
  hasProblems(file: string): boolean {
    return (this.#manifests.get(file)?.problems.length ?? 0) > 0;
  }

  get isReading(): boolean {
    return !this.#importing.isEmpty;
  }

  /**
   * Guards of an earlier reading that discovery does not find, but that were not removed: a folder, a pipe or a broken link is in the
   * place of the file or of a folder above it, or the configuration that names the file is broken.
   */
  missingGuards(files: readonly ToolFile[], isConfigBroken: boolean): ToolFile[] {
    const found = new Set(files.map(({ file }) => file));
    const isMissing = ({ file }: ToolFile): boolean =>
      !found.has(file) && (isFile(file) ? isConfigBroken : hiddenBy(file) !== undefined);
    return this.#cache.guards(this.#directory).filter(isMissing);
  }

  /** Reads the files as they are on disk. Resolves when all are read, or after `waitMs`; imports then continue. Never rejects. */
  async read(files: readonly ToolFile[], options: ReadOptions = {}): Promise<void> {
    const isFresh = this.#cache.freshness();
    const stale = files.filter((file) => {
      if (options.isOff?.(file) || (!options.verify && this.#importing.isCurrent(file))) return false;
      const known = this.#known(file);
      if (options.only && !options.only.has(file.file)) {
        if (known && !known.unfinished && isFresh(known)) this.#manifests.set(file.file, known);
        return false;
      }
      if (!known || known.unfinished || options.verify || !isFresh(known) || !knowsConfigs(known, file)) return true;
      if (known.problems.some(({ code }) => code === "needs_bun") && this.#hosts.runsBun) return true;
      this.#manifests.set(file.file, known);
      return options.again?.(file) === true && (known.problems.length > 0 || this.#hosts.failedFiles().has(file.file));
    });
    for (const file of files) this.#files.set(file.file, file);
    const preloaded = stale.length > 0 ? this.#load(stale, files, options.verify ?? false) : [];
    if (this.isReading) await this.#importing.waitFor(options.verify ? {} : options);
    this.#preload(preloaded);
    this.#dropMissing(files);
    this.save();
  }

  /** Ignores the results of imports that are still running. */
  close(): void {
    this.#importing.keepOnly(new Set());
  }

  save(): void {
    this.#cache.save();
    this.#cache.setGuards(
      this.#directory,
      [...this.#files.values()].filter((file) => this.#knownOf(file).hadHooks),
    );
  }

  /** Every file that a known file imports. */
  dependencies(): string[] {
    const files = new Set<string>();
    for (const { imports } of this.#manifests.values()) for (const [file] of imports) files.add(file);
    return [...files];
  }

  /** A file has imported more while it ran. This is not cached. */
  addImports(file: string, imports: FileManifest["imports"]): void {
    const known = this.#manifests.get(file);
    if (known && isSameVersion(known.imports, imports))
      this.#manifests.set(file, { ...known, ...mergeImports(known, imports) });
  }

  /**
   * A file declares other tools than before. Returns whether the manifest is for the known version of a file. It is cached
   * only for files without code: a tool can forge the manifest of any file in its host.
   */
  updateManifest(manifest: FileManifest): boolean {
    const known = this.#manifests.get(manifest.file);
    const file = this.#files.get(manifest.file);
    if (!known || !file || !isSameVersion(known.imports, manifest.imports)) return false;
    const learnt = { ...manifest, ...mergeImports(known, manifest.imports) };
    this.#manifests.set(manifest.file, learnt);
    if (!hasNoCode(file)) return true;
    this.#store(folderKey(file.location), learnt);
    this.#cache.save();
    return true;
  }

  /** The files with their manifests and problems as known now. */
  entries(files: readonly ToolFile[], isOff: ReadOptions["isOff"], isNamed: IsNamed): LoadedFile[] {
    const importing = new Set(this.#hosts.importing());
    const toEntry = (file: ToolFile): LoadedFile =>
      isOff?.(file) ? this.#offEntry(file) : this.#entry(file, importing);
    return withoutHelperModules(withExpectedTools(files.map(toEntry), isNamed), isNamed);
  }

  #store(place: string, manifest: FileManifest): void {
    if (mayRecover(manifest)) this.#cache.delete(place, manifest);
    else this.#cache.set(place, manifest);
  }

  #known(file: ToolFile): FileManifest | undefined {
    return this.#manifests.get(file.file) ?? this.#cache.get(folderKey(file.location), file.file, this.#directory);
  }

  /** Starts to import files. Returns the other files that hosts had in memory, which the new hosts should load too. */
  #load(stale: readonly ToolFile[], all: readonly ToolFile[], verify: boolean): ToolFile[] {
    const preloaded = new Set(this.#hosts.loadedFiles());
    for (const { file } of stale) this.#working.keep(this.#manifests.get(file));
    if (preloaded.size > 0 && stale.some((file) => !hasNoCode(file))) this.#hosts.startVersion();
    const begun = new Map(stale.map((file) => [file.file, this.#begin(file)]));
    void this.#importFiles(begun, verify);
    return all.filter((file) => preloaded.has(file.file) && !begun.has(file.file));
  }

  /** Never rejects. All imports have ended afterwards. */
  async #importFiles(begun: ReadonlyMap<string, FileImport>, verify: boolean): Promise<void> {
    const all = [...begun.values()];
    const timer = setTimeout(() => this.#storeUnfinished(all), STORE_UNFINISHED_MS).unref();
    const onRead = (manifest: FileManifest): void => {
      const fileImport = begun.get(manifest.file);
      if (!fileImport || !this.#importing.isLatest(fileImport)) return;
      this.#accept(fileImport.file, manifest);
      this.#importing.end(fileImport);
      this.#onRead();
    };
    const files = all.map(({ file }) => toHostFile(file));
    const alone = new Set(
      all.flatMap(({ file, neverEnded }) => (neverEnded || this.#hasHung(file) ? [file.file] : [])),
    );
    await this.#hosts.load(files, { verify, alone, onRead }).catch(() => {});
    clearTimeout(timer);
    for (const fileImport of all) this.#importing.end(fileImport);
  }

  #begin(file: ToolFile): FileImport {
    const known = this.#cache.get(folderKey(file.location), file.file, this.#directory);
    // The stamp of the version whose import was started and never ended.
    const unfinished = known?.unfinished ? known.imports[0]?.[1] : undefined;
    const earlier = known?.unfinished ? this.#earlierOf(file.file) : known;
    const fileImport = this.#importing.begin(file, unfinished);
    if (earlier) this.#earlier.set(fileImport, earlier);
    return fileImport;
  }

  #earlierOf(file: string): FileManifest | undefined {
    const fileImport = this.#importing.get(file);
    return fileImport && this.#earlier.get(fileImport);
  }

  /** Whether the last import of a file did not end. */
  #hasHung({ file }: ToolFile): boolean {
    return this.#manifests.get(file)?.problems.some(({ code }) => code === "import_timeout") ?? false;
  }

  /** Stores which imports have not ended: if this process exits, the next one does not wait for them. */
  #storeUnfinished(begun: readonly FileImport[]): void {
    const isFresh = this.#cache.freshness();
    const importing = new Set(this.#hosts.importing());
    for (const fileImport of begun) {
      const { location, file, server } = fileImport.file;
      const known = this.#cache.get(folderKey(location), file, this.#directory);
      if (!this.#importing.isLatest(fileImport) || !importing.has(file) || (known && isFresh(known))) continue;
      const problems = [stillImporting({ file, server })];
      const manifest = { file, tools: [], problems, imports: [[file, fileImport.stamp]], unfinished: true } as const;
      this.#cache.set(folderKey(location), { ...manifest, onlyForDirectory: this.#directory });
    }
    this.#cache.save();
  }

  #accept(file: ToolFile, read: FileManifest | undefined): void {
    if (!read) return;
    const reported =
      this.#working.has(file.file) && read.problemsIfToolsExpected
        ? { ...read, problems: read.problemsIfToolsExpected }
        : read;
    // A file that fails in this directory may work in another.
    const manifest = isBroken(reported) ? { ...reported, onlyForDirectory: this.#directory } : reported;
    this.#manifests.set(file.file, manifest);
    this.#store(folderKey(file.location), manifest);
    const isKept = isBroken(manifest) || (this.#working.hasHooks(file.file) && mayLackHooks(manifest));
    if (!isKept) this.#working.release(file.file);
  }

  /** Loads unchanged files into the new hosts: if an edit breaks one later, its last working version is in memory. */
  #preload(files: readonly ToolFile[]): void {
    if (files.length > 0) void this.#hosts.load(files.map((file) => toHostFile(file, this.#manifests.get(file.file))));
  }

  #dropMissing(files: readonly ToolFile[]): void {
    const present = new Set(files.map(({ file }) => file));
    this.#importing.keepOnly(present);
    for (const known of [this.#manifests, this.#files]) {
      for (const file of known.keys()) if (!present.has(file)) known.delete(file);
    }
    this.#working.keepOnly(present);
    for (const place of new Set(files.map(({ location }) => folderKey(location)))) this.#cache.keepOnly(place, present);
  }

  /** A disabled file: its cached manifest, or one tool with the name of the file. */
  #offEntry(file: ToolFile): LoadedFile {
    const known = this.#known(file);
    const manifest = (known?.unfinished ? undefined : known) ?? {
      file: file.file,
      tools: [unknownTool(file.name)],
      problems: [],
      imports: [],
    };
    return { file, manifest, codeVersion: this.#hosts.current, problems: [], off: true };
  }

  /** The tools that an earlier version of a file declared. Its hooks and session handlers do not run before it is imported. */
  #lastKnown({ file }: ToolFile): FileManifest {
    const empty = { file, tools: [], problems: [], imports: [] };
    const known = this.isUnverified(file) ? this.#earlierOf(file) : undefined;
    return known ? { ...empty, tools: known.tools } : empty;
  }

  /** A file that waits until others are imported has no problem. */
  #entry(file: ToolFile, importing: ReadonlySet<string>): LoadedFile {
    const manifest = this.#manifests.get(file.file) ?? this.#lastKnown(file);
    const working = this.#working.get(file.file);
    const lateProblems = this.#importing.mayHang(file, importing) ? [stillImporting(file)] : [];
    return {
      file,
      manifest: working?.manifest ?? manifest,
      codeVersion: working?.codeVersion ?? this.#hosts.current,
      problems: this.#importing.has(file.file) ? lateProblems : manifest.problems,
      off: false,
    };
  }
}

function isFile(path: string): boolean {
  return tryOrUndefined(() => statSync(path).isFile()) === true;
}

/** Whether a plugin was read with the config files that apply to it now. */
function knowsConfigs({ imports }: FileManifest, { location }: ToolFile): boolean {
  const configs = location.opencodePlugin?.configs ?? [];
  return configs.every((config) => imports.some(([path]) => path === config));
}

/** Whether a report of a host is about the known version of a file: the file may have changed in between. */
function isSameVersion(known: FileManifest["imports"], reported: FileManifest["imports"]): boolean {
  const stamps = new Map(reported);
  return known.every(([file, stamp]) => (stamps.get(file) ?? stamp) === stamp);
}

/** Adds imports. None is ever removed. */
function mergeImports({ imports }: FileManifest, reported: FileManifest["imports"]): Pick<FileManifest, "imports"> {
  const known = new Set(imports.map(([file]) => file));
  return { imports: [...imports, ...reported.filter(([file]) => !known.has(file))].slice(0, MAX_IMPORTS) };
}

/**
 * Whether the next import may have another result although no import has changed, so that it is not cached: a file failed for
 * a reason outside its imports, such as an environment variable, or it adds all its tools later.
 */
function mayRecover({ transientFailure, problems, announces, tools, hooks = [] }: FileManifest): boolean {
  if (announces && tools.length + hooks.length === 0) return true;
  return (
    transientFailure !== undefined || problems.some(({ code }) => code === "init_failed" || code === "plugin_failed")
  );
}

function unknownTool(name: string): ToolManifest {
  const inputSchema = { type: "object", properties: {} };
  return { name, description: "", inputSchema, format: "tool", limits: {}, hints: {}, declaresAccess: false };
}
