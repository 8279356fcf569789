import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FormatInfo } from "../../core/format-info.ts";
import { VERSION } from "../../core/version.ts";
import { type FileManifest, mayLackHooks } from "../../host/protocol/manifest.ts";
import { type Stamped, stampOf } from "../../platform/files/stamp.ts";
import type { ToolFile, ToolLocation } from "../discovery/tool-file.ts";

type Hooks = NonNullable<FileManifest["hooks"]>;

/** The manifests of one folder of tool files, by `keyOf`. */
type Document = Map<string, FileManifest>;

/** To be increased when the meaning of a manifest's fields changes. */
const FORMAT = 13;

/** The name of a folder in the cache. How its files are read depends on its system and on who named it, too. */
export function folderKey({ path, kind, system, opencodePlugin }: ToolLocation): string {
  return [path, kind, system, ...(opencodePlugin ? ["plugin"] : [])].join("\0");
}

/** A manifest in which `imports` and `about` are indexes into the lists of the document. */
type StoredFile = Omit<FileManifest, "imports" | "about"> & {
  readonly imports: readonly number[];
  readonly about?: number;
};

interface Stored {
  readonly key: string;
  /** The folder of the tool files. A document of another folder with the same hash is not used. */
  readonly folder: string;
  /** Imports and format infos that files share, stored once each. */
  readonly imports: readonly Stamped[];
  readonly formatInfos: readonly FormatInfo[];
  readonly files: readonly StoredFile[];
}

/**
 * What files declared when they were last loaded, one document per folder. While no import of a file has changed, its tools
 * are listed without importing it. A cache that cannot be read counts as empty.
 */
export class ManifestCache {
  readonly #cacheFolder: string;
  readonly #documents = new Map<string, Document>();
  readonly #changed = new Set<string>();
  #guards: readonly ToolFile[] | undefined;

  constructor(cacheFolder: string) {
    this.#cacheFolder = join(cacheFolder, "manifests");
  }

  /** Returns a check that reads the stamp of each import from disk only once. */
  freshness(): (manifest: FileManifest) => boolean {
    const answers = new Map<Stamped, boolean>();
    const isSame = (imported: Stamped): boolean => {
      const known = answers.get(imported);
      if (known !== undefined) return known;
      const answer = stampOf(imported[0]) === imported[1];
      answers.set(imported, answer);
      return answer;
    };
    // The imports include the file itself: without any, the file was never read.
    return ({ imports }) => imports.length > 0 && imports.every(isSame);
  }

  /** The stored manifest of a file, which may be outdated. A manifest for another working directory is not returned. */
  get(folder: string, file: string, directory: string): FileManifest | undefined {
    const document = this.#document(folder);
    return document.get(file) ?? document.get(keyForDirectory(file, directory));
  }

  /** If the version that the manifest describes could not be read, the hooks of the last one that could stay known. */
  set(folder: string, manifest: FileManifest): void {
    const document = this.#document(folder);
    const lastHooks = mayLackHooks(manifest) ? this.#hooksAfter(folder, manifest) : [];
    // An earlier version of the file may have applied to all directories, and is stored under the plain key.
    if (manifest.onlyForDirectory !== undefined) document.delete(manifest.file);
    document.set(keyOf(manifest), lastHooks.length > 0 ? { ...manifest, lastHooks } : manifest);
    this.#changed.add(folder);
  }

  /** Forgets a manifest, except the hooks of the last version that could be read. */
  delete(folder: string, manifest: FileManifest): void {
    const { file, onlyForDirectory } = manifest;
    const document = this.#document(folder);
    const lastHooks = this.#hooksAfter(folder, manifest);
    const keys = [file, keyForDirectory(file, onlyForDirectory ?? "")];
    if (keys.map((key) => document.delete(key)).includes(true)) this.#changed.add(folder);
    if (lastHooks.length === 0) return;
    const at = onlyForDirectory === undefined ? {} : { onlyForDirectory };
    this.set(folder, { file, tools: [], problems: [], imports: [], unfinished: true, lastHooks, ...at });
  }

  /**
   * The hooks of the last version of a file that could be read in a directory, or, if none was ever read there, in any
   * directory.
   */
  lastHooks(folder: string, file: string, directory: string): Hooks {
    const own = this.get(folder, file, directory);
    if (own) return hooksOf(own);
    const others = [...this.#document(folder).values()].filter((manifest) => manifest.file === file);
    return others.map(hooksOf).find(({ length }) => length > 0) ?? [];
  }

  /** The hooks that are known of a file after a reading that did not end well. */
  #hooksAfter(folder: string, manifest: FileManifest): Hooks {
    const own = hooksOf(manifest);
    return own.length > 0 ? own : this.lastHooks(folder, manifest.file, manifest.onlyForDirectory ?? "");
  }

