import type { ServerCapabilities } from "@modelcontextprotocol/server";
import { Listeners } from "../../platform/values/listeners.ts";
import { PendingRequests } from "./pending-requests.ts";
import { Prompts } from "./prompts.ts";
import { Resources } from "./resources.ts";
import type { ResolvedOptions } from "./server-options.ts";
import type { ToolSource } from "./tool-source.ts";

/** A change that clients are notified of. */
export type Change = { readonly kind: "tools" } | { readonly kind: "resource"; readonly uri: string };

/** The state that all connections of one MCP server share. */
export class ServerState {
  readonly source: ToolSource;
  readonly options: ResolvedOptions;
  readonly changes: Listeners<Change> = new Listeners();
  readonly pending: PendingRequests = new PendingRequests();
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly #stopListening: () => void;

  constructor(source: ToolSource, options: ResolvedOptions) {
    this.source = source;
    this.options = options;
    this.resources = new Resources(options.resources);
    this.prompts = new Prompts(options.prompts);
    this.#stopListening = source.onChange(() => this.changes.emit({ kind: "tools" }));
  }

  /** Subscriptions, prompts and completions are declared only if there are any. */
  get capabilities(): ServerCapabilities {
    const { prompts, resources } = this.options;
    const completes = [...prompts, ...resources].some((each) => "complete" in each);
    return {
      ...this.source.capabilities,
      ...(resources.length > 0 ? { resources: { subscribe: true } } : {}),
      ...(prompts.length > 0 ? { prompts: {} } : {}),
      ...(completes ? { completions: {} } : {}),
    };
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.pending.abort();
    await this.source.close();
  }
}
