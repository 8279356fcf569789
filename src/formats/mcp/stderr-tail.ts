import { StringDecoder } from "node:string_decoder";

const MOST_LINES = 5;
const LONGEST_LINE = 500;

/** Passes on the lines of a stream, and keeps the last few for whoever asks why it ended. */
export class StderrTail {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #lines: string[] = [];
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split("\n");
    // A line without an end must not grow without bounds.
    this.#rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
    for (const line of lines) this.#end(line);
  }

  /** Empty when nothing was said. */
  get text(): string {
    return [...this.#lines, ...trimmed(this.#rest)].slice(-MOST_LINES).join("\n");
  }

  #end(line: string): void {
    for (const text of trimmed(line)) {
      this.#lines = [...this.#lines, text].slice(-MOST_LINES);
      this.#onLine(text);
    }
  }
}

function trimmed(line: string): string[] {
  const text = line.trimEnd().slice(0, LONGEST_LINE);
  return text === "" ? [] : [text];
}
