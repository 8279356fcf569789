import type { Transport } from "@modelcontextprotocol/server";
import { CLAUDE_CALL_ID_META } from "../../core/agent-extension.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { createProtocol } from "./create-protocol.ts";
import { UNCUT_META } from "./pinned-tools.ts";
import type { ProtocolOptions } from "./server-options.ts";
import type { StrictServer } from "./strict-server.ts";

/** The transport that `connect` of an MCP server takes, without the types of the SDK. */
export interface SdkTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
  sessionId?: string | undefined;
}

/** The MCP server of one agent. `connect` sets the handlers of the transport before it returns. */
interface InProcessServer {
  connect(transport: SdkTransport): Promise<void>;
}

/** Which tools the agent is served, and on whose behalf they are called. */
interface InProcessServerOptions extends Pick<ProtocolOptions, "includes" | "fit" | "agent"> {
  /** By default each agent that connects has a session of its own. */
  readonly sessionID?: string;
}

/** Creates a server for an agent in this process. It closes when the agent closes the transport. */
export async function createInProcessServer(
  toolbox: Toolbox,
  { sessionID, ...options }: InProcessServerOptions,
): Promise<InProcessServer> {
  const protocol = createProtocol(toolbox, {
    ...options,
    watches: false,
    offersStatus: false,
    toolMeta: UNCUT_META,
    callIdKey: CLAUDE_CALL_ID_META,
  });
  const server = await protocol.connect({ era: "legacy", requestInfo: new Request("http://in-process") });
  const { connect } = toInProcessServer(server, () => void protocol.close());
  return {
    connect: (transport) => {
      if (sessionID !== undefined) transport.sessionId = sessionID;
      return connect(transport);
    },
  };
}

/** A server for an agent in this process. `closed` is called when the agent closes the transport. */
export function toInProcessServer(
  server: Pick<StrictServer, "connect">,
  closed: () => void = () => {},
): InProcessServer {
  return {
    connect: async (transport) => {
      const started = server.connect(transport as unknown as Transport);
      const { onclose } = transport;
      transport.onclose = () => {
        onclose?.();
        closed();
      };
      await started;
    },
  };
}
