import type { Problem } from "../core/problem.ts";
import type { FileManifest } from "../host/protocol/manifest.ts";
import { resolveLinks } from "../platform/files/real-path.ts";
import type { Environment } from "../settings/defaults.ts";
import type { SettingsWarning } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { CatalogOptions, Report } from "./catalog.ts";
import { CatalogGuards, isNamed } from "./catalog-guards.ts";
import { CatalogProject } from "./catalog-project.ts";
import type { CodeSources } from "./discovery/code-sources.ts";
import type { ToolFile } from "./discovery/tool-file.ts";
import type { Watching } from "./discovery/watch.ts";
import type { LoadedFile } from "./hosts/loaded-file.ts";
import { ManifestCache } from "./hosts/manifest-cache.ts";
import { ManifestReader, type ReadOptions } from "./hosts/manifest-reader.ts";
import type { InspectedProject } from "./inspect-project.ts";
import { type PublishedParts, PublishedTools } from "./published-tools.ts";
import type { Registry } from "./registry/registry.ts";
import type { RegistryEntry } from "./registry/registry-entry.ts";
import { mayDefine } from "./registry/resolve-names.ts";
import { ToolWaits } from "./tool-waits.ts";

interface CatalogParts extends Omit<PublishedParts, "workspace" | "builtins"> {
  readonly options: CatalogOptions;
  readonly env: Environment;
  readonly inspect: () => InspectedProject;
}

/** Files that finish after the time limit are published in batches, since each publication makes clients list again. */
const LATE_BATCH_MS = 200;

const UNWATCHED =
  "Changes of tool files are therefore noticed only by a reload. Settings and trust are still read before each call.";

/**
 * The tools of one directory: reads their manifests, publishes them, and repeats this after changes. Runs no tool. What is served
 * is in `PublishedTools`, the waiting in `ToolWaits`, the settings and files on disk in `CatalogProject`.
 */
