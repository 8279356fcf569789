import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FormatInfo } from "../core/format-info.ts";
import { VERSION } from "../core/version.ts";
import { type Stamped, stampOf } from "../files/stamp.ts";
import type { FileManifest } from "../protocol/manifest.ts";

/** The manifests of one folder, by `keyIn`. */
type Document = Map<string, FileManifest>;

/** To be increased when the meaning of a manifest's fields changes. */
const FORMAT = 8;

/** A manifest whose imports are indexes into the shared lists. */
type StoredFile = Omit<FileManifest, "imports" | "about"> & {
  readonly imports: readonly number[];
  readonly about?: number;
};

interface Stored {
  readonly key: string;
  /** Two folders may have the same hash, but not the same document. */
  readonly place: string;
  /** Imports and descriptions that files share, stored once each. */
  readonly imports: readonly Stamped[];
  readonly abouts: readonly FormatInfo[];
  readonly files: readonly StoredFile[];
}

/**
 * What files declared when they were last loaded, one document per folder. While no import of a file has changed, its tools
 * are listed without importing it. A cache that cannot be read counts as empty.
 */
export class ManifestCache {
  readonly #folder: string;
  readonly #documents = new Map<string, Document>();
  readonly #changed = new Set<string>();

  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, "manifests");
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
    // A manifest without imports was never read from a file.
    return ({ imports }) => imports.length > 0 && imports.every(isSame);
  }

  /** The stored manifest of a file, fresh or not, unless it applies only to another directory. */
  get(place: string, file: string, directory: string): FileManifest | undefined {
    const document = this.#document(place);
    return document.get(file) ?? document.get(keyForDirectory(file, directory));
  }

  set(place: string, manifest: FileManifest): void {
    const document = this.#document(place);
    // After an edit, a manifest may apply to one directory only, or no longer.
    if (manifest.onlyForDirectory !== undefined) document.delete(manifest.file);
    document.set(keyIn(manifest), manifest);
    this.#changed.add(place);
  }

  delete(place: string, { file, onlyForDirectory = "" }: FileManifest): void {
    const document = this.#document(place);
    const isChanged = [document.delete(file), document.delete(keyForDirectory(file, onlyForDirectory))].includes(true);
    if (isChanged) this.#changed.add(place);
  }

  /** Removes the manifests of files that no longer exist. */
  keepOnly(place: string, files: ReadonlySet<string>): void {
    const document = this.#document(place);
    for (const [key, { file }] of document) {
      if (files.has(file)) continue;
      document.delete(key);
      this.#changed.add(place);
    }
  }

  save(): void {
    for (const place of this.#changed) {
      writeAside(this.#path(place), JSON.stringify(pack(place, this.#document(place))));
    }
    this.#changed.clear();
  }

  #document(place: string): Document {
    const known = this.#documents.get(place);
    if (known) return known;
    const document = read(this.#path(place), place);
    this.#documents.set(place, document);
    return document;
  }

  #path(place: string): string {
    return join(this.#folder, `${hash(place)}.json`);
  }
}

function keyIn({ file, onlyForDirectory }: FileManifest): string {
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

function pack(place: string, document: Document): Stored {
  const imports = new Shared<Stamped>();
  const abouts = new Shared<FormatInfo>();
  const files = Array.from(document.values(), ({ about, ...manifest }) => ({
    ...manifest,
    imports: manifest.imports.map((each) => imports.position(each)),
    ...(about === undefined ? {} : { about: abouts.position(about) }),
  }));
  return { key: keyOf(), place, imports: imports.values, abouts: abouts.values, files };
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
function unpack({ imports, abouts, files }: Stored): Document {
  const document: Document = new Map();
  for (const file of files) {
    const pairs = file.imports.map((position) => imports[position] as Stamped);
    // Changed in place: copying hundreds of manifests would take noticeable time.
    const own = file.about === undefined ? { imports: pairs } : { imports: pairs, about: abouts[file.about] };
    const manifest = Object.assign(file, own) as unknown as FileManifest;
    document.set(keyIn(manifest), manifest);
  }
  return document;
}

function keyOf(): string {
  return `${FORMAT} ${VERSION} ${process.version}`;
}

function read(path: string, place: string): Document {
  try {
    const stored = JSON.parse(readFileSync(path, "utf8")) as Stored;
    return stored.key === keyOf() && stored.place === place ? unpack(stored) : new Map();
  } catch {
    return new Map();
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
