import type { Problem } from "../core/problem.ts";
import type { ToolFile } from "../discovery/place.ts";
import type { FileRef, Generation, Hosts } from "./hosts.ts";
import { type FileManifest, type HostFile, isBroken, isDeclared, type ToolManifest } from "./manifest.ts";
import type { ManifestCache } from "./manifest-cache.ts";

/** One discovered file, what it declares, and the state of the code that serves it. */
export interface CatalogEntry {
  readonly file: ToolFile;
  readonly manifest: FileManifest;
  readonly generation: Generation;
  /** What is wrong with the file as it is on disk now, even where an older version of it is still served. */
  readonly problems: readonly Problem[];
  /** Disabled as a whole, and for that reason not imported. */
  readonly off: boolean;
}

/** How files are read. */
export interface ReadOptions {
  /** Tries those that failed before once more. */
  readonly again?: boolean;
  /** Loads everything, whatever the cache says, and checks every schema. */
  readonly verify?: boolean;
  /** Files that are not to be imported at all. */
  readonly isOff?: (file: ToolFile) => boolean;
}

/** The last version of a file that worked, kept while the file is broken. */
interface Working {
  readonly manifest: FileManifest;
  readonly generation: Generation;
}

/** Knows what every discovered file declares: from the cache where nothing changed, else by loading it. */
export class Catalog {
  readonly #hosts: Hosts;
  readonly #cache: ManifestCache;
  /** What functions of authors' make holds for this one. */
  readonly #directory: string;
  readonly #seen = new Map<string, FileManifest>();
  readonly #working = new Map<string, Working>();
  readonly #places = new Map<string, string>();

  constructor(hosts: Hosts, cache: ManifestCache, directory: string) {
    this.#hosts = hosts;
    this.#cache = cache;
    this.#directory = directory;
  }

  /** Reads the files as they are now. Never rejects. */
  async read(files: readonly ToolFile[], options: ReadOptions = {}): Promise<CatalogEntry[]> {
    const isFresh = this.#cache.freshness();
    const stale = files.filter((file) => {
      if (options.isOff?.(file)) return false;
      const known = this.#known(file);
      if (!known || options.verify || !isFresh(known)) return true;
      if (known.problems.some(({ code }) => code === "needs_bun") && this.#hosts.runsBun) return true;
      this.#seen.set(file.file, known);
      return options.again === true && (known.problems.length > 0 || this.#hosts.troubledFiles().has(file.file));
    });
    for (const { file, place } of files) this.#places.set(file, place.path);
    if (stale.length > 0) await this.#load(stale, files, options.verify ?? false);
    this.#forget(files);
    this.#cache.save();
    return this.entries(files, options.isOff);
  }

  /** Every file that some known file depends on. */
  dependencies(): string[] {
    const files = new Set<string>();
    for (const { imports } of this.#seen.values()) for (const [file] of imports) files.add(file);
    return [...files];
  }

  /** A file has turned out to import more than it said. */
  depends(file: string, imports: FileManifest["imports"]): void {
    const known = this.#seen.get(file);
    if (known && isSameVersion(known.imports, imports)) this.#relearn({ ...known, imports });
  }

  /** A file has other tools than it said. Answers whether that concerns any file as it is known. */
  changed(manifest: FileManifest): boolean {
    const known = this.#seen.get(manifest.file);
    if (!known || !isSameVersion(known.imports, manifest.imports)) return false;
    this.#relearn(manifest);
    return true;
  }

  /** The same files, as they were last read. */
  entries(files: readonly ToolFile[], isOff: ReadOptions["isOff"]): CatalogEntry[] {
    return withoutSiblings(files.map((file) => (isOff?.(file) ? this.#offEntry(file) : this.#entry(file))));
  }

  #relearn(manifest: FileManifest): void {
    const place = this.#places.get(manifest.file);
    if (place === undefined) return;
    this.#seen.set(manifest.file, manifest);
    this.#cache.set(place, manifest);
    this.#cache.save();
  }

  #known(file: ToolFile): FileManifest | undefined {
    return this.#seen.get(file.file) ?? this.#cache.get(file.place.path, file.file, this.#directory);
  }

  async #load(stale: readonly ToolFile[], all: readonly ToolFile[], verify: boolean): Promise<void> {
    const warm = new Set(this.#hosts.loadedFiles());
    this.#keepWorking(stale);
    if (warm.size > 0 && stale.some((file) => !isDeclared(file))) this.#hosts.renew();
    const manifests = await this.#hosts.load(
      stale.map((file) => toHostFile(file)),
      { verify },
    );
    const byFile = new Map(manifests.map((manifest) => [manifest.file, manifest]));
    for (const file of stale) this.#learn(file, byFile.get(file.file));
    this.#warm(all.filter((file) => warm.has(file.file) && !byFile.has(file.file)));
  }

  /** Before the files are read anew: whatever served them until now may be needed if they turn out broken. */
  #keepWorking(stale: readonly ToolFile[]): void {
    const generation = this.#hosts.current;
    for (const { file } of stale) {
      const manifest = this.#seen.get(file);
      if (!manifest || !isOfUse(manifest) || this.#working.has(file)) continue;
      this.#hosts.hold(generation);
      this.#working.set(file, { manifest, generation });
    }
  }

  #learn(file: ToolFile, read: FileManifest | undefined): void {
    if (!read) return;
    const told = this.#working.has(file.file) && read.ifHeld ? { ...read, problems: read.ifHeld } : read;
    // What ends or hangs here may work elsewhere, since functions of authors' look at where they are called.
    const manifest = isBroken(told) ? { ...told, madeFor: this.#directory } : told;
    this.#seen.set(file.file, manifest);
    this.#cache.set(file.place.path, manifest);
    if (!isBroken(manifest)) this.#letGo(file.file);
  }

  /** What the former host had in memory the new one gets too, so that a later broken edit has a version to keep. */
  #warm(files: readonly ToolFile[]): void {
    if (files.length > 0) void this.#hosts.load(files.map((file) => toHostFile(file, this.#seen.get(file.file))));
  }

  #letGo(file: string): void {
    const working = this.#working.get(file);
    if (!working) return;
    this.#working.delete(file);
    this.#hosts.release(working.generation);
  }

  #forget(files: readonly ToolFile[]): void {
    const present = new Set(files.map(({ file }) => file));
    for (const known of [this.#seen, this.#places]) {
      for (const file of known.keys()) if (!present.has(file)) known.delete(file);
    }
    for (const file of this.#working.keys()) if (!present.has(file)) this.#letGo(file);
    for (const place of new Set(files.map(({ place }) => place.path))) this.#cache.keepOnly(place, present);
  }

  /** A disabled file: what is remembered of it, else one tool of its name, of which nothing more is known. */
  #offEntry(file: ToolFile): CatalogEntry {
    const manifest = this.#known(file) ?? {
      file: file.file,
      tools: [unknownTool(file.name)],
      problems: [],
      imports: [],
    };
    return { file, manifest, generation: this.#hosts.current, problems: [], off: true };
  }

  #entry(file: ToolFile): CatalogEntry {
    const manifest = this.#seen.get(file.file) ?? { file: file.file, tools: [], problems: [], imports: [] };
    const working = this.#working.get(file.file);
    return {
      file,
      manifest: working?.manifest ?? manifest,
      generation: working?.generation ?? this.#hosts.current,
      problems: manifest.problems,
      off: false,
    };
  }
}

