import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "../core/version.ts";
import type { Stamped } from "../loader/loader.ts";
import { stampOf } from "../loader/stamp.ts";
import type { FileManifest } from "./manifest.ts";

/** Changes when what a manifest holds changes its meaning. */
const FORMAT = 4;

interface Stored {
  readonly key: string;
  /** Two places may share a file name, but not a document. */
  readonly place: string;
  /** What the files below depend on, once each: most depend on the same few. */
  readonly imports: readonly Stamped[];
  readonly files: readonly (Omit<FileManifest, "imports"> & { readonly imports: readonly number[] })[];
}

/**
 * What files declared when they were last loaded, one document per folder: as long as nothing that a file imports
 * has changed, listing its tools imports nothing. A cache that cannot be read or written is as good as an empty one.
 */
export class ManifestCache {
  readonly #folder: string;
  readonly #documents = new Map<string, Record<string, FileManifest>>();
  readonly #changed = new Set<string>();

  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, "manifests");
  }

  /** A check that asks the disk about each file once, however many depend on it. */
  freshness(): (manifest: FileManifest) => boolean {
    const answers = new Map<Stamped, boolean>();
    const isSame = (imported: Stamped): boolean => {
      const answer = answers.get(imported) ?? stampOf(imported[0]) === imported[1];
      answers.set(imported, answer);
      return answer;
    };
    return ({ imports }) => imports.every(isSame);
  }

  /** What is stored of a file, fresh or not. What was made for another directory says nothing about this one. */
  get(place: string, file: string, directory: string): FileManifest | undefined {
    const document = this.#document(place);
    return document[file] ?? document[keyOfMade(file, directory)];
  }

  set(place: string, manifest: FileManifest): void {
    const document = this.#document(place);
    // A file may come to be made by a function, or cease to be.
    if (manifest.madeFor !== undefined) delete document[manifest.file];
    document[keyIn(manifest)] = manifest;
    this.#changed.add(place);
  }

  /** Forgets the files of a place that are no longer there. */
  keepOnly(place: string, files: ReadonlySet<string>): void {
    const document = this.#document(place);
    for (const [key, { file }] of Object.entries(document)) {
      if (files.has(file)) continue;
      delete document[key];
      this.#changed.add(place);
    }
  }

  save(): void {
    for (const place of this.#changed) {
      writeAside(this.#path(place), JSON.stringify(pack(place, this.#document(place))));
    }
    this.#changed.clear();
  }

  #document(place: string): Record<string, FileManifest> {
    const document = this.#documents.get(place) ?? read(this.#path(place), place);
    this.#documents.set(place, document);
    return document;
  }

  #path(place: string): string {
    return join(this.#folder, `${spread(place)}.json`);
  }
}

function keyIn({ file, madeFor }: FileManifest): string {
  return madeFor === undefined ? file : keyOfMade(file, madeFor);
}

function keyOfMade(file: string, directory: string): string {
  return `${file}\0${directory}`;
}

/** A file name for a path: FNV-1a, since loading node:crypto takes longer than all else that listing does. */
function spread(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

function pack(place: string, document: Record<string, FileManifest>): Stored {
  const positions = new Map<string, number>();
  const imports: Stamped[] = [];
  const position = (imported: Stamped): number => {
    const key = imported.join("\0");
    const known = positions.get(key) ?? imports.push(imported) - 1;
    positions.set(key, known);
    return known;
  };
  const files = Object.values(document).map((manifest) => ({ ...manifest, imports: manifest.imports.map(position) }));
  return { key: keyOf(), place, imports, files };
}

/** Files that depend on the same one share the pair that says so, and `freshness` asks once for each pair. */
function unpack({ imports, files }: Stored): Record<string, FileManifest> {
  const document: Record<string, FileManifest> = {};
  for (const file of files) {
    const pairs = file.imports.map((position) => imports[position] as Stamped);
    // In place: this was parsed for us, and copies of hundreds are felt.
    const manifest = Object.assign(file, { imports: pairs }) as unknown as FileManifest;
    document[keyIn(manifest)] = manifest;
  }
  return document;
}

function keyOf(): string {
  return `${FORMAT} ${VERSION} ${process.version}`;
}

function read(path: string, place: string): Record<string, FileManifest> {
  try {
    const stored = JSON.parse(readFileSync(path, "utf8")) as Stored;
    return stored.key === keyOf() && stored.place === place ? unpack(stored) : {};
  } catch {
    return {};
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
