import { resolve } from "node:path";
import { type Environment, expandHome } from "../config/defaults.ts";
import type { SettingsWarning } from "../config/read-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { Problem } from "../core/problem.ts";
import type { Format } from "../core/tool.ts";
import { within } from "../core/within.ts";
import type { ToolFile } from "../discovery/tool-file.ts";
import type { Watched, Watching } from "../discovery/watch.ts";
import { isInside } from "../files/inside.ts";
import { realPath } from "../files/real-path.ts";
import type { CodeSources } from "../pipeline/auto-run-files.ts";
import { filesBeingRead } from "../protocol/files-being-read.ts";
import type { Hosts } from "../protocol/hosts.ts";
import { type FileManifest, hasNoCode } from "../protocol/manifest.ts";
import { Registry } from "../registry/registry.ts";
import type { RegistryEntry } from "../registry/registry-entry.ts";
import { isDisabled, mayDefine, mayOverrideBuiltins, resolveNames } from "../registry/resolve-names.ts";
import type { LoadedFile } from "../supervisor/loaded-file.ts";
import { ManifestCache } from "../supervisor/manifest-cache.ts";
import { ManifestReader, type ReadOptions } from "../supervisor/manifest-reader.ts";
import { BUILTIN_NAMES, builtinEntries, previewTool } from "./builtin-tools.ts";
import { type InspectedProject, rightsPaths, settingsPaths } from "./inspect-project.ts";
import type { SubAgents } from "./sub-agents.ts";
import { taskKinds } from "./task-kinds.ts";
import type { FileInfo, Report, ToolboxOptions } from "./toolbox.ts";

/** The formats whose authors read the session of a call: its entries, its model, whether it is idle. */
const READS_SESSIONS: ReadonlySet<Format | undefined> = new Set(["factory", "pi-extension"]);

export interface ToolCatalogOptions {
  readonly options: Pick<
    ToolboxOptions,
    "builtins" | "onlyGiven" | "waitMs" | "waitForUnfinished" | "onlyFiles" | "agents" | "subagents"
  >;
  readonly directory: string;
  readonly env: Environment;
  readonly hosts: Hosts;
  /** Tools that the program passed as values. */
  readonly codeEntries: readonly LoadedFile[];
  readonly inspect: () => InspectedProject;
  /** Called after each publication of the list of tools. */
  readonly onPublish: () => void;
}

/** Files that finish after the time limit are published in batches, since each publication makes clients list again. */
const LATE_BATCH_MS = 200;

const UNWATCHED =
  "Changes of tool files are therefore noticed only by a reload. Settings and trust are still read before each call.";

/** The tools of one directory: reads their manifests, publishes them to the registry, and repeats this after changes. Runs no tool. */
export class ToolCatalog {
  readonly #registry: Registry;
  readonly #options: ToolCatalogOptions;
  readonly #manifests: ManifestReader;
  readonly #builtins: readonly LoadedFile[];
  /** All built-in tools by name, served or not. Created when a tool first calls one. */
  #allBuiltins: ReadonlyMap<string, RegistryEntry> | undefined;
  #allBuiltinsFor: Settings | undefined;
  readonly #watching = new Set<Watching>();
  #entries: readonly LoadedFile[] = [];
  #codeEntries: readonly LoadedFile[];
  #inspected: InspectedProject;
  #closed = false;
  /** The first reading. Undefined once it is over, or its time limit has passed. */
  #firstRead: Promise<void> | undefined;
  /** Resolves when the reading after a change of settings or trust has begun. */
  #rereadStart: Promise<void> | undefined;
  /** Files that were still being imported at the last publication. */
  #unreadFiles: readonly ToolFile[] = [];
  #isPublished = false;
  #isReading = false;
  /** Whether files have been read since the last publication. */
  #hasUnpublished = false;
  #refusal: { readonly of: readonly LoadedFile[]; readonly text: string | undefined } | undefined;
  #readers: { readonly of: readonly LoadedFile[]; readonly has: boolean } = { of: [], has: false };
  #lateTimer: NodeJS.Timeout | undefined;
  /** Resolves after the next file has been read. */
  #nextFile = Promise.withResolvers<void>();
  /** Resolves after the next publication. */
  #nextPublish = Promise.withResolvers<void>();
  /** Readings run one after another, since they share the hosts. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ToolCatalogOptions, inspected: InspectedProject) {
    const { hosts, codeEntries, directory } = options;
    const { builtins, onlyGiven } = options.options;
    this.#options = options;
    this.#codeEntries = codeEntries;
    this.#registry = new Registry([previewTool(hosts.current)]);
    this.#manifests = new ManifestReader(hosts, new ManifestCache(inspected.homes.cache), directory, () =>
      this.#onFileRead(),
    );
    this.#inspected = this.#withMissingGuards(inspected);
    const at = { directory, workspace: inspected.discovered.project.root, kinds: this.#kinds() };
    this.#builtins = builtinEntries(builtins ?? !onlyGiven, at, hosts.permanent);
  }

  /** The tools that the settings and the trust on disk permit. */
  get registry(): Registry {
    this.#applyRights();
    return this.#registry;
  }

