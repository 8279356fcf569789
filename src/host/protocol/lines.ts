import type { Socket } from "node:net";

/** The longest message that is read or sent. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
/** A longer message is encoded at once: a waiting string would be held in memory several times. */
const LARGE_CHARACTERS = 1024 * 1024;

/** Events of a stream of lines. */
interface LineEvents {
  /** Any data came, even part of a line. */
  data?(): void;
  line(text: string): void;
  tooLong(): void;
}

/** Sends and receives messages as lines of JSON. Messages of one turn go out in one write. */
export class Lines {
  readonly #stream: Socket;
  readonly #on: LineEvents;
  readonly #prefix: string;
  #unsent = "";
  /** The beginning of a line whose end has not arrived. */
  #partial = "";

  /** Each line that is sent begins with `prefix`. */
  constructor(stream: Socket, on: LineEvents, prefix = "") {
    this.#stream = stream;
    this.#on = on;
    this.#prefix = prefix;
    // The other process has exited; "close" follows.
    stream.on("error", () => {});
    stream.setEncoding("utf8").on("data", (text: string) => this.#take(text));
  }

  /** Throws for a message that is not JSON or too long. */
  send(message: object): void {
    const line = this.#prefix + JSON.stringify(message);
    if (line.length > LARGE_CHARACTERS) return this.#sendLarge(line);
    if (this.#unsent === "") process.nextTick(this.#flush);
    this.#unsent += `${line}\n`;
  }

  /** Writes waiting messages now, not at the end of the turn. */
  flush(): void {
    this.#flush();
  }

  /** Flushes. Returns undefined if everything has been handed to the system, otherwise a promise of that. */
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
      throw new RangeError(`it has ${line.length} characters; the limit is ${MAX_CHARACTERS}`);
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
