import type { Readable, Writable } from "node:stream";
import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { cancelledBy, type FastCallPath } from "./fast-call-path.ts";
import { type Line, LineReader } from "./line-reader.ts";
import { type BadMessage, readMessage } from "./read-message.ts";

/** Methods that are not waited for when the input ends: calls are aborted, and subscriptions never end. */
const LONG_METHODS: ReadonlySet<string> = new Set(["tools/call", "subscriptions/listen"]);

/** The time for responses to other requests after the input has ended. */
const LAST_RESPONSES_MS = 5_000;

/** With more unread output than this, in characters, no more input is read. */
const MAX_UNREAD = 4_000_000;

/** The limit of requests without a response. */
const MAX_OPEN = 1_000;

/** JSON-RPC messages as lines over two streams. An invalid line, or one of more than `maxBytes`, is answered with an error. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Gets each message before the SDK. */
  fastCallPath: FastCallPath | undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: LineReader;
  /** Requests without a response, except those of `LONG_METHODS`. */
  readonly #awaited = new Set<string | number>();
  #onAllAnswered: () => void = () => {};
  /** Requests without a response that were not cancelled. */
  readonly #open = new Set<string | number>();
  /** Lines that are written together in the next tick. */
  #unsent = "";
  /** Resolves at the next drain of the output. */
  #draining: Promise<void> | undefined;
  #state: "new" | "open" | "ending" | "closed" = "new";

  constructor(input: Readable, output: Writable, maxBytes: number) {
    this.#input = input;
    this.#output = output;
    this.#lines = new LineReader(maxBytes, (line) => this.#read(line));
  }

  async start(): Promise<void> {
    this.#state = "open";
    this.#output.on("error", this.#onOutputError).on("drain", this.#onDrain);
    this.#input
      .on("data", this.#onData)
      .on("end", this.#onInputEnd)
      .on("close", this.#onInputEnd)
      .on("error", this.#onInputEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === "closed") return Promise.reject(new Error("The connection is closed."));
    if (this.#unsent === "") process.nextTick(this.#flush);
    this.#unsent += `${JSON.stringify(message)}\n`;
    if (!("method" in message) && message.id !== undefined) this.#markAnswered(message.id);
    if (this.#unsent.length + this.#output.writableLength > MAX_UNREAD) this.#input.pause();
    return this.#output.writableNeedDrain ? this.#drained() : SENT;
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#flush();
    this.#state = "closed";
    this.#output.off("drain", this.#onDrain);
    this.#input
      .off("data", this.#onData)
      .off("end", this.#onInputEnd)
      .off("close", this.#onInputEnd)
      .off("error", this.#onInputEnd);
    // The error listener of the output stays, because the output may still emit an error.
    this.#input.pause();
    this.onclose?.();
  }

  readonly #respond = (response: JSONRPCMessage): void => void this.send(response).catch(() => {});

  readonly #flush = (): void => {
    if (this.#unsent === "") return;
    const text = this.#unsent;
    this.#unsent = "";
    this.#output.write(text);
  };

  readonly #onData = (chunk: Buffer): void => this.#lines.add(chunk);

  readonly #onDrain = (): void => void this.#input.resume();

  readonly #onOutputError = (error: Error): void => {
    if (this.#state !== "closed") this.onerror?.(error);
    void this.close();
  };

  readonly #onInputEnd = (): void => {
    if (this.#state !== "open") return;
    this.#state = "ending";
    if (this.#awaited.size === 0) return void this.close();
    const timer = setTimeout(() => this.#onAllAnswered(), LAST_RESPONSES_MS);
    this.#onAllAnswered = () => {
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
      else if (this.#open.size >= MAX_OPEN) return this.#refuse({ ...TOO_MANY, id: message.id });
      else this.#open.add(message.id);
    }
    if (this.fastCallPath?.handle(message, this.#respond)) return;
    if ("method" in message && "id" in message) {
      const { id, method } = message;
      if (!isJSONRPCRequest(message)) return this.#refuse({ ...INVALID_REQUEST, id });
      if (!LONG_METHODS.has(method)) this.#awaited.add(id);
    }
    this.onmessage?.(message);
  }

  #refuse({ id, code, reason }: BadMessage): void {
    this.onerror?.(new Error(reason));
    // JSON-RPC allows null here, the types of the SDK do not.
    this.#respond({ jsonrpc: "2.0", id: id as string, error: { code, message: reason } });
  }

  #markAnswered(id: string | number): void {
    this.#open.delete(id);
    this.#awaited.delete(id);
    // Messages that follow in the same turn, such as log messages, are still sent.
    if (this.#awaited.size === 0 && this.#state === "ending") setImmediate(() => this.#onAllAnswered());
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
  reason: `${MAX_OPEN} requests are waiting for their answers. Wait for some of them before you send more.`,
} as const;

/** For requests that the SDK would leave without a response. */
const INVALID_REQUEST = {
  kind: "bad",
  code: -32600,
  reason:
    'A request must have only "jsonrpc", "id", "method" and "params". In "params", "_meta" must be an object, and its "progressToken" a string or an integer.',
} as const;
