import { StringDecoder } from "node:string_decoder";

const MAX_LINES = 5;
const MAX_LINE_LENGTH = 500;

/** Passes each line of stderr to `onLine`, and keeps the last lines to explain a failure. */
export class StderrTail {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #lines: string[] = [];
  #partialLine = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    const lines = (this.#partialLine + this.#decoder.write(chunk)).split("\n");
    this.#partialLine = (lines.pop() ?? "").slice(0, MAX_LINE_LENGTH);
    for (const line of lines) this.#end(line);
  }

  /** The last lines; empty if there was no output. */
  get text(): string {
    return [...this.#lines, ...trimmed(this.#partialLine)].slice(-MAX_LINES).join("\n");
  }

  #end(line: string): void {
    for (const text of trimmed(line)) {
      this.#lines = [...this.#lines, text].slice(-MAX_LINES);
      this.#onLine(text);
    }
  }
}

function trimmed(line: string): string[] {
  const text = line.trimEnd().slice(0, MAX_LINE_LENGTH);
  return text === "" ? [] : [text];
}
