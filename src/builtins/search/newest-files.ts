import { comparePaths } from "./path-order.ts";

export interface DatedFile {
  readonly path: string;
  readonly changed: number;
}

/** Collects the newest of many files in bounded memory. */
export class NewestFiles {
  readonly #limit: number;
  #candidates: DatedFile[] = [];
  #count = 0;
  /** Older files are not added. */
  #oldest = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  add(path: string, changed: number): void {
    this.#count++;
    if (changed < this.#oldest) return;
    this.#candidates.push({ path, changed });
    if (this.#candidates.length < SPARE_FACTOR * this.#limit) return;
    this.#candidates = this.files();
    this.#oldest = this.#candidates.at(-1)?.changed ?? this.#oldest;
  }

  /** Newest first; files of the same time by path. */
  files(): DatedFile[] {
    return this.#candidates.sort((a, b) => b.changed - a.changed || comparePaths(a.path, b.path)).slice(0, this.#limit);
  }
}

/** Older files are dropped when this many times more are collected. */
const SPARE_FACTOR = 4;
