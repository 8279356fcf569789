import type { SessionTools } from "../../core/coding-agent.ts";
import { within } from "../../platform/waiting/within.ts";
import { createToken } from "../http/parts/access-token.ts";
import { McpEndpoint } from "./http/mcp-endpoint.ts";
import { addEndpoint } from "./http/session-port.ts";
import { createSessionProtocol, type SessionProtocolOptions } from "./session-protocol.ts";

/** The tools of a session on a URL. */
export interface SessionServer {
  /** With the token in its path. A program that knows it can call the tools, so only the agent is given it. */
  readonly url: string;
  /** The same without the token, which is then sent as `Authorization: Bearer TOKEN`. */
  readonly urlWithoutToken: string;
  readonly token: string;
  /** Our names by the names of the last list that a client was sent. Undefined if none has listed the tools. */
  readonly listed: ReadonlyMap<string, string> | undefined;
  /** Resolves with whether a client has listed the tools, at the latest after this time. */
  untilListed(ms: number): Promise<boolean>;
  /** Aborts the calls that run. Resolves when they have ended. */
  abort(): Promise<void>;
  /** Aborts the calls that run, and ends the connections of this session. The last session closes the port. */
  close(): Promise<void>;
}

const LIMITS = { mcpSessions: 50, mcpIdleMs: 24 * 3_600_000, heartbeatMs: 15_000 };

/**
 * Serves the tools of one session to its agent, on the loopback interface. All sessions of the process share one port; each has
 * its own unguessable token.
 */
export async function serveSessionTools(tools: SessionTools, options: SessionProtocolOptions): Promise<SessionServer> {
  const token = createToken();
  const listing = Promise.withResolvers<true>();
  let listed: ReadonlyMap<string, string> | undefined;
  const protocol = createSessionProtocol(tools, {
    ...options,
    onListed: (names) => {
      listed = names;
      listing.resolve(true);
      options.onListed?.(names);
    },
  });
  const endpoint = new McpEndpoint(protocol, LIMITS);
  const { url, remove } = await addEndpoint(token, endpoint);
  return {
    url: `${url}/${token}`,
    urlWithoutToken: url,
    token,
    get listed(): ReadonlyMap<string, string> | undefined {
      return listed;
    },
    untilListed: (ms) => within(ms, listing.promise, () => false),
    abort: () => protocol.abort(),
    close: async () => {
      await protocol.close();
      await endpoint.close();
      await remove();
    },
  };
}
