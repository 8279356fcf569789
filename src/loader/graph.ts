/** Which author's file imports which, as seen while they were loaded. */
export class ImportGraph {
  readonly #edges = new Map<string, Set<string>>();

  add(from: string, to: string): void {
    const known = this.#edges.get(from);
    if (known) known.add(to);
    else this.#edges.set(from, new Set([to]));
  }

  /** Every file that a change of could change what `entry` does, `entry` itself first. */
  closure(entry: string): string[] {
    const seen = new Set([entry]);
    for (const file of seen) for (const next of this.#edges.get(file) ?? []) seen.add(next);
    return [...seen];
  }
}