/** A host may have read a file before or after it was looked at here: what it says then is about another version. */
function isSameVersion(known: FileManifest["imports"], told: FileManifest["imports"]): boolean {
  const stamps = new Map(told);
  return known.every(([file, stamp]) => (stamps.get(file) ?? stamp) === stamp);
}

function isOfUse({ tools, hooks = [] }: FileManifest): boolean {
  return tools.length + hooks.length > 0;
}

/** A file that holds no tool, and that another file imports, is there for that file. */
function withoutSiblings(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const isSuspect = ({ problems }: CatalogEntry): boolean => problems.some(({ code }) => code === "not_a_tool");
  if (!entries.some(isSuspect)) return [...entries];
  const imported = new Set(entries.flatMap(({ manifest }) => manifest.imports.slice(1).map(([path]) => path)));
  return entries.map((entry) => {
    const [own] = entry.manifest.imports[0] ?? [];
    return isSuspect(entry) && own !== undefined && imported.has(own) ? { ...entry, problems: [] } : entry;
  });
}

function unknownTool(name: string): ToolManifest {
  const inputSchema = { type: "object", properties: {} };
  return { name, description: "", inputSchema, format: "tool", limits: {}, hints: {}, declaresAccess: false };
}

/** What a host is told of a discovered file, of which the manifest may say where it must run. */
export function toHostFile(found: ToolFile, manifest?: FileManifest): HostFile {
  const { file, name, place, server } = found;
  const { kind, system, plugin } = place;
  return {
    file,
    name,
    source: sourceOf(found),
    place: kind,
    system,
    ...(plugin ? { plugin } : {}),
    ...(server ? { server } : {}),
    ...(manifest?.runtime ? { runtime: manifest.runtime } : {}),
  };
}

function sourceOf({ file, place, server }: ToolFile): HostFile["source"] {
  if (server) return "mcp";
  if (place.builtin) return "builtin";
  return place.plugin || isDeclared({ file }) ? "plugin" : "custom";
}

/** An entry as calls and requests name it. */
export function refOf({ file, manifest, generation }: CatalogEntry): FileRef {
  return { file: toHostFile(file, manifest), generation, imports: manifest.imports };
}