  /** Removes the manifests of files that no longer exist. */
  keepOnly(folder: string, files: ReadonlySet<string>): void {
    const document = this.#document(folder);
    for (const [key, { file }] of document) {
      if (files.has(file)) continue;
      document.delete(key);
      this.#changed.add(folder);
    }
  }

  /** The guards that were found when files were last read in a directory. */
  guards(directory: string): readonly ToolFile[] {
    this.#guards ??= parseGuards(this.#guardsPath(directory));
    return this.#guards;
  }

  setGuards(directory: string, guards: readonly ToolFile[]): void {
    if (JSON.stringify(guards) === JSON.stringify(this.guards(directory))) return;
    this.#guards = guards;
    writeAside(this.#guardsPath(directory), JSON.stringify({ key: cacheVersion(), guards }));
  }

  #guardsPath(directory: string): string {
    return join(this.#cacheFolder, `guards-${hash(directory)}.json`);
  }

  save(): void {
    for (const folder of this.#changed) {
      writeAside(this.#path(folder), JSON.stringify(pack(folder, this.#document(folder))));
    }
    this.#changed.clear();
  }

  #document(folder: string): Document {
    const known = this.#documents.get(folder);
    if (known) return known;
    const document = read(this.#path(folder), folder);
    this.#documents.set(folder, document);
    return document;
  }

  #path(folder: string): string {
    return join(this.#cacheFolder, `${hash(folder)}.json`);
  }
}

function hooksOf({ hooks = [], lastHooks = [] }: FileManifest): Hooks {
  return hooks.length > 0 ? hooks : lastHooks;
}

function keyOf({ file, onlyForDirectory }: FileManifest): string {
  return onlyForDirectory === undefined ? file : keyForDirectory(file, onlyForDirectory);
}

function keyForDirectory(file: string, directory: string): string {
  return `${file}\0${directory}`;
}

/**
 * Two hashes in the manner of FNV-1a, since loading node:crypto takes longer than the rest of a listing. Folders with the
 * same hash overwrite each other's documents, which costs only time.
 */
function hash(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

function pack(folder: string, document: Document): Stored {
  const imports = new Shared<Stamped>();
  const formatInfos = new Shared<FormatInfo>();
  const files = Array.from(document.values(), ({ about, ...manifest }) => ({
    ...manifest,
    imports: manifest.imports.map((each) => imports.position(each)),
    ...(about === undefined ? {} : { about: formatInfos.position(about) }),
  }));
  return { key: cacheVersion(), folder, imports: imports.values, formatInfos: formatInfos.values, files };
}

/** A list in which equal values are stored once. */
class Shared<T> {
  readonly values: T[] = [];
  readonly #positions = new Map<string, number>();

  position(value: T): number {
    const key = JSON.stringify(value);
    const known = this.#positions.get(key) ?? this.values.push(value) - 1;
    this.#positions.set(key, known);
    return known;
  }
}

/** Files with the same import share one pair, so that `freshness` checks it once. */
function unpack({ imports, formatInfos, files }: Stored): Document {
  const document: Document = new Map();
  for (const file of files) {
    const pairs = file.imports.map((position) => imports[position] as Stamped);
    // Changed in place: copying hundreds of manifests would take noticeable time.
    const own = file.about === undefined ? { imports: pairs } : { imports: pairs, about: formatInfos[file.about] };
    const manifest = Object.assign(file, own) as unknown as FileManifest;
    document.set(keyOf(manifest), manifest);
  }
  return document;
}

function cacheVersion(): string {
  return `${FORMAT} ${VERSION} ${process.version}`;
}

function read(path: string, folder: string): Document {
  try {
    const stored = JSON.parse(readFileSync(path, "utf8")) as Stored;
    return stored.key === cacheVersion() && stored.folder === folder ? unpack(stored) : new Map();
  } catch {
    return new Map();
  }
}

function parseGuards(path: string): readonly ToolFile[] {
  try {
    const { key, guards } = JSON.parse(readFileSync(path, "utf8")) as { key: string; guards: readonly ToolFile[] };
    return key === cacheVersion() && Array.isArray(guards) ? guards : [];
  } catch {
    return [];
  }
}

/** Writes through a temporary file: readers see the old document or the new one, never part of one. */
function writeAside(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(aside, text, { mode: 0o600 });
    renameSync(aside, path);
  } catch {
    discard(aside);
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It was never there.
  }
}
