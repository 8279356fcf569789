import { readWithImports } from "../../protocol/relative-imports.ts";

/** The packages that start MCP servers, and names of their classes, which remain in bundled files. */
const SERVER =
  /@modelcontextprotocol\/(?:sdk\/server|server)|["'](?:fastmcp|tmcp|@tmcp\/[\w-]+|muppet|mcp-framework|@mastra\/mcp|mcp-use\/server|@smithery\/sdk[\w./-]*)["']|\bStdioServerTransport\b/;
const START =
  /\bStdioServerTransport\b|\bserveStdio\b|\.(?:listen|start|connect|run)\s*\(|\bserve\s*\(|\btransportType\b/;
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s{0,99}\(?\s{0,99}["'`]\.{1,2}\//;

/**
 * What the text of a file, and of the files that it imports by relative paths, says about an MCP server: "uses" the packages of
 * servers, or also seems to "start" one. Runs no code.
 */
export function mentionsServer(file: string, source: string): "uses" | "starts" | undefined {
  if (!SERVER.test(source) && !RELATIVE_IMPORT.test(source)) return undefined;
  let uses = false;
  let starts = false;
  for (const { text = "" } of readWithImports(file)) {
    uses ||= SERVER.test(text);
    starts ||= START.test(text);
    if (uses && starts) return "starts";
  }
  return uses ? "uses" : undefined;
}
