import { join } from "node:path";
import type { SettingsWarning } from "../config/read-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { Problem } from "../core/problem.ts";
import type { ToolFile } from "../discovery/place.ts";
import { realPath } from "../discovery/resolved-path.ts";
import type { Watched, Watching } from "../discovery/watch.ts";
import type { CodeSources } from "../pipeline/code-paths.ts";
import { couldHold } from "../pipeline/resolve-tool.ts";
import type { Hosts } from "../protocol/hosts.ts";
import { type FileManifest, isDeclared } from "../protocol/manifest.ts";
import { Registry } from "../registry/registry.ts";
import { isDisabled, resolveNames } from "../registry/resolve-names.ts";
import { ManifestCache } from "../supervisor/manifest-cache.ts";
import { type LoadedFile, ManifestReader, type ReadOptions } from "../supervisor/manifest-reader.ts";
import { BUILTIN_NAMES, builtinEntries } from "./builtin-tools.ts";
import { type InspectedProject, settingsPlaces } from "./inspect-project.ts";
import { previewToolEntry } from "./preview-tool.ts";
import type { FileInfo, Report, ToolboxOptions } from "./toolbox.ts";

/** What a catalog is filled from. */
export interface ToolCatalogOptions {
  readonly options: Pick<ToolboxOptions, "builtins" | "onlyGiven" | "waitMs" | "onlyFiles">;
  readonly directory: string;
  readonly hosts: Hosts;
  /** The tools that were given as values. */
  readonly given: readonly LoadedFile[];
  readonly look: () => InspectedProject;
  /** Told whenever what is served may have become another. */
  readonly onServed: () => void;
}

/** Files that are read later than they were waited for are served together: each time, clients list everything anew. */
const LATE_MS = 200;

/** The tools of one directory: found, read, named, and read again when something changes. Runs none. */
export class ToolCatalog {
  readonly registry: Registry;
  readonly #options: ToolCatalogOptions;
  readonly #manifests: ManifestReader;
  readonly #builtins: readonly LoadedFile[];
  readonly #watching = new Set<Watching>();
  #entries: readonly LoadedFile[] = [];
  #given: readonly LoadedFile[];
  #inspected: InspectedProject;
  #closed = false;
  /** The first reading, until it is over or has been waited for long enough. */
  #first: Promise<void> | undefined;
  /** The files that were being imported when what is served was put together. */
  #unread: readonly ToolFile[] = [];
  #hasServed = false;
  #isReading = false;
  #late: NodeJS.Timeout | undefined;
  /** Settles when a file has been read. */
  #oneMore = Promise.withResolvers<void>();
  /** Settles when other things are served than now. */
  #next = Promise.withResolvers<void>();
  /** Reloads happen one after another: two at once would fight over the hosts. */
  #turn: Promise<unknown> = Promise.resolve();

  /** The first look has been taken already, by whoever makes this. */
  constructor(options: ToolCatalogOptions, found: InspectedProject) {
    const { hosts, given, directory } = options;
    const { builtins, onlyGiven } = options.options;
    this.#options = options;
    this.#inspected = found;
    this.#given = given;
    this.registry = new Registry([previewToolEntry(hosts.current)]);
    this.#manifests = new ManifestReader(hosts, new ManifestCache(found.homes.cache), directory, () => this.#hasRead());
    const at = { directory, workspace: found.discovered.project.root };
    this.#builtins = builtinEntries(builtins ?? !onlyGiven, at, hosts.steady);
  }

  get inspected(): InspectedProject {
    return this.#inspected;
  }

  get settings(): Settings {
    return this.#inspected.settings;
  }

  /** Every file, and whatever else holds tools, highest priority first. */
  get entries(): readonly LoadedFile[] {
    return this.#entries;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  files(): readonly FileInfo[] {
    return this.#entries
      .filter(({ file }) => !file.place.builtin)
      .map(({ manifest: { file, tools, about, runtime } }) => ({
        file,
        tools: tools.map(({ name }) => name),
        ...(about ? { about } : {}),
        ...(runtime ? { runtime } : {}),
      }));
  }

  /** The files, and servers, that are still being read. */
  loading(): readonly string[] {
    return this.#unread.map(({ file }) => file);
  }

