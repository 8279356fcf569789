import type { ToolResult } from "../core/result.ts";
import type { InnerCallOptions, InnerResult } from "../core/tool.ts";
import type { HostRequest, HostResponse } from "../host/protocol/messages.ts";
import { defined } from "../platform/values/defined.ts";
import type { Call } from "./call.ts";
import type { RunCall } from "./call-runner.ts";
import type { Catalog } from "./pipeline-parts.ts";
import { ENABLE_IT } from "./resolve-tool.ts";

/** How many built-in tools a call may run at once. Others wait. */
const MAX_RUNNING = 8;
/** How many calls of built-in tools a call may have open, running or waiting. Their inputs stay in memory. */
const MAX_OPEN = 200;

type CallRequest = HostRequest & { kind: "call" };

/**
 * The calls of built-in tools that one running call makes. Each has an id, a record, a time limit, hooks and a permission
 * decision, like any other call. It has the session, agents and settings of the running call, and ends with it.
 */
export class InnerCalls {
  readonly #call: Call;
  readonly #catalog: Pick<Catalog, "builtin">;
  readonly #run: RunCall;
  readonly #over = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  #running = 0;

  constructor(call: Call, catalog: Pick<Catalog, "builtin">, run: RunCall) {
    this.#call = call;
    this.#catalog = catalog;
    this.#run = run;
    call.atEnd.push(() => this.#over.abort());
  }

  /** Never rejects. */
  async make({ tool, input }: CallRequest, { signal, onUpdate }: InnerCallOptions = {}): Promise<HostResponse> {
    const entry = this.#catalog.builtin(tool);
    if (!entry) return refused("unknown_tool", `"${tool}" is not a built-in tool of Toolwright.`);
    if (!entry.enabled) {
      return refused(
        "denied",
        `"${this.#call.name}" needs the built-in tool "${tool}", which is disabled. ${ENABLE_IT}`,
      );
    }
    if (this.#open >= MAX_OPEN) {
      return refused(
        "failed",
        `"${this.#call.name}" has ${MAX_OPEN} calls of built-in tools open, the maximum. Wait for some of them before you make more.`,
      );
    }
    const signals = [this.#call.signal, this.#over.signal, ...(signal ? [signal] : [])];
    this.#open += 1;
    try {
      await this.#turn();
      const request = { name: tool, input, signal: AbortSignal.any(signals) };
      const result = await this.#run(request, { call: this.#call, entry, onUpdate }).result;
      return { ok: true, value: toInnerResult(result) };
    } finally {
      this.#open -= 1;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** A call that ends passes its turn on, so that no other call takes it first. */
  async #turn(): Promise<void> {
    if (this.#running >= MAX_RUNNING) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }
}

function refused(code: (HostResponse & { ok: false })["code"], message: string): HostResponse {
  return { ok: false, code, message };
}

function toInnerResult(result: ToolResult): InnerResult {
  const { content, notes } = result;
  const more = defined({ data: result.data, truncated: notes.truncated });
  if (result.ok) return { ok: true, content, ...more };
  return { ok: false, code: result.error.code, message: result.error.message, content, ...more };
}
