/** Which author's file imports which, as seen while they were loaded. */
export class ImportGraph {
  readonly #edges = new Map<string, Set<string>>();
  /** How many there are: it grows whenever something is imported that was not before. */
  size = 0;

  add(from: string, to: string): void {
    const known = this.#edges.get(from) ?? new Set();
    if (known.has(to)) return;
    this.#edges.set(from, known.add(to));
    this.size += 1;
  }

  /** Every file that a change of could change what `entry` does, `entry` itself first. */
  closure(entry: string): string[] {
    const seen = new Set([entry]);
    for (const file of seen) for (const next of this.#edges.get(file) ?? []) seen.add(next);
    return [...seen];
  }
}
