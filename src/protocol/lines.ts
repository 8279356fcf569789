import type { Socket } from "node:net";

/** The longest message in characters. Whoever sends more without an end is none of ours. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
/** A message of more characters is turned into bytes at once: a text that waits is held several times over. */
const LARGE_CHARACTERS = 1024 * 1024;

/** What comes over a stream of lines. */
export interface LineEvents {
  /** Something, if only a part of a line. */
  data?(): void;
  line(text: string): void;
  tooLong(): void;
}

/** Messages as lines of JSON over a stream. What is said in one turn goes out in one write. */
export class Lines {
  readonly #stream: Socket;
  readonly #on: LineEvents;
  readonly #prefix: string;
  #unsent = "";
  /** What has come of a line whose end has not. */
  #partial = "";

  /** `prefix` is what every line that is sent begins with. */
  constructor(stream: Socket, on: LineEvents, prefix = "") {
    this.#stream = stream;
    this.#on = on;
    this.#prefix = prefix;
    // Whoever is at the other end has gone; the end of the stream tells.
    stream.on("error", () => {});
    stream.setEncoding("utf8").on("data", (text: string) => this.#take(text));
  }

  /** Throws for what has no form in JSON, or too long a one. */
  send(message: object): void {
    const line = this.#prefix + JSON.stringify(message);
    if (line.length > LARGE_CHARACTERS) return this.#sendLarge(line);
    if (this.#unsent === "") process.nextTick(this.#flush);
    this.#unsent += `${line}\n`;
  }

  /** Sends what has been said, without waiting for the end of the turn. */
  flush(): void {
    this.#flush();
  }

  /** The same. Answers with what waits until it is out, where it is not at once. */
  drained(): Promise<void> | undefined {
    this.#flush();
    const stream = this.#stream;
    if (stream.writableLength === 0 || stream.destroyed) return undefined;
    return new Promise((resolve) => {
      stream.write("", () => resolve());
    });
  }

  readonly #flush = (): void => {
    const text = this.#unsent;
    if (text === "") return;
    this.#unsent = "";
    if (this.#stream.writable) this.#stream.write(text);
  };

  #sendLarge(line: string): void {
    if (line.length > MAX_CHARACTERS)
      throw new RangeError(`it has ${line.length} characters, and ${MAX_CHARACTERS} are the most`);
    this.#flush();
    if (this.#stream.writable) this.#stream.write(Buffer.from(line));
    this.#unsent = "\n";
    this.#flush();
  }

  #take(text: string): void {
    this.#on.data?.();
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const line = this.#partial + text.slice(from, end);
      this.#partial = "";
      from = end + 1;
      this.#on.line(line);
    }
    this.#partial += text.slice(from);
    if (this.#partial.length <= MAX_CHARACTERS) return;
    this.#partial = "";
    this.#on.tooLong();
  }
}
