import type { Socket } from "node:net";

/** The longest message in characters. Whoever sends more without an end is none of ours. */
const LONGEST = 256 * 1024 * 1024;

/** Messages as lines of JSON over a stream. What is said in one turn goes out in one write. */
export class Lines {
  readonly #stream: Socket;
  readonly #on: { line(text: string): void; tooLong(): void };
  #unsent = "";
  /** What has come of a line whose end has not. */
  #begun = "";

  constructor(stream: Socket, on: { line(text: string): void; tooLong(): void }) {
    this.#stream = stream;
    this.#on = on;
    // Whoever is at the other end has gone; the end of the stream tells.
    stream.on("error", () => {});
    stream.setEncoding("utf8").on("data", (text: string) => this.#take(text));
  }

  /** Throws for what has no form in JSON. */
  send(message: object): void {
    const line = JSON.stringify(message);
    if (this.#unsent === "") process.nextTick(this.#flush);
    this.#unsent += `${line}\n`;
  }

  /** Sends what has been said, without waiting for the end of the turn. */
  flush(): void {
    this.#flush();
  }

  /** The same. Answers with what waits until it is out, where it is not at once. */
  out(): Promise<void> | undefined {
    this.#flush();
    const stream = this.#stream;
    if (stream.writableLength === 0 || stream.destroyed) return undefined;
    return new Promise((resolve) => {
      stream.write("\n", () => resolve());
    });
  }

  readonly #flush = (): void => {
    const text = this.#unsent;
    if (text === "") return;
    this.#unsent = "";
    if (this.#stream.writable) this.#stream.write(text);
  };

  #take(text: string): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const line = this.#begun + text.slice(from, end);
      this.#begun = "";
      from = end + 1;
      if (line !== "") this.#on.line(line);
    }
    if (this.#begun.length + text.length - from > LONGEST) return this.#on.tooLong();
    this.#begun += text.slice(from);
  }
}
