import type { ToolFile } from "../discovery/tool-file.ts";
import type { Hosts } from "../protocol/hosts.ts";
import { stillImporting } from "../protocol/load-problems.ts";
import { type FileManifest, hasNoCode, isBroken, type ToolManifest } from "../protocol/manifest.ts";
import { type FileImport, ImportsInProgress } from "./imports-in-progress.ts";
import { LastWorking } from "./last-working.ts";
import { type LoadedFile, toHostFile, withoutSiblings } from "./loaded-file.ts";
import type { ManifestCache } from "./manifest-cache.ts";

/** How files are read. */
export interface ReadOptions {
  /** Tries those of these files that failed before once more. */
  readonly again?: ((file: ToolFile) => boolean) | undefined;
  /** Loads everything, whatever the cache says, and checks every schema. */
  readonly verify?: boolean;
  /** Files that are not to be imported at all. */
  readonly isOff?: ((file: ToolFile) => boolean) | undefined;
  /** Imports no other files; of these, what is remembered is served. */
  readonly only?: ReadonlySet<string> | undefined;
  /** How long imports are waited for; by default as long as they take. */
  readonly waitMs?: number | undefined;
}

/**
 * When it is noted which imports have begun and not ended, for the case that this process ends before they do: later than
 * files that were held up by others have been taken elsewhere, sooner than anybody gives up waiting for us.
 */
const STORE_UNFINISHED_MS = 2_000;

/** All of them are watched. */
const MAX_IMPORTS = 10_000;

/** Knows what every discovered file declares: from the cache where nothing changed, else by loading it. */
export class ManifestReader {
  readonly #hosts: Hosts;
  readonly #cache: ManifestCache;
  /** What functions of authors' make holds for this one. */
  readonly #directory: string;
  readonly #manifests = new Map<string, FileManifest>();
  readonly #working: LastWorking;
  readonly #files = new Map<string, ToolFile>();
  readonly #importing = new ImportsInProgress();
  readonly #onRead: () => void;

  /** `onRead` is told of every file that has been read. */
  constructor(hosts: Hosts, cache: ManifestCache, directory: string, onRead: () => void) {
    this.#hosts = hosts;
    this.#cache = cache;
    this.#directory = directory;
    this.#onRead = onRead;
    this.#working = new LastWorking(hosts);
  }

