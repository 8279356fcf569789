/** Where a tool comes from: part of this package, a tool file, a JSON file or package, an MCP server. */
export type Source = "builtin" | "custom" | "plugin" | "mcp";