  /** The project as it is on disk, settings and trust included: see `RightsFiles`. */
  get inspected(): InspectedProject {
    this.#applyRights();
    return this.#inspected;
  }

  get settings(): Settings {
    return this.inspected.settings;
  }

  /** Code tools, built-in tools and files, highest priority first. */
  get entries(): readonly LoadedFile[] {
    return this.#entries;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  builtin(name: string): RegistryEntry | undefined {
    if (this.#allBuiltinsFor !== this.settings) {
      const { directory, hosts } = this.#options;
      const at = { directory, workspace: this.#inspected.discovered.project.root, kinds: this.#kinds() };
      const { disabled } = this.settings.tools;
      const all = builtinEntries(true, at, hosts.permanent);
      this.#allBuiltins = resolveNames(all, { disabled, builtins: BUILTIN_NAMES }).entries;
      this.#allBuiltinsFor = this.settings;
    }
    return this.#allBuiltins?.get(name);
  }

  /** Whether a file is of a format whose authors read the session of a call. */
  readsSessions(): boolean {
    if (this.#readers.of !== this.#entries) {
      const isReader = ({ manifest, off }: LoadedFile): boolean => !off && READS_SESSIONS.has(manifest.about?.format);
      this.#readers = { of: this.#entries, has: this.#entries.some(isReader) };
    }
    return this.#readers.has;
  }

  /** The kinds of sub-agents for the description of the tool that delegates to them. */
  #kinds(): SubAgents["kinds"] {
    const { subagents, agents } = this.#options.options;
    return subagents?.kinds ?? taskKinds(agents, this.settings);
  }

  files(): readonly FileInfo[] {
    return this.#entries
      .filter(({ file }) => !file.location.builtin)
      .map(({ manifest: { file, tools, about, runtime } }) => ({
        file,
        tools: tools.map(({ name }) => name),
        ...(about ? { about } : {}),
        ...(runtime ? { runtime } : {}),
      }));
  }

  loading(): readonly string[] {
    return this.#unreadFiles.map(({ file }) => file);
  }

