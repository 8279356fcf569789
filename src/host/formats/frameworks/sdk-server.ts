import type { Contributions } from "../contributions.ts";
import type { ExportContext } from "../export-context.ts";
import { readExportedServer } from "../mcp-module/exported-server.ts";

/** The return value of createSdkMcpServer() of the Claude Agent SDK: an MCP server in this process. */
interface SdkServer {
  readonly instance: { connect(transport: unknown): Promise<void> };
}

/** Reads the tools of the server, under their names on it. Rejects if the server does not respond. */
export async function readSdkServer({ instance }: SdkServer, at: ExportContext): Promise<Contributions> {
  return readExportedServer(instance, at, "sdk");
}
