import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FormatInfo } from "../core/format-info.ts";
import { VERSION } from "../core/version.ts";
import { type Stamped, stampOf } from "../files/stamp.ts";
import type { FileManifest } from "../protocol/manifest.ts";

/** What is stored of one place, by `keyIn`. */
type Document = Map<string, FileManifest>;

/** Changes when what a manifest holds changes its meaning. */
const FORMAT = 8;

/** A manifest with positions in the lists beside it. */
type StoredFile = Omit<FileManifest, "imports" | "about"> & {
  readonly imports: readonly number[];
  readonly about?: number;
};

interface Stored {
  readonly key: string;
  /** Two places may share a file name, but not a document. */
  readonly place: string;
  /** What the files below depend on, and what is said of them, once each: most have the same few in common. */
  readonly imports: readonly Stamped[];
  readonly abouts: readonly FormatInfo[];
  readonly files: readonly StoredFile[];
}

/**
 * What files declared when they were last loaded, one document per folder: as long as nothing that a file imports
 * has changed, listing its tools imports nothing. A cache that cannot be read or written is as good as an empty one.
 */
export class ManifestCache {
  readonly #folder: string;
  readonly #documents = new Map<string, Document>();
  readonly #changed = new Set<string>();

  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, "manifests");
  }

  /** A check that asks the disk about each file once, however many depend on it. */
  freshness(): (manifest: FileManifest) => boolean {
    const answers = new Map<Stamped, boolean>();
    const isSame = (imported: Stamped): boolean => {
      const known = answers.get(imported);
      if (known !== undefined) return known;
      const answer = stampOf(imported[0]) === imported[1];
      answers.set(imported, answer);
      return answer;
    };
    // What depends on nothing, not even on its own file, was never read from one.
    return ({ imports }) => imports.length > 0 && imports.every(isSame);
  }

  /** What is stored of a file, fresh or not. What was made for another directory says nothing about this one. */
  get(place: string, file: string, directory: string): FileManifest | undefined {
    const document = this.#document(place);
    return document.get(file) ?? document.get(keyForDirectory(file, directory));
  }

  set(place: string, manifest: FileManifest): void {
    const document = this.#document(place);
    // A file may come to be made by a function, or cease to be.
    if (manifest.onlyForDirectory !== undefined) document.delete(manifest.file);
    document.set(keyIn(manifest), manifest);
    this.#changed.add(place);
  }

  delete(place: string, { file, onlyForDirectory = "" }: FileManifest): void {
    const document = this.#document(place);
    const isChanged = [document.delete(file), document.delete(keyForDirectory(file, onlyForDirectory))].includes(true);
    if (isChanged) this.#changed.add(place);
  }

  /** Forgets the files of a place that are no longer there. */
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
 * A file name for a path: two hashes after FNV-1a, since loading node:crypto takes longer than all else that listing
 * does. Paths that come to the same name take turns, which is only slower.
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

/** Values that are stored once, however many files have them. */
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

/** Files that depend on the same one share the pair that says so, and `freshness` asks once for each pair. */
function unpack({ imports, abouts, files }: Stored): Document {
  const document: Document = new Map();
  for (const file of files) {
    const pairs = file.imports.map((position) => imports[position] as Stamped);
    // In place: this was parsed for us, and copies of hundreds are felt.
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

/** Readers see the old document or the new one, never half of one. */
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
