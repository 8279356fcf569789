import type { Tool } from "../../core/tool.ts";
import type { PendingAction } from "../formats/contributions.ts";
import { NO_PREVIEW, PREVIEWS_FILE, RESOLVE } from "../protocol/manifest.ts";
import { jsonSchema } from "../schema/json-schema.ts";

/** The previews (see `PREVIEWS_FILE`) that this host holds, by session. The newest is resolved first. */
export class Previews {
  readonly #waiting = new Map<string, PendingAction[]>();
  readonly #changed: (sessionID: string, count: number) => void;

  constructor(changed: (sessionID: string, count: number) => void) {
    this.#changed = changed;
  }

  push(sessionID: string, action: PendingAction): void {
    const waiting = [...(this.#waiting.get(sessionID) ?? []), action];
    this.#waiting.set(sessionID, waiting);
    this.#changed(sessionID, waiting.length);
  }

  discard(sessionID: string): void {
    if (this.#waiting.delete(sessionID)) this.#changed(sessionID, 0);
  }

  #pop(sessionID: string): PendingAction | undefined {
    const waiting = this.#waiting.get(sessionID) ?? [];
    const newest = waiting.at(-1);
    if (!newest) return undefined;
    this.#waiting.set(sessionID, waiting.slice(0, -1));
    if (waiting.length === 1) this.#waiting.delete(sessionID);
    this.#changed(sessionID, waiting.length - 1);
    return newest;
  }

  /** The tool that resolves them. If `apply` throws, the preview stays, so that it can be tried again. */
  tool(): Tool {
    return {
      name: RESOLVE.name,
      description: RESOLVE.description,
      input: jsonSchema(RESOLVE.inputSchema),
      origin: { source: "builtin", place: "code", format: "tool", file: PREVIEWS_FILE },
      limits: {},
      hints: {},
      run: async (input, { author: { sessionID } }) => {
        const { action, reason } = input as { action: "apply" | "discard"; reason: string };
        const pending = this.#pop(sessionID);
        if (!pending) throw new Error(NO_PREVIEW);
        if (action === "discard") return discarded(pending, reason);
        try {
          return (await pending.apply(reason)) ?? `Applied: ${pending.label}.`;
        } catch (error) {
          this.push(sessionID, pending);
          throw error;
        }
      },
    };
  }
}

async function discarded(pending: PendingAction, reason: string): Promise<unknown> {
  return (await pending.reject?.(reason)) ?? `Discarded: ${pending.label}. Reason: ${reason}`;
}