  problems(): readonly Problem[] {
    return [...this.#inspected.discovered.problems, ...this.#registry.problems];
  }

  report(): Report {
    return { tools: this.#registry.count, problems: this.problems() };
  }

  /** Reads the files of the first inspection. With `verify` every file is imported, whatever the cache says. */
  begin(options: { verify: boolean }): Promise<Report> {
    const reading = this.#enqueue(() => this.#read(options));
    const over = (): void => {
      this.#firstRead = undefined;
    };
    this.#firstRead = reading.then(over, over);
    return reading;
  }

  /** See `Toolbox.ready`. */
  ready(name?: string): Promise<void> | undefined {
    if (name === undefined || (this.#isPublished && this.#unreadFiles.length === 0)) return this.#firstRead;
    return this.#isOpen(name) ? this.#waitForTool(name) : undefined;
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
    if (this.#refusal?.of !== this.#entries || this.#manifests.isReading) {
      this.#refusal = { of: this.#entries, text: this.#explainUnreadGuard() };
    }
    return this.#refusal.text;
  }

  /** The guards that started this process while they were read. They would wait for themselves, so they are not read here. */
  get #callingGuards(): readonly string[] {
    const started = filesBeingRead(this.#options.env);
    if (started.length === 0) return started;
    const { files } = this.#inspected.discovered;
    const isCaller = (file: ToolFile): boolean => started.includes(file.file) && this.#manifests.guards.isGuard(file);
    return files.filter(isCaller).map(({ file }) => file);
  }

  #explainUnreadGuard(): string | undefined {
    const [caller] = this.#callingGuards;
    if (caller !== undefined) {
      return `${caller} makes the call while it is being read, and its hooks are not known before that has ended. Make the call later, for example in a handler.`;
    }
    const { settings, discovered, homes } = this.#inspected;
    const optional = settings.hooks.optional.map((path) =>
      resolve(discovered.project.root, expandHome(path, homes.home)),
    );
    const isOptional = (file: string): boolean => isNamed(file, optional);
    const unread = this.#manifests.guards.unread(this.#entries).find(({ file }) => !isOptional(file));
    if (!unread) return undefined;
    const { file, reason } = unread;
    const { user } = settingsPaths(this.#inspected);
    return `The hooks in ${file} may have to see the call, and that file could not be read: ${reason}. Until that is corrected, no call is made. To make calls without its hooks, the user can add ${JSON.stringify(file)} to "hooks.optional" in ${user}.`;
  }

  /** See `Toolbox.listable`. */
  listable(ms: number): Promise<void> | undefined {
    return this.#firstRead && this.#publishWithin(ms, this.#firstRead);
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
    const { watchTools } = await import("../discovery/watch.ts");
    const watching = watchTools(
      () => this.#watchedPaths(),
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
    for (const watching of this.#watching) watching.refresh();
  }

  /** Publishes a changed manifest. Queued, since a running reload would overwrite it. */
  updateManifest(manifest: FileManifest): void {
    void this.#enqueue(async () => {
      if (!this.#manifests.updateManifest(manifest) && !this.#updateCodeEntry(manifest)) return;
      this.#publish();
    });
  }

  /** The rules apply at once; the next inspection reads them from the settings file. */
  addRules(rules: Settings["permissions"]["user"]): void {
    const { permissions } = this.#inspected.settings;
    const user = [...permissions.user, ...rules];
    this.#inspected = {
      ...this.#inspected,
      settings: { ...this.#inspected.settings, permissions: { ...permissions, user } },
    };
  }

  /** Adds a warning. One that is repeated by many calls is kept once. */
  warn(warning: SettingsWarning): void {
    const { warnings } = this.#inspected;
    if (warnings.some(({ file, message }) => file === warning.file && message === warning.message)) return;
    this.#inspected = { ...this.#inspected, warnings: [...warnings, warning] };
  }

  /** Adds a warning that the user of a running server or chat must see now. */
  warnNow(warning: SettingsWarning): void {
    this.warn(warning);
    this.#registry.notifyListeners();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#lateTimer);
    this.#manifests.save();
    this.#manifests.close();
    this.#nextFile.resolve();
    this.#nextPublish.resolve();
    await Promise.all([...this.#watching].map((watching) => watching.stop()));
  }

  async #publishWithin(ms: number, firstRead: Promise<void>): Promise<void> {
    await within(ms, firstRead);
    if (this.#firstRead && !this.#closed) this.#publish();
  }

  /** Whether files that are still being imported decide what this name means. */
  #isOpen(name: string): boolean {
    if (this.#firstRead && !this.#isNameDecided(name)) return true;
    const found = this.#registry.lookup(name);
    if (found.kind === "unknown") return true;
    if (!("entry" in found)) return false;
    const { file } = found.entry.ref;
    return this.#manifests.isUnverified(file.file) || (this.#isBuiltin(file.file) && this.#mayBeOverridden());
  }

  #isBuiltin(file: string): boolean {
    return this.#builtins.some((each) => each.file.file === file);
  }

  /** Whether a file that is still being imported may replace built-in tools: the author's tool may be a safer one. */
  #mayBeOverridden(): boolean {
    return this.#unreadFiles.some(mayOverrideBuiltins);
  }

  async #waitForTool(name: string): Promise<void> {
    const isOpen = (): boolean => !this.#closed && this.#isOpen(name);
    while (this.#firstRead && isOpen()) {
      if (this.#isNameDecided(name)) this.#publish();
      if (isOpen()) await Promise.race([this.#firstRead, this.#nextFile.promise]);
    }
    // After the time limit, only a file that may define the tool is worth waiting for.
    const isCandidate = (unread: ToolFile): boolean => {
      const current = this.#registry.get(name)?.file;
      if (mayDefine(unread.file, name) || mayDefine(unread.name, name) || current === unread.file) return true;
      return current !== undefined && this.#isBuiltin(current) && mayOverrideBuiltins(unread);
    };
    while (isOpen() && this.#unreadFiles.some(isCandidate)) await this.#nextPublish.promise;
  }

  /** Whether files that are still unread can no longer change which tool has this name. */
  #isNameDecided(name: string): boolean {
    const { files } = this.#inspected.discovered;
    const isFixed = [...this.#codeEntries, ...this.#builtins].some(({ manifest }) =>
      manifest.tools.some((tool) => tool.name === name),
    );
    const { disabled, override } = this.#inspected.settings.tools;
    if (isFixed) {
      return disabled.length + override.length === 0 && !this.#manifests.loading(files).some(mayOverrideBuiltins);
    }
    return this.#manifests.isDecided(name, files);
  }

  /** Publishes files that are read after their reading has ended. */
  #onFileRead(): void {
    this.#hasUnpublished = true;
    this.#nextFile.resolve();
    this.#nextFile = Promise.withResolvers();
    if (this.#isReading) return;
    this.#lateTimer ??= setTimeout(() => {
      this.#lateTimer = undefined;
      void this.#enqueue(async () => {
        if (this.#closed) return;
        this.#manifests.save();
        this.#publish();
        for (const watching of this.#watching) watching.refresh();
      });
    }, LATE_BATCH_MS);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn;
    return turn;
  }

  #inspect(): void {
    this.#inspected = this.#withMissingGuards(this.#options.inspect());
  }

  /** A guard that discovery misses is read like any other file: if the attempt fails, its last good version stays. */
  #withMissingGuards(inspected: InspectedProject): InspectedProject {
    const { discovered, isPartial } = inspected;
    const { files, project, problems, watched } = discovered;
    const isConfigBroken = isPartial || problems.some(({ file }) => watched.includes(file));
    const isOpen = ({ location: { kind, ofProject } }: ToolFile): boolean =>
      (project.trusted || !ofProject) && (!this.#options.options.onlyGiven || kind === "configured");
    const missing = this.#manifests.missingGuards(files, isConfigBroken).filter(isOpen);
    if (missing.length === 0) return inspected;
    return { ...inspected, discovered: { ...discovered, files: [...files, ...missing] } };
  }

  /** Applies changed settings and a changed trust at once. Files that are new because of them are read after that. */
  #applyRights(): void {
    if (this.#closed || !this.#inspected.rights.haveChanged()) return;
    this.#inspect();
    if (this.#isPublished) this.#publish();
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
    const before = faultsOf(this.#inspected);
    this.#inspect();
    const report = await this.#read(options);
    if (faultsOf(this.#inspected) !== before) this.#registry.notifyListeners();
    return report;
  }

  async #read(options: Pick<ReadOptions, "again" | "verify">): Promise<Report> {
    const { waitMs, waitForUnfinished, onlyFiles } = this.#options.options;
    const { files } = this.#inspected.discovered;
    const only = onlyFiles && realFiles(files, onlyFiles);
    this.#isReading = true;
    const reading = this.#manifests.read(files, { ...options, isOff: this.#isOff, only, waitMs, waitForUnfinished });
    // Tools that are known from an earlier process can be listed while files are imported.
    if (!this.#isPublished && this.#manifests.isReading) this.#publish();
    await reading;
    this.#isReading = false;
    this.#publish();
    return this.report();
  }

  /** Publishes everything that has been read so far. */
  #publish(): void {
    const files = this.#manifests.entries(this.#inspected.discovered.files, this.#isOff);
    const { disabled, override } = this.#inspected.settings.tools;
    this.#entries = [...this.#codeEntries, ...this.#builtins, ...files];
    this.#registry.replace(resolveNames(this.#entries, { disabled, override, builtins: BUILTIN_NAMES }));
    this.#unreadFiles = this.#manifests.loading(this.#inspected.discovered.files);
    this.#isPublished = true;
    this.#hasUnpublished = false;
    this.#options.onPublish();
    this.#nextPublish.resolve();
    this.#nextPublish = Promise.withResolvers();
  }

  /** Tests whether a file is disabled, and so not imported; undefined if none is. A project cannot disable guards of the user. */
  get #isOff(): ((file: ToolFile) => boolean) | undefined {
    const { disabled, disabledByUser } = this.#inspected.settings.tools;
    const callers = this.#callingGuards;
    if (disabled.length + callers.length === 0) return undefined;
    const isIn = (list: readonly string[], file: ToolFile): boolean =>
      isDisabled(file.name, { file }, list, BUILTIN_NAMES);
    const mayBeOff = (file: ToolFile): boolean =>
      (file.location.ofProject && !file.isOfUser) ||
      isIn(disabledByUser, file) ||
      !this.#manifests.guards.isGuard(file);
    return (file) => callers.includes(file.file) || (isIn(disabled, file) && mayBeOff(file));
  }

  /** The files and commands that run without a permission question, now or after the next inspection. */
  codeSources(): CodeSources {
    const { discovered, settings } = this.#inspected;
    const { root } = discovered.project;
    const hooks = [...settings.hooks.before, ...settings.hooks.after];
    const servers = discovered.files.flatMap(({ server }) => (server?.type === "stdio" ? [server] : []));
    const watched = this.#watchedPaths();
    const read = new Set(watched.files);
    const own = discovered.files.filter(({ server }) => !server);
    return {
      ...watched,
      unread: own.filter(({ file }) => !read.has(file)).map(({ file }) => file),
      declared: own.filter(hasNoCode).map(({ file }) => file),
      commands: [
        ...hooks.map(({ command }) => ({ words: command, folder: root })),
        ...servers.map(({ command, args, env, cwd }) => ({
          words: [command, ...args, ...Object.values(env)],
          folder: cwd ?? root,
        })),
      ],
    };
  }

  #watchedPaths(): Watched {
    const { possible, watched } = this.#inspected.discovered;
    const { project } = this.#inspected.discovered;
    const rights = rightsPaths(this.#inspected.homes.toolwrightHome, project.root);
    return { folders: possible, files: [...this.#manifests.dependencies(), ...watched, ...rights] };
  }

  #updateCodeEntry(manifest: FileManifest): boolean {
    const isCode = this.#codeEntries.some(({ file }) => file.file === manifest.file);
    if (!isCode) return false;
    const { problems } = manifest;
    this.#codeEntries = this.#codeEntries.map((entry) =>
      entry.file.file === manifest.file ? { ...entry, manifest, problems } : entry,
    );
    return true;
  }
}

/** The files among `files` that `wanted` names. */
function realFiles(files: readonly ToolFile[], wanted: readonly string[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ file }) => (isNamed(file, wanted) ? [file] : [])));
}

/** Whether one of the paths is the file or a folder above it. Links are resolved on both sides. */
function isNamed(file: string, paths: readonly string[]): boolean {
  return paths.some((path) => isInside(realPath(path) ?? path, realPath(file) ?? file));
}

/** A key of the warnings, problems and blocked files of an inspection. */
function faultsOf({ warnings, discovered: { problems, blocked } }: InspectedProject): string {
  return JSON.stringify([warnings, problems, blocked]);
}
