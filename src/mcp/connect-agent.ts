import type { Transport } from "@modelcontextprotocol/server";
import type { SdkTransport } from "../mcp-server-config.ts";
import type { ToolInfo } from "../registry/entry.ts";
import type { Toolbox } from "../toolbox.ts";
import { createProtocol } from "./create-protocol.ts";

/** Serves the tools of this process to an agent that hands over its end of the connection, until it closes that. */
export async function connectAgent(
  toolbox: Toolbox,
  includes: (tool: ToolInfo) => boolean,
  transport: SdkTransport,
): Promise<void> {
  const protocol = createProtocol(toolbox, { includes, watches: false });
  const server = await protocol.connect({ era: "legacy", requestInfo: new Request("http://in-process") });
  await server.connect(transport as unknown as Transport);
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    void protocol.close();
  };
}
