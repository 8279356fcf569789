/** Converts the lines of a growing text to rows. A line that has not changed is converted once. */
export class GrowingLines {
  readonly #toRows: (line: string, width: number) => readonly string[];
  #width = 0;
  #lines: readonly string[] = [];
  #rows: (readonly string[])[] = [];

  constructor(toRows: (line: string, width: number) => readonly string[]) {
    this.#toRows = toRows;
  }

  rows(lines: readonly string[], width: number): string[] {
    const before = width === this.#width ? this.#lines : [];
    const rows = lines.map((line, at) => {
      const known = line === before[at] ? this.#rows[at] : undefined;
      return known ?? this.#toRows(line, width);
    });
    this.#lines = lines;
    this.#width = width;
    this.#rows = rows;
    return rows.flat();
  }
}
