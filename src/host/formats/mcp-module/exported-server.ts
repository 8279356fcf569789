import type { Format } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { Contributions } from "../contributions.ts";
import type { ExportContext } from "../export-context.ts";
import { memoryTransports } from "../mcp/server-transports.ts";
import { ImportScope } from "./import-scope.ts";
import { readServerOver } from "./module-server.ts";
import { connectableIn, type Startable } from "./server-shape.ts";
import { ScopeTransport } from "./stdio-client.ts";

/** Reads the tools of a server that a file exports or creates. One that is connected already is left alone: nothing is read. */
export async function readExportedServer(
  value: object,
  at: ExportContext,
  format?: Extract<Format, "mcp-module" | "sdk">,
): Promise<Contributions> {
  const server = connectableIn(value);
  if (server === undefined) return readStartable(value as Startable, at);
  if (isConnected(server)) return { tools: [], problems: [] };
  const [near, far] = memoryTransports();
  await server.connect(far);
  return readServerOver(near, at, format);
}

function isConnected({ server, transport }: Record<string, unknown>): boolean {
  return (transport ?? (isObject(server) ? server.transport : undefined)) !== undefined;
}

async function readStartable(server: Startable, at: ExportContext): Promise<Contributions> {
  const scope = new ImportScope(at.file.path);
  const started = scope.run(() => server.start({ transportType: "stdio" }));
  const read = readStartedServer(scope, at);
  await Promise.race([read, started.then(() => read)]);
  return read;
}

/** Reads the tools of the server that reads the stdin of a scope. */
export async function readStartedServer(scope: ImportScope, at: ExportContext): Promise<Contributions> {
  const log = (line: string): void => at.host.log("info", `${at.file.path}: ${line}`);
  return readServerOver(new ScopeTransport(scope, log), at);
}
