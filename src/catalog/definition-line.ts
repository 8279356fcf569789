import { exportLine } from "../host/protocol/export-line.ts";
import type { ToolInfo } from "./registry/registry-entry.ts";

/** The line in the source of its file with the name of a tool, its export, or its key in an object. Undefined if not found. */
export function definitionLine({ name, format, exportName = "default" }: ToolInfo, source: string): number | undefined {
  const itself = new RegExp(`(?:\\b(?:name|id)["']?\\s*:|\\bdefine\\()\\s*["'\`]${name}["'\`]`);
  const key = new RegExp(`^[ \\t]*["']?${name}["']?[ \\t]*:`, "m");
  // A JSON file has a name too, before the names of its tools.
  const from = format === "json" ? Math.max(0, source.indexOf('"tools"')) : 0;
  const isMember = exportName.includes(".");
  return (
    lineMatching(source, itself, from) ??
    (isMember ? lineMatching(source, key) : undefined) ??
    exportLine(source, exportName) ??
    lineMatching(source, key)
  );
}

function lineMatching(source: string, pattern: RegExp, from = 0): number | undefined {
  const at = source.slice(from).search(pattern);
  return at < 0 ? undefined : source.slice(0, from + at).split("\n").length;
}
