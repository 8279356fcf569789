import { CLAUDE_CALL_ID_META } from "../../../core/agent-extension.ts";
import type { AgentSessionOptions, SessionTools } from "../../../core/coding-agent.ts";
import { MAX_DELAY_MS } from "../../../platform/waiting/max-delay.ts";
import { within } from "../../../platform/waiting/within.ts";
import { limitsOf } from "../../../surfaces/client-limits/client-limits.ts";
import { fitTools } from "../../../surfaces/client-limits/fit-tools.ts";
import { toInProcessServer } from "../../../surfaces/mcp/in-process-server.ts";
import { createSessionProtocol, type SessionProtocol } from "../../../surfaces/mcp/session-protocol.ts";
import type { SdkMcpServer } from "./claude-sdk.ts";
import { SERVER } from "./claude-turn.ts";

/** How long a turn waits until Claude Code has read a changed list. */
const LIST_MS = 2_000;

/** The tools of a session on an MCP server in this process, for one Claude Code after the other. */
export class ClaudeTools {
  readonly #tools: SessionTools;
  readonly #protocol: SessionProtocol;
  readonly #stopListening: () => void;
  /** Our names of the tools in the first list that the running Claude Code was sent. */
  #firstNames: ReadonlySet<string> | undefined;
  /** Set while Claude Code has an old list. */
  #listing: PromiseWithResolvers<void> | undefined;

  constructor(
    { sessionID, directory, tools }: AgentSessionOptions,
    {
      toolwrightHome,
      messageOf,
    }: { readonly toolwrightHome: string; messageOf(callID: string): Promise<string | undefined> },
  ) {
    this.#tools = tools;
    // Before the protocol listens: it notifies Claude Code of the change.
    this.#stopListening = tools.onChange(() => {
      this.#listing ??= Promise.withResolvers();
    });
    this.#protocol = createSessionProtocol(tools, {
      sessionID,
      directory,
      toolwrightHome,
      fit: (shown, client) => fitTools(shown, limitsOf(client), SERVER).map(({ tool }) => tool),
      identify: async ({ meta }) => {
        const callID = meta?.[CLAUDE_CALL_ID_META];
        if (typeof callID !== "string") return undefined;
        const messageID = await messageOf(callID);
        return { callID, ...(messageID === undefined ? {} : { messageID }) };
      },
      onListed: (names) => {
        this.#firstNames ??= new Set(names.values());
        this.#listing?.resolve();
        this.#listing = undefined;
      },
    });
  }

  /** A server for another Claude Code. */
  createServer(): SdkMcpServer {
    this.#firstNames = undefined;
    const instance = toInProcessServer(this.#protocol.connect({ era: "legacy" }));
    return {
      type: "sdk",
      name: SERVER, // Our pipeline limits calls.
      timeout: MAX_DELAY_MS,
      instance,
    };
  }

  /** Whether there are tools that a running Claude Code would hide behind its tool search, since it has not started with them. */
  get hasNew(): boolean {
    const names = this.#firstNames;
    return names !== undefined && this.#tools.list().some(({ name }) => !names.has(name));
  }

  /** Resolves when Claude Code has read the current list. */
  async listed(): Promise<void> {
    if (this.#listing) await within(LIST_MS, this.#listing.promise);
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#listing?.resolve();
    await this.#protocol.close();
  }
}
