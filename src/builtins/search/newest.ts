import { comparePaths } from "./path-order.ts";

/** A file and when it was last changed, in milliseconds. */
export interface Dated {
  readonly path: string;
  readonly changed: number;
}

/** The newest of many files, in memory that does not grow with their number. */
export class Newest {
  readonly #most: number;
  #kept: Dated[] = [];
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
    this.#kept.push({ path, changed });
    if (this.#kept.length < ROOM * this.#most) return;
    this.#kept = this.files();
    this.#oldest = this.#kept.at(-1)?.changed ?? this.#oldest;
  }

  /** Newest first; those of the same moment by path. */
  files(): Dated[] {
    return this.#kept.sort((a, b) => b.changed - a.changed || comparePaths(a.path, b.path)).slice(0, this.#most);
  }
}

/** So many times as many are kept before the older ones are thrown away. */
const ROOM = 4;
