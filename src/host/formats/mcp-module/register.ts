import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../../core/error.ts";
import { VERSION } from "../../../core/version.ts";
import { namedImports } from "../../../platform/text/named-imports.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { Contributions } from "../contributions.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { readExportedServer } from "./exported-server.ts";
import { ToolCollector } from "./tool-collector.ts";

/** The classes of servers, and the modules that export them, in the order in which they are looked for. */
const CLASSES = [
  { type: "FastMCP", module: "fastmcp" },
  { type: "McpServer", module: "@modelcontextprotocol/sdk/server/mcp.js" },
  { type: "McpServer", module: "@modelcontextprotocol/server" },
  { type: "Server", module: "@modelcontextprotocol/sdk/server/index.js" },
  { type: "Server", module: "@modelcontextprotocol/server" },
] as const;

/**
 * Calls a function that adds tools to the server that it is given, and reads that server. The server is one of the SDK that
 * is installed for the file; if none is, an object that collects the tools.
 */
export async function readRegistration(
  register: (server: object) => unknown,
  at: ExportContext,
): Promise<Contributions> {
  const server = (await installedServer(at)) ?? new ToolCollector();
  try {
    await register(server);
  } catch (error) {
    throw new ExportError("init_failed", `"${at.exportName}" failed: ${messageOf(error)}`);
  }
  return server instanceof ToolCollector ? server.read(at) : readExportedServer(server, at);
}

async function installedServer({ file, source }: ExportContext): Promise<object | undefined> {
  const require = createRequire(file.path);
  const names = namedImports(source, { jsDoc: true });
  const wanted = CLASSES.filter(({ type, module }) =>
    names.some((each) => each.names.includes(type) && packageOf(each.specifier) === packageOf(module)),
  );
  for (const { type, module } of wanted.length > 0 ? wanted : CLASSES.slice(1, 3)) {
    const path = tryOrUndefined(() => require.resolve(module));
    const exports = path && ((await import(pathToFileURL(path).href)) as Record<string, unknown>);
    const Type = exports && (exports[type] as new (info: object, options: object) => object);
    if (Type) return new Type({ name: file.name, version: VERSION }, { capabilities: { tools: {} } });
  }
  return undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
