import type { Transport } from "@modelcontextprotocol/server";
import type { ToolInfo } from "../registry/registry-entry.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { createProtocol } from "./create-protocol.ts";
import type { StrictServer } from "./strict-server.ts";

/** The transport that `connect` of an MCP server takes, without the types of the SDK. */
export interface SdkTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** The MCP server of one agent. `connect` sets the handlers of the transport before it returns. */
export interface InProcessServer {
  connect(transport: SdkTransport): Promise<void>;
}

/** Creates a server for an agent in this process. It closes when the agent closes the transport. */
export async function createInProcessServer(
  toolbox: Toolbox,
  includes: (tool: ToolInfo) => boolean,
): Promise<InProcessServer> {
  const protocol = createProtocol(toolbox, { includes, watches: false, offersStatus: false });
  const server = await protocol.connect({ era: "legacy", requestInfo: new Request("http://in-process") });
  return toInProcessServer(server, () => void protocol.close());
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
