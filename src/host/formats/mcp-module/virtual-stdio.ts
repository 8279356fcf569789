import { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** The stdin of a server in this process. Each message is one line. */
export class VirtualStdin extends Readable {
  override _read(): void {}

  /** Passed on at once, so that the server handles it in the asynchronous context of the sender. */
  deliver(line: string): void {
    if (!this.readableEnded && !this.destroyed) this.push(`${line}\n`);
  }

  end(): void {
    if (!this.readableEnded && !this.destroyed) this.push(null);
  }

  /** Whether a server waits for messages. */
  get isRead(): boolean {
    return this.readableFlowing === true || this.listenerCount("data") + this.listenerCount("readable") > 0;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** The stdout of a server in this process. */
export class VirtualStdout extends Writable {
  /** Receives each complete line. Until a client does, lines are logged. */
  onLine: (line: string) => void = (line) => void process.stderr.write(`${line}\n`);
  readonly #decoder = new StringDecoder("utf8");
  #partialLine = "";

  constructor() {
    super({ decodeStrings: true, highWaterMark: Number.MAX_SAFE_INTEGER });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const lines = (this.#partialLine + this.#decoder.write(chunk)).split("\n");
    this.#partialLine = lines.pop() ?? "";
    done();
    for (const line of lines) if (line.trim() !== "") this.onLine(line);
  }
}