  /** The files that are being imported, in their order. */
  loading(files: readonly ToolFile[]): ToolFile[] {
    return files.filter(({ file }) => this.#importing.has(file));
  }

  /**
   * Whether it is known which file has a tool of this name: one has it, and no file of a higher place that is still waited
   * for may have it too.
   */
  isDecided(name: string, files: readonly ToolFile[]): boolean {
    const holds = ({ file }: ToolFile): boolean =>
      !this.#importing.has(file) && this.#manifests.get(file)?.tools.some((tool) => tool.name === name) === true;
    const owner = files.find(holds);
    if (!owner) return false;
    const above = files.slice(0, files.indexOf(owner)).filter(({ location }) => location !== owner.location);
    return !above.some(({ file }) => this.#importing.isAwaited(file));
  }

  /** Whether files are being imported. */
  get isReading(): boolean {
    return !this.#importing.isEmpty;
  }

  /**
   * Reads the files as they are now, and answers when that is done or has been waited for long enough; what is still being
   * imported then goes on. Never rejects.
   */
  async read(files: readonly ToolFile[], options: ReadOptions = {}): Promise<void> {
    const isFresh = this.#cache.freshness();
    const stale = files.filter((file) => {
      if (options.isOff?.(file) || (!options.verify && this.#importing.isCurrent(file))) return false;
      const known = this.#known(file);
      if (options.only && !options.only.has(file.file)) {
        if (known && !known.unfinished && isFresh(known)) this.#manifests.set(file.file, known);
        return false;
      }
      if (!known || known.unfinished || options.verify || !isFresh(known)) return true;
      if (known.problems.some(({ code }) => code === "needs_bun") && this.#hosts.runsBun) return true;
      this.#manifests.set(file.file, known);
      return options.again?.(file) === true && (known.problems.length > 0 || this.#hosts.failedFiles().has(file.file));
    });
    for (const file of files) this.#files.set(file.file, file);
    const preloaded = stale.length > 0 ? this.#load(stale, files, options.verify ?? false) : [];
    if (this.isReading) await this.#importing.waitFor(options.verify ? undefined : options.waitMs);
    this.#preload(preloaded);
    this.#dropMissing(files);
    this.#cache.save();
  }

  /** Whatever is still being imported is nobody's any more. */
  close(): void {
    this.#importing.keepOnly(new Set());
  }

  /** Remembers what was read since. */
  save(): void {
    this.#cache.save();
  }

  /** Every file that some known file depends on. */
  dependencies(): string[] {
    const files = new Set<string>();
    for (const { imports } of this.#manifests.values()) for (const [file] of imports) files.add(file);
    return [...files];
  }

  /** A file has turned out to import more than it said. Not stored: the next process imports all of it again. */
  addImports(file: string, imports: FileManifest["imports"]): void {
    const known = this.#manifests.get(file);
    if (known && isSameVersion(known.imports, imports))
      this.#manifests.set(file, { ...known, ...mergeImports(known, imports) });
  }

  /**
   * A file has other tools than it said. Answers whether that concerns any file as it is known. It is stored only where no
   * author's code runs in the host: tools that have run there may have written this, about any file of the host. A file
   * that registers tools with a session does so again in the next process.
   */
  updateManifest(manifest: FileManifest): boolean {
    const known = this.#manifests.get(manifest.file);
    const file = this.#files.get(manifest.file);
    if (!known || !file || !isSameVersion(known.imports, manifest.imports)) return false;
    const learnt = { ...manifest, ...mergeImports(known, manifest.imports) };
    this.#manifests.set(manifest.file, learnt);
    if (!hasNoCode(file)) return true;
    this.#store(file.location.path, learnt);
    this.#cache.save();
    return true;
  }

  /** What is known of files by now. */
  entries(files: readonly ToolFile[], isOff: ReadOptions["isOff"]): LoadedFile[] {
    return withoutSiblings(files.map((file) => (isOff?.(file) ? this.#offEntry(file) : this.#entry(file))));
  }

  #store(place: string, manifest: FileManifest): void {
    if (mayRecover(manifest)) this.#cache.delete(place, manifest);
    else this.#cache.set(place, manifest);
  }

  #known(file: ToolFile): FileManifest | undefined {
    return this.#manifests.get(file.file) ?? this.#cache.get(file.location.path, file.file, this.#directory);
  }

  /** Begins to import files. Answers with those that the hosts until now had in memory, and the new ones should have too. */
  #load(stale: readonly ToolFile[], all: readonly ToolFile[], verify: boolean): ToolFile[] {
    const preloaded = new Set(this.#hosts.loadedFiles());
    for (const { file } of stale) this.#working.keep(this.#manifests.get(file));
    if (preloaded.size > 0 && stale.some((file) => !hasNoCode(file))) this.#hosts.startVersion();
    const begun = new Map(stale.map((file) => [file.file, this.#importing.begin(file, this.#unfinished(file))]));
    void this.#importFiles(begun, verify);
    return all.filter((file) => preloaded.has(file.file) && !begun.has(file.file));
  }

  /** Never rejects, and leaves no reading behind that has not ended. */
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

  /** The version of a file whose import was begun and never ended, as far as anybody knows. */
  #unfinished({ location, file }: ToolFile): string | undefined {
    const known = this.#cache.get(location.path, file, this.#directory);
    return known?.unfinished ? known.imports[0]?.[1] : undefined;
  }

  /** Whether the import of a file did not end when it was last tried. */
  #hasHung({ file }: ToolFile): boolean {
    return this.#manifests.get(file)?.problems.some(({ code }) => code === "import_timeout") ?? false;
  }

  /** Should this process be ended soon, the next one knows who may hold it up, and everything about the others. */
  #storeUnfinished(begun: readonly FileImport[]): void {
    const isFresh = this.#cache.freshness();
    const importing = new Set(this.#hosts.importing());
    for (const fileImport of begun) {
      const { location, file, server } = fileImport.file;
      const known = this.#cache.get(location.path, file, this.#directory);
      if (!this.#importing.isLatest(fileImport) || !importing.has(file) || (known && isFresh(known))) continue;
      const problems = [stillImporting({ file, server })];
      const manifest = { file, tools: [], problems, imports: [[file, fileImport.stamp]], unfinished: true } as const;
      this.#cache.set(location.path, { ...manifest, onlyForDirectory: this.#directory });
    }
    this.#cache.save();
  }

  #accept(file: ToolFile, read: FileManifest | undefined): void {
    if (!read) return;
    const told =
      this.#working.has(file.file) && read.problemsIfHadTools ? { ...read, problems: read.problemsIfHadTools } : read;
    // What ends or hangs here may work elsewhere, since functions of authors' look at where they are called.
    const manifest = isBroken(told) ? { ...told, onlyForDirectory: this.#directory } : told;
    this.#manifests.set(file.file, manifest);
    this.#store(file.location.path, manifest);
    if (!isBroken(manifest)) this.#working.release(file.file);
  }

  /** What the former host had in memory the new one gets too, so that a later broken edit has a version to keep. */
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
    for (const place of new Set(files.map(({ location }) => location.path))) this.#cache.keepOnly(place, present);
  }

  /** A disabled file: what is remembered of it, else one tool of its name, of which nothing more is known. */
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

  #entry(file: ToolFile): LoadedFile {
    const manifest = this.#manifests.get(file.file) ?? { file: file.file, tools: [], problems: [], imports: [] };
    const working = this.#working.get(file.file);
    const isBeingRead = this.#importing.has(file.file);
    return {
      file,
      manifest: working?.manifest ?? manifest,
      codeVersion: working?.codeVersion ?? this.#hosts.current,
      problems: isBeingRead ? [stillImporting(file)] : manifest.problems,
      off: false,
    };
  }
}

/** A host may have read a file before or after it was looked at here: what it says then is about another version. */
function isSameVersion(known: FileManifest["imports"], told: FileManifest["imports"]): boolean {
  const stamps = new Map(told);
  return known.every(([file, stamp]) => (stamps.get(file) ?? stamp) === stamp);
}

/** What a file was known to depend on, and what it depends on beside that. Nothing is ever taken from it. */
function mergeImports({ imports }: FileManifest, told: FileManifest["imports"]): Pick<FileManifest, "imports"> {
  const known = new Set(imports.map(([file]) => file));
  return { imports: [...imports, ...told.filter(([file]) => !known.has(file))].slice(0, MAX_IMPORTS) };
}

/** Whether a file failed for a reason that its files do not tell, such as a variable of the environment: the next process tries it again. */
function mayRecover({ transientFailure, problems }: FileManifest): boolean {
  return (
    transientFailure !== undefined || problems.some(({ code }) => code === "init_failed" || code === "plugin_failed")
  );
}

function unknownTool(name: string): ToolManifest {
  const inputSchema = { type: "object", properties: {} };
  return { name, description: "", inputSchema, format: "tool", limits: {}, hints: {}, declaresAccess: false };
}
