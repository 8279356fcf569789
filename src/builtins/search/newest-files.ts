import { comparePaths } from "./path-order.ts";

/** A file and when it was last changed, in milliseconds. */
export interface DatedFile {
  readonly path: string;
  readonly changed: number;
}

/** The newest of many files, in memory that does not grow with their number. */
export class NewestFiles {
  readonly #most: number;
  #candidates: DatedFile[] = [];
  #count = 0;
  /** What is older is not among them. */
  #oldest = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many there were in all. */
  get count(): number {
    return this.#count;
  }

  add(path: string, changed: number): void {
    this.#count++;
    if (changed < this.#oldest) return;
    this.#candidates.push({ path, changed });
    if (this.#candidates.length < SPARE_FACTOR * this.#most) return;
    this.#candidates = this.files();
    this.#oldest = this.#candidates.at(-1)?.changed ?? this.#oldest;
  }

  /** NewestFiles first; those of the same moment by path. */
  files(): DatedFile[] {
    return this.#candidates.sort((a, b) => b.changed - a.changed || comparePaths(a.path, b.path)).slice(0, this.#most);
  }
}

/** So many times as many are kept before the older ones are thrown away. */
const SPARE_FACTOR = 4;
