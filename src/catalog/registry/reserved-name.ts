import type { ToolInfo } from "./registry-entry.ts";

/** What is wrong with a name that contains the separator of MCP names; undefined for other names. */
export function reservedName(name: string): string | undefined {
  if (!name.includes("__")) return undefined;
  return `The name "${name}" contains "__", which is reserved for MCP names (mcp__SERVER__TOOL): an agent may take it for a tool of another server. Rename it with one "_".`;
}

/** Warnings about tools with such names in files that the user can change. */
export function nameWarnings(tools: readonly ToolInfo[]): { readonly file: string; readonly message: string }[] {
  return tools.flatMap(({ name, file, source, place, enabled }) => {
    const message = enabled && source !== "mcp" && place !== "package" ? reservedName(name) : undefined;
    return message === undefined ? [] : [{ file, message }];
  });
}