  problems(): readonly Problem[] {
    return [...this.#inspected.discovered.problems, ...this.registry.problems];
  }

  report(): Report {
    return { tools: this.registry.count, problems: this.problems() };
  }

  /** Reads what the last look has found, for the first time. */
  begin(options: { verify: boolean }): Promise<Report> {
    const reading = this.read(options);
    const over = (): void => {
      this.#first = undefined;
    };
    this.#first = reading.then(over, over);
    return reading;
  }

  /**
   * What waits for the first reading, unless that is over. With a name it waits only until that tool is there, but also
   * longer, for a file whose own name says that it may bring it. Never rejects.
   */
  ready(name?: string): Promise<void> | undefined {
    if (name === undefined || (this.#hasServed && this.#unread.length === 0)) return this.#first;
    return this.registry.lookup(name).kind === "unknown" ? this.#arrival(name) : undefined;
  }

  /** Reads what the last look has found. With `verify` every file is loaded, whatever the cache says. */
  read(options: { verify: boolean }): Promise<Report> {
    return this.#inTurn(() => this.#read(options));
  }

  /**
   * Looks again, and tries files that failed once more even though nothing about them has changed; with a name, only those
   * that may hold that tool.
   */
  reload({ name, verify = false }: { readonly name?: string; readonly verify?: boolean } = {}): Promise<Report> {
    const again = ({ file }: ToolFile): boolean => name === undefined || couldHold(file, name);
    return this.#inTurn(() => this.#again({ again, verify }));
  }

  /** When all that has been asked for so far is done. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  async watch(): Promise<() => Promise<void>> {
    const { watchTools } = await import("../discovery/watch.ts");
    const watching = watchTools(
      () => this.#watched(),
      () => this.#inTurn(() => this.#again({})),
    );
    this.#watching.add(watching);
    return async () => {
      this.#watching.delete(watching);
      await watching.stop();
    };
  }

  /** A file has imported more than it said. */
  depends(file: string, imports: FileManifest["imports"]): void {
    this.#manifests.depends(file, imports);
    for (const watching of this.#watching) watching.refresh();
  }

  /** A file has other tools than it said. In turn, since a reload that is under way would undo it. */
  changed(manifest: FileManifest): void {
    void this.#inTurn(async () => {
      if (!this.#manifests.changed(manifest) && !this.#givenChanged(manifest)) return;
      this.#serve();
    });
  }

  /** In force at once; the next look at the disk finds them in the file. */
  addRules(rules: Settings["permissions"]["user"]): void {
    const { permissions } = this.settings;
    const user = [...permissions.user, ...rules];
    this.#inspected = { ...this.#inspected, settings: { ...this.settings, permissions: { ...permissions, user } } };
  }

  warn(warning: SettingsWarning): void {
    this.#inspected = { ...this.#inspected, warnings: [...this.#inspected.warnings, warning] };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#late);
    this.#manifests.close();
    this.#oneMore.resolve();
    this.#next.resolve();
    await Promise.all([...this.#watching].map((watching) => watching.stop()));
  }

  async #arrival(name: string): Promise<void> {
    const isUnknown = (): boolean => !this.#closed && this.registry.lookup(name).kind === "unknown";
    while (this.#first && isUnknown()) {
      if (this.#isDecided(name)) this.#serve();
      if (isUnknown()) await Promise.race([this.#first, this.#oneMore.promise]);
    }
    // What the first reading did not wait for may take as long as it likes, unless it is the file that is meant.
    const isMeant = (file: ToolFile): boolean => couldHold(file.file, name) || couldHold(file.name, name);
    while (isUnknown() && this.#unread.some(isMeant)) await this.#next.promise;
  }

  /** Whether it is certain, before all files have been read, which tool has this name. */
  #isDecided(name: string): boolean {
    const { files } = this.#inspected.discovered;
    const isOwn = [...this.#given, ...this.#builtins].some(({ manifest }) =>
      manifest.tools.some((tool) => tool.name === name),
    );
    const { disabled, override } = this.settings.tools;
    if (isOwn) return disabled.length + override.length === 0;
    return this.#manifests.isDecided(name, files);
  }

  /** A file that was read too late for the reading it was part of, or else that reading serves it. */
  #hasRead(): void {
    this.#oneMore.resolve();
    this.#oneMore = Promise.withResolvers();
    if (this.#isReading) return;
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      void this.#inTurn(async () => {
        if (this.#closed) return;
        this.#manifests.save();
        this.#serve();
        for (const watching of this.#watching) watching.refresh();
      });
    }, LATE_MS);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn;
    return turn;
  }

  async #again(options: Pick<ReadOptions, "again" | "verify">): Promise<Report> {
    if (this.#closed) return this.report();
    const before = faultsIn(this.#inspected);
    this.#inspected = this.#options.look();
    const report = await this.#read(options);
    if (faultsIn(this.#inspected) !== before) this.registry.touch();
    return report;
  }

  async #read(options: Pick<ReadOptions, "again" | "verify">): Promise<Report> {
    const { waitMs, onlyFiles } = this.#options.options;
    const { files } = this.#inspected.discovered;
    const only = onlyFiles && realFiles(files, onlyFiles);
    this.#isReading = true;
    await this.#manifests.read(files, { ...options, isOff: this.#isOff, only, waitMs });
    this.#isReading = false;
    this.#serve();
    return this.report();
  }

  /** Serves whatever is known by now. */
  #serve(): void {
    const files = this.#manifests.entries(this.#inspected.discovered.files, this.#isOff);
    const { disabled, override } = this.settings.tools;
    this.#entries = [...this.#given, ...this.#builtins, ...files];
    this.registry.replace(resolveNames(this.#entries, { disabled, override, builtins: BUILTIN_NAMES }));
    this.#unread = this.#manifests.loading(this.#inspected.discovered.files);
    this.#hasServed = true;
    this.#options.onServed();
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Which files are not to be imported; undefined where nothing is disabled, which spares asking for each. */
  get #isOff(): ((file: ToolFile) => boolean) | undefined {
    const { disabled } = this.settings.tools;
    if (disabled.length === 0) return undefined;
    return (file) => isDisabled(file.name, { file }, disabled, BUILTIN_NAMES);
  }

  /** The code that is run without a further question, or could be after the next look. */
  code(): CodeSources {
    const { discovered, settings } = this.#inspected;
    const { root } = discovered.project;
    const hooks = [...settings.hooks.before, ...settings.hooks.after];
    const servers = discovered.files.flatMap(({ server }) => (server?.type === "stdio" ? [server] : []));
    const watched = this.#watched();
    const read = new Set(watched.files);
    const own = discovered.files.filter(({ server }) => !server);
    return {
      ...watched,
      unread: own.filter(({ file }) => !read.has(file)).map(({ file }) => file),
      declared: own.filter(isDeclared).map(({ file }) => file),
      commands: [
        ...hooks.map(({ command }) => ({ words: command, folder: root })),
        ...servers.map(({ command, args, env, cwd }) => ({
          words: [command, ...args, ...Object.values(env)],
          folder: cwd ?? root,
        })),
      ],
    };
  }

  #watched(): Watched {
    const { possible, watched } = this.#inspected.discovered;
    const settings = Object.values(settingsPlaces(this.#inspected));
    const trust = join(this.#inspected.homes.toolwrightHome, "trust.json");
    return { folders: possible, files: [...this.#manifests.dependencies(), ...watched, ...settings, trust] };
  }

  /** A value that was given has other tools than it said. */
  #givenChanged(manifest: FileManifest): boolean {
    const isGiven = this.#given.some(({ file }) => file.file === manifest.file);
    if (!isGiven) return false;
    const { problems } = manifest;
    this.#given = this.#given.map((entry) =>
      entry.file.file === manifest.file ? { ...entry, manifest, problems } : entry,
    );
    return true;
  }
}

/** Those of the files that are meant, whichever links the paths go through. */
function realFiles(files: readonly ToolFile[], wanted: readonly string[]): ReadonlySet<string> {
  const real = new Set(wanted.map((file) => realPath(file) ?? file));
  return new Set(files.flatMap(({ file }) => (real.has(realPath(file) ?? file) ? [file] : [])));
}

/** Changes when what is wrong changes, apart from the tool files themselves. */
function faultsIn({ warnings, discovered: { problems, blocked } }: InspectedProject): string {
  return JSON.stringify([warnings, problems, blocked]);
}