export class ToolCatalog {
  readonly #options: CatalogOptions;
  readonly #manifests: ManifestReader;
  readonly #project: CatalogProject;
  readonly #guards: CatalogGuards;
  readonly #tools: PublishedTools;
  readonly #waits: ToolWaits;
  readonly #watching = new Set<Watching>();
  #closed = false;
  #isReading = false;
  /** Whether files have been read since the last publication. */
  #hasUnpublished = false;
  /** Resolves when the reading after a change of settings or trust has begun. */
  #rereadStart: Promise<void> | undefined;
  #lateTimer: NodeJS.Timeout | undefined;
  /** Readings run one after another, since they share the hosts. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Whether a setting, a flag or the program names the file itself. */
  readonly #isNamed = ({ file, location }: ToolFile): boolean =>
    (location.kind === "configured" && location.path === file) ||
    (this.#options.onlyFiles?.some((path) => resolveLinks(path) === resolveLinks(file)) ?? false);

  constructor(parts: CatalogParts, inspected: InspectedProject) {
    const { hosts, directory, options, env, inspect } = parts;
    const { builtins, onlyGiven = false } = options;
    this.#options = options;
    const manifests = new ManifestReader(hosts, new ManifestCache(inspected.homes.cache), directory, () =>
      this.#onFileRead(),
    );
    const project = new CatalogProject({ manifests, inspect, onlyGiven }, inspected);
    const workspace = inspected.discovered.project.root;
    this.#manifests = manifests;
    this.#project = project;
    this.#guards = new CatalogGuards(project, manifests, env);
    this.#tools = new PublishedTools({ ...parts, workspace, builtins: builtins ?? !onlyGiven }, inspected.settings);
    this.#waits = new ToolWaits({ project, manifests, tools: this.#tools, publish: () => this.#publish() });
  }

  /** The tools that the settings and the trust on disk permit. */
  get registry(): Registry {
    this.#applyRights();
    return this.#tools.registry;
  }

  /** The project as it is on disk, settings and trust included: see `RightsFiles`. */
  get inspected(): InspectedProject {
    this.#applyRights();
    return this.#project.current;
  }

  get settings(): Settings {
    return this.inspected.settings;
  }

  /** Code tools, built-in tools and files, highest priority first. */
  get entries(): readonly LoadedFile[] {
    return this.#tools.entries;
  }

  /** Whether files are being read, and the time to wait for them has not passed. */
  get isReading(): boolean {
    return this.#isReading;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  builtin(name: string): RegistryEntry | undefined {
    return this.#tools.builtin(name, this.settings);
  }

  /** Whether a file is of a format whose authors read the session of a call. */
  readsSessions(): boolean {
    return this.#tools.readsSessions();
  }

  loading(): readonly string[] {
    return this.#tools.unread.map(({ file }) => file);
  }

  problems(): readonly Problem[] {
    return [...this.#project.current.discovered.problems, ...this.#tools.registry.problems];
  }

  report(): Report {
    return { tools: this.#tools.registry.count, problems: this.problems() };
  }

  /** Reads the files of the first inspection. With `verify` every file is imported, whatever the cache says. */
  begin(options: { verify: boolean }): Promise<Report> {
    const reading = this.#enqueue(() => this.#read(options));
    this.#waits.begin(reading);
    return reading;
  }

  /** See `Toolbox.ready`. */
  ready(name?: string): Promise<void> | undefined {
    return this.#waits.ready(name);
  }

  /** See `Toolbox.listable`. */
  listable(ms: number): Promise<void> | undefined {
    return this.#waits.listable(ms);
  }

  /** Resolves when every guard has been read or has taken too long, and its hooks apply; undefined if that is so now. */
  guardsRead(): Promise<void> | undefined {
    const { importMs } = this.settings.limits;
    if (this.#rereadStart) return this.#rereadStart;
    const reading = this.#manifests.guards.read(importMs);
    if (reading) return reading;
    if (this.#hasUnpublished && !this.#closed) this.#publish();
    return undefined;
  }

  /** Why calls are refused: the hooks of a file could not be read. */
  refusalOfGuards(): string | undefined {
    return this.#guards.refusal(this.entries);
  }

  /** The files and commands that run without a permission question, now or after the next inspection. */
  codeSources(): CodeSources {
    return this.#project.codeSources();
  }

  /**
   * Inspects the project again and reads what has changed. Retries failed files; with a name, only those that may define
   * that tool.
   */
  reload({ name, verify = false }: { readonly name?: string; readonly verify?: boolean } = {}): Promise<Report> {
    const again = ({ file }: ToolFile): boolean => name === undefined || mayDefine(file, name);
    return this.#enqueue(() => this.#inspectAndRead({ again, verify }));
  }

  /** Resolves after all readings that are queued now. */
  async idle(): Promise<void> {
    await this.#queue;
  }

  async watch(): Promise<() => Promise<void>> {
    const { watchTools } = await import("./discovery/watch.ts");
    const watching = watchTools(
      () => this.#project.watched(),
      () => this.#enqueue(() => this.#inspectAndRead({})),
      (folder, reason) => this.warnNow({ file: folder, message: `${reason}. ${UNWATCHED}` }),
    );
    this.#watching.add(watching);
    return async () => {
      this.#watching.delete(watching);
      await watching.stop();
    };
  }

  /** Records that a running tool has imported more files. */
  addImports(file: string, imports: FileManifest["imports"]): void {
    this.#manifests.addImports(file, imports);
    this.#refreshWatching();
  }

  /** Publishes a changed manifest. Queued, since a running reload would overwrite it. */
  updateManifest(manifest: FileManifest): void {
    void this.#enqueue(async () => {
      if (this.#manifests.updateManifest(manifest) || this.#tools.updateCode(manifest)) this.#publish();
    });
  }

  addRules(rules: Settings["permissions"]["user"]): void {
    this.#project.addRules(rules);
  }

  warn(warning: SettingsWarning): void {
    this.#project.warn(warning);
  }

  /** Adds a warning that the user of a running server or chat must see now. */
  warnNow(warning: SettingsWarning): void {
    this.warn(warning);
    this.#tools.registry.notifyListeners();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#lateTimer);
    this.#manifests.save();
    this.#manifests.close();
    this.#waits.close();
    this.#tools.close();
    await Promise.all([...this.#watching].map((watching) => watching.stop()));
  }

  /** An import has begun, or takes long: its file may be a problem now. */
  importLasts(): void {
    if (this.#manifests.isReading) this.#publishLater();
  }

  #onFileRead(): void {
    this.#hasUnpublished = true;
    this.#waits.fileRead();
    this.#publishLater();
  }

  /** Publishes what is read after its reading has ended. */
  #publishLater(): void {
    if (this.#isReading) return;
    this.#lateTimer ??= setTimeout(() => {
      this.#lateTimer = undefined;
      void this.#enqueue(async () => {
        if (this.#closed) return;
        this.#manifests.save();
        this.#publish();
        this.#refreshWatching();
      });
    }, LATE_BATCH_MS);
  }

  #refreshWatching(): void {
    for (const watching of this.#watching) watching.refresh();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn;
    return turn;
  }

  /** Applies changed settings and a changed trust at once. Files that are new because of them are read after that. */
  #applyRights(): void {
    if (this.#closed || !this.#project.current.rights.haveChanged()) return;
    this.#project.inspect();
    if (this.#tools.isPublished) this.#publish();
    const { promise, resolve: started } = Promise.withResolvers<void>();
    this.#rereadStart = promise;
    void this.#enqueue(() => {
      const reading = this.#read({});
      if (this.#rereadStart === promise) this.#rereadStart = undefined;
      started();
      return reading;
    });
  }

  async #inspectAndRead(options: Pick<ReadOptions, "again" | "verify">): Promise<Report> {
    if (this.#closed) return this.report();
    const before = this.#project.faults;
    this.#project.inspect();
    const report = await this.#read(options);
    if (this.#project.faults !== before) this.#tools.registry.notifyListeners();
    return report;
  }

  async #read(options: Pick<ReadOptions, "again" | "verify">): Promise<Report> {
    const { waitMs, waitForUnfinished, onlyFiles } = this.#options;
    const { files } = this.#project;
    const only = onlyFiles && new Set(files.flatMap(({ file }) => (isNamed(file, onlyFiles) ? [file] : [])));
    this.#isReading = true;
    const { isOff } = this.#guards;
    const reading = this.#manifests.read(files, { ...options, isOff, only, waitMs, waitForUnfinished });
    // Tools that are known from an earlier process can be listed while files are imported.
    if (!this.#tools.isPublished && this.#manifests.isReading) this.#publish();
    await reading;
    this.#isReading = false;
    this.#publish();
    return this.report();
  }

  /** Publishes everything that has been read so far. */
  #publish(): void {
    const { files, current } = this.#project;
    const entries = this.#manifests.entries(files, this.#guards.isOff, this.#isNamed);
    this.#hasUnpublished = false;
    this.#tools.publish(entries, this.#manifests.loading(files), current.settings.tools);
  }
}
