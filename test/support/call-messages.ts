/** Random numbers, the same for the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  }

  /** One of the values; the first as often as all others together. */
  usually<T>(first: T, ...others: readonly T[]): T {
    return this.below(2) === 0 ? first : this.of([first, ...others]);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

/** A generated message. */
export interface Generated {
  readonly message: Record<string, unknown>;
  /** Whether it is cancelled while it runs. */
  readonly isCancelled: boolean;
}

const ABSENT = Symbol("absent");

/** The tools that the messages are for. */
export const CALLED_TOOLS = {
  echo: {
    description: "Echoes.",
    args: { text: { type: "string" }, times: { type: "number", default: 1 } },
    execute: ({ text, times }: { text?: string; times: number }) => `${text}`.repeat(times),
  },
  fails: {
    description: "Fails.",
    execute: () => {
      throw new Error("no luck");
    },
  },
  reports: {
    description: "Reports.",
    execute: (_args: unknown, { metadata }: { metadata: (state: object) => void }) => {
      metadata({ title: "first", metadata: { progress: 1, total: 2 } });
      metadata({ title: "second", metadata: { progress: 2, total: 2 } });
      return "reported";
    },
  },
  image: {
    description: "Shows.",
    execute: () => ({ content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] }),
  },
  long: { description: "Is cut.", execute: () => "line\n".repeat(5_000) },
  "structured-one": {
    name: "structured-one",
    description: "Has data.",
    inputSchema: { type: "object" },
    outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    handler: () => ({ content: [], structuredContent: { sum: 3 } }),
  },
  context: {
    description: "Says who calls.",
    execute: (_args: unknown, { agent }: { agent: string }) => `called by ${agent}`,
  },
  waits: {
    description: "Waits to be cancelled.",
    execute: (_args: unknown, { abort }: { abort: AbortSignal }) =>
      new Promise((resolve) => abort.addEventListener("abort", () => resolve("stopped"))),
  },
};

/** A message for a server: mostly calls, valid or almost valid. */
export function generate(chance: Chance, id: number): Generated {
  if (chance.below(12) === 0) return { message: call(chance, requestId(chance, id), "waits"), isCancelled: true };
  if (chance.below(6) === 0) return { message: other(chance, id), isCancelled: false };
  const name = chance.of<unknown>([
    ...["echo", "fails", "reports", "image", "long", "structured-one", "context"],
    ...["ech", "nothing-like-it", "", "__proto__", "constructor", "x".repeat(300), 5, null, ABSENT],
  ]);
  return { message: call(chance, requestId(chance, id), name), isCancelled: false };
}

/** Each id is used once, because the protocol does not define two requests with one id. */
function requestId(chance: Chance, id: number): unknown {
  return chance.usually<unknown>(id, `text-${id}`, -id, `${id}${"-".repeat(500)}`);
}

function call(chance: Chance, id: unknown, name: unknown): Record<string, unknown> {
  const isWaiting = name === "waits";
  const input = isWaiting ? ABSENT : chance.usually<unknown>({ text: "hi" }, ...INPUTS);
  const meta = isWaiting ? chance.usually<unknown>(ABSENT, {}, { progressToken: "p" }) : chance.of(METAS);
  const more = chance.below(8) === 0 ? chance.of(isWaiting ? [{ own: 1 }] : MORE) : {};
  const params = present({ name, arguments: input, _meta: meta, ...more });
  const whole = isWaiting || chance.below(20) > 0 ? params : chance.of<unknown>([ABSENT, null, [], [params], "x", 5]);
  const around =
    isWaiting || chance.below(20) > 0 ? {} : chance.of<object>([{ more: 1 }, { result: {} }, { method: 5 }]);
  return present({ jsonrpc: "2.0", id, method: "tools/call", params: whole, ...around });
}

const INPUTS: readonly unknown[] = [
  ...[
    ABSENT,
    {},
    { text: "x", times: 3 },
    { text: "x", times: "3" },
    { text: 5 },
    { text: "x", more: [1, { a: null }] },
  ],
  ...[null, [], ["hi"], "hi", 5, true, { times: null }, { text: "\ud800 half" }, { text: "long ".repeat(1000) }],
];

const METAS: readonly unknown[] = [
  ...[ABSENT, ABSENT, {}, { progressToken: "p" }, { progressToken: 7 }, { progressToken: 0 }, { progressToken: "" }],
  ...[{ progressToken: 1.5 }, { progressToken: null }, { progressToken: {} }, { progressToken: -3, own: { a: 1 } }],
  ...[{ "toolwright/session": "named" }, { "toolwright/session": 5 }, { traceparent: "00-1-2-00" }, null, [], "x", 5],
  ...[{ "io.modelcontextprotocol/logLevel": "debug" }, { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }],
  ...[
    { "io.modelcontextprotocol/related-task": { taskId: "1" } },
    { "io.modelcontextprotocol/x": 1, progressToken: "p" },
  ],
];

const MORE: readonly object[] = [
  ...[{ task: {} }, { task: { ttl: 1 } }, { own: 1 }, { inputResponses: {} }, { requestState: "x" }, { cursor: "x" }],
];

function other(chance: Chance, id: number): Record<string, unknown> {
  return {
    jsonrpc: "2.0",
    ...chance.of<object>([
      { id, method: "tools/list" },
      { id, method: "tools/call" },
      { id, method: "tools/Call", params: { name: "echo" } },
      { id, method: "ping" },
      { id, method: "resources/read", params: { uri: "toolwright://outputs/none" } },
      { id, method: "logging/setLevel", params: { level: chance.of(["debug", "error", "loud"]) } },
      { id, method: "notifications/cancelled", params: { requestId: id } },
      { method: "tools/call", params: { name: "echo", arguments: { text: "unasked" } } },
      { method: "notifications/cancelled", params: { requestId: `nobody-${id}` } },
      { method: "notifications/cancelled", params: { requestId: {} } },
      { method: "notifications/cancelled" },
      { method: "notifications/initialized" },
      { method: "notifications/progress", params: { progressToken: "p", progress: 1 } },
      { id, result: {} },
      { id, error: { code: 1, message: "no" } },
    ]),
  };
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ABSENT));
}

/** Whether the server must respond to a message. */
export function isOwed({ id, method }: Record<string, unknown>): boolean {
  return method !== undefined && (typeof id === "string" || Number.isSafeInteger(id));
}

/** Replaces values that differ between servers. */
export function plain(messages: readonly unknown[]): unknown {
  const text = JSON.stringify(messages)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replace(/full output: [^\]]+\]/g, "full output: PATH]");
  return JSON.parse(text);
}
