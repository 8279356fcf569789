import type { Readable, Writable } from "node:stream";
import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { cancelledBy, type FastCallPath } from "./fast-call-path.ts";
import { type Line, LineReader } from "./line-reader.ts";
import { type BadMessage, readMessage } from "./read-message.ts";

/** What is not waited for when the client has gone: a call ends with it, and a subscription never does by itself. */
const LONG: ReadonlySet<string> = new Set(["tools/call", "subscriptions/listen"]);

/** How long all else may take to be answered then. */
const PATIENCE_MS = 5_000;

/** How much the client may leave unread before nothing more is read from it, in characters. */
const MOST_UNREAD = 4_000_000;

/** Requests that may be without an answer. */
const MOST_OPEN = 1_000;

/**
 * Messages as lines over two streams. Whatever a line holds, the next one is read: one that makes no sense is answered
 * with an error, and so is one that is larger than `maxBytes`.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Has each message first. */
  fastCallPath: FastCallPath | undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: LineReader;
  /** Requests that are short and have no answer yet. */
  readonly #owed = new Set<string | number>();
  #whenPaid: () => void = () => {};
  /** Requests that have no answer yet and were not cancelled. */
  readonly #open = new Set<string | number>();
  /** Lines that go out together, once nothing more can be said at the moment. */
  #unsent = "";
  /** ServerState by all that wait until the client has read. */
  #draining: Promise<void> | undefined;
  #state: "new" | "open" | "ending" | "closed" = "new";

  constructor(input: Readable, output: Writable, maxBytes: number) {
    this.#input = input;
    this.#output = output;
    this.#lines = new LineReader(maxBytes, (line) => this.#read(line));
  }

  async start(): Promise<void> {
    this.#state = "open";
    this.#output.on("error", this.#broken).on("drain", this.#caughtUp);
    this.#input.on("data", this.#data).on("end", this.#ended).on("close", this.#ended).on("error", this.#ended);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === "closed") return Promise.reject(new Error("The connection is closed."));
    if (this.#unsent === "") process.nextTick(this.#flush);
    this.#unsent += `${JSON.stringify(message)}\n`;
    if (!("method" in message) && message.id !== undefined) this.#pay(message.id);
    if (this.#unsent.length + this.#output.writableLength > MOST_UNREAD) this.#input.pause();
    return this.#output.writableNeedDrain ? this.#drained() : SENT;
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#flush();
    this.#state = "closed";
    this.#output.off("drain", this.#caughtUp);
    this.#input.off("data", this.#data).off("end", this.#ended).off("close", this.#ended).off("error", this.#ended);
    // An error of the output may still come, and must find a listener.
    this.#input.pause();
    this.onclose?.();
  }

  readonly #answer = (answer: JSONRPCMessage): void => void this.send(answer).catch(() => {});

  readonly #flush = (): void => {
    if (this.#unsent === "") return;
    const text = this.#unsent;
    this.#unsent = "";
    this.#output.write(text);
  };

  readonly #data = (chunk: Buffer): void => this.#lines.add(chunk);

  readonly #caughtUp = (): void => void this.#input.resume();

  readonly #broken = (error: Error): void => {
    if (this.#state !== "closed") this.onerror?.(error);
    void this.close();
  };

  readonly #ended = (): void => {
    if (this.#state !== "open") return;
    this.#state = "ending";
    if (this.#owed.size === 0) return void this.close();
    const timer = setTimeout(() => this.#whenPaid(), PATIENCE_MS);
    this.#whenPaid = () => {
      clearTimeout(timer);
      void this.close();
    };
  };

  #read(line: Line): void {
    if (this.#state === "closed" || (line.kind === "line" && line.text.trim() === "")) return;
    const read = line.kind === "line" ? readMessage(line.text) : TOO_LARGE;
    if (read.kind === "bad") return this.#refuse(read);
    const { message } = read;
    if ("method" in message) {
      if (!("id" in message)) this.#open.delete(cancelledBy(message) ?? "");
      else if (this.#open.size >= MOST_OPEN) return this.#refuse({ ...TOO_MANY, id: message.id });
      else this.#open.add(message.id);
    }
    if (this.fastCallPath?.handle(message, this.#answer)) return;
    if ("method" in message && "id" in message) {
      const { id, method } = message;
      if (!isJSONRPCRequest(message)) return this.#refuse({ ...NO_REQUEST, id });
      if (!LONG.has(method)) this.#owed.add(id);
    }
    this.onmessage?.(message);
  }

  #refuse({ id, code, reason }: BadMessage): void {
    this.onerror?.(new Error(reason));
    // The types know no null here, the standard that they are of does.
    this.#answer({ jsonrpc: "2.0", id: id as string, error: { code, message: reason } });
  }

  #pay(id: string | number): void {
    this.#open.delete(id);
    this.#owed.delete(id);
    // The answer has only been handed over: what follows on its heels, a log message say, goes out as well.
    if (this.#owed.size === 0 && this.#state === "ending") setImmediate(() => this.#whenPaid());
  }

  #drained(): Promise<void> {
    this.#draining ??= new Promise((resolve) => {
      const done = (): void => {
        this.#draining = undefined;
        this.#output.off("drain", done).off("close", done).off("error", done);
        resolve();
      };
      this.#output.once("drain", done).once("close", done).once("error", done);
    });
    return this.#draining;
  }
}

const SENT = Promise.resolve();

const TOO_LARGE = { kind: "bad", id: null, code: -32600, reason: "This message is too large." } as const;

const TOO_MANY = {
  kind: "bad",
  code: -32000,
  reason: `${MOST_OPEN} requests are waiting for their answers. Wait for some of them before you send more.`,
} as const;

/** What the SDK would leave without an answer. */
const NO_REQUEST = {
  kind: "bad",
  code: -32600,
  reason:
    'A request has "jsonrpc", "id", "method" and "params", and nothing else. In its params "_meta" is an object, and "progressToken" in that is a text or a whole number.',
} as const;
