import { describe, expect, it } from "vitest";
import { exportAt } from "../../../../test/support/forms.ts";
import { serverFunction } from "./server-functions.ts";

const SDK = 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";';
const IMPORTS: readonly string[] = [
  SDK,
  'import type { Server } from "@modelcontextprotocol/sdk/server/index.js";',
  'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp";',
  'import { McpServer, type Tool } from "@modelcontextprotocol/server";',
  'import { FastMCP } from "fastmcp";',
  'const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");',
  'type Server = import("@modelcontextprotocol/server").McpServer;',
];

/** Named in the code of functions. */
class McpServer {
  readonly config: object;
  constructor(config: object) {
    this.config = config;
  }
}

const form = (exportName: string, value: unknown, source = SDK): string | undefined =>
  serverFunction(value, exportName, exportAt({ exportName, source }));

describe("functions of modules with MCP servers", () => {
  it.each(IMPORTS)("[D5] [A15] are called in a file with %s", (source) => {
    expect(form("default", () => new McpServer({}), source)).toBe("mcp-factory");
    expect(form("registerTools", (server: object) => server, source)).toBe("mcp-register");
  });

  it.each([
    "",
    'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
    'import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";',
    '// import { McpServer } from "@modelcontextprotocol/server";',
    'import { serve } from "./server.ts";',
  ])("[D5] are not called in a file with %o", (source) => {
    expect(form("default", () => new McpServer({}), source)).toBeUndefined();
    expect(form("registerTools", (server: object) => server, source)).toBeUndefined();
  });

  it.each<[string, string, unknown]>([
    ["mcp-factory", "default", ({ config }: { config: object }) => new McpServer(config)],
    [
      "mcp-factory",
      "default",
      ({ config: { key } = { key: "(," }, env, ...session }: Record<string, { key?: string }>) => ({
        server: [key, env, session],
      }),
    ],
    ["mcp-factory", "default", async function createServer(_options = {}) {}],
    ["mcp-factory", "default", (config: object) => new McpServer(config)],
    ["mcp-factory", "createServer", () => {}],
    ["mcp-factory", "createMcpServer", async (name = "x", other = {}) => [name, other]],
    ["mcp-factory", "createSandboxServer", ({ session }: { session: object }) => session],
    ["mcp-factory", "buildMCP", () => {}],
    ["mcp-register", "default", (server: object) => server],
    ["mcp-register", "default", async (mcpServer: object, prefix = "") => [mcpServer, prefix]],
    ["mcp-register", "registerEchoTool", function registerEchoTool(_server: object) {}],
    ["mcp-register", "setupTools", (mcp: object, ...rest: object[]) => [mcp, rest]],
    ["mcp-register", "addTools", (_server: object) => {}],
  ])("[A15] %s: %s %s", (expected, exportName, value) => {
    expect(form(exportName, value)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ["default", (args: object) => args],
    ["default", ({ city }: { city: string }) => city],
    ["default", (request: object, response: object) => [request, response]],
    ["default", (server: object, client: object) => [server, client]],
    ["default", (args: object, extra: object) => [args, extra]],
    ["default", class Server {}],
    ["default", async function purgeCache() {}],
    ["default", () => "starts the MCP server"],
    ["default", (context: object) => context],
    ["default", ({ session }: { session: object }) => session],
    [
      "default",
      function deploy(options = {}) {
        return options;
      },
    ],
    ["default", { connect: 1 }],
    ["createServer", (port: number) => port],
    ["createServer", (config: object) => config],
    ["runServer", () => {}],
    ["stopServer", (server: object) => server],
    ["registerTools", (client: object) => client],
    ["registerTools", (server: object, client: object) => [server, client]],
    ["describe", (server: object) => server],
  ])("[D5] no other function is called: %s %s", (exportName, value) => {
    expect(form(exportName, value)).toBeUndefined();
  });
});
