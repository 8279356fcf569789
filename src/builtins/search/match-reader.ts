import { cutLine, type FileMatches, type LineMatch } from "./match.ts";

/** ripgrep prints `path NUL line:column:offset:text`. All lines of one file are printed together. */
const LINE = /^(\d+):(\d+):(\d+):/;
/** ripgrep prints one of these after the matches of a binary file: the second for a file that is searched alone. */
const BINARY =
  /^(.*?): (?:WARNING: stopped searching binary file after match|binary file matches) \(found "\\0" byte around offset \d+\)\n/s;

/** Parses ripgrep's output, which arrives in chunks. */
export class MatchReader {
  readonly #lineLength: number;
  readonly #prefix: string;
  readonly #isWanted: (path: string) => boolean;
  readonly #files = new Map<string, LineMatch[]>();
  /** The output since the last match. */
  #pieces: string[] = [];
  #count = 0;
  #current = "";

  /** `prefix` begins the printed path of every file to read; `isWanted` takes the rest of the path. */
  constructor(lineLength: number, prefix: string, isWanted: (path: string) => boolean) {
    this.#lineLength = lineLength;
    this.#prefix = prefix;
    this.#isWanted = isWanted;
  }

  /** The number of matches without those of the last file, which may turn out to be binary. */
  get count(): number {
    return this.#count - (this.#files.get(this.#current)?.length ?? 0);
  }

  push(text: string): void {
    this.#pieces.push(text);
    // A long line arrives in many pieces, which are joined once.
    if (!text.includes("\n")) return;
    const all = this.#pieces.join("");
    let from = 0;
    for (;;) {
      const pathEnd = all.indexOf("\0", from);
      const lineEnd = pathEnd < 0 ? -1 : all.indexOf("\n", pathEnd);
      if (lineEnd < 0) break;
      this.#read(this.#afterWarning(all.slice(from, pathEnd)), all.slice(pathEnd + 1, lineEnd));
      from = lineEnd + 1;
    }
    this.#pieces = [all.slice(from)];
  }

  files(): FileMatches[] {
    this.#afterWarning(this.#pieces.join(""));
    return [...this.#files].map(([path, lines]) => ({ path, lines }));
  }

  #read(printed: string, rest: string): void {
    const path = printed.slice(this.#prefix.length);
    const [start, line, column, offset] = LINE.exec(rest) ?? [];
    if (start === undefined || !printed.startsWith(this.#prefix) || !this.#isWanted(path)) return;
    const text = cutLine(rest.slice(start.length), this.#lineLength);
    const match = { line: Number(line), column: Number(column), offset: Number(offset), ...text };
    this.#current = path;
    const lines = this.#files.get(path);
    if (lines) lines.push(match);
    else this.#files.set(path, [match]);
    this.#count++;
  }

  /** Drops the matches of a file that turns out to be binary. */
  #afterWarning(printed: string): string {
    const [whole, path] = BINARY.exec(printed) ?? [];
    if (whole === undefined || path === undefined) return printed;
    if (path.startsWith(this.#prefix)) this.#drop(path.slice(this.#prefix.length));
    return this.#afterWarning(printed.slice(whole.length));
  }

  #drop(path: string): void {
    this.#count -= this.#files.get(path)?.length ?? 0;
    this.#files.delete(path);
  }
}
