import { type Builtins, isSelected } from "../../catalog/builtin-selection.ts";
import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import { matchText } from "../../platform/text/wildcard.ts";

/** Which tools are served. Names may have wildcards. */
export interface ToolChoice {
  /** Built-in tools; none by default, because agents have their own. */
  readonly builtins?: Builtins;
  /** All by default. */
  readonly tools?: readonly string[];
  readonly exclude?: readonly string[];
  /** Only tools with the hint `readOnly`. */
  readonly readOnly?: boolean;
}

/** Returns a filter for tools. */
export function chooseTools({
  builtins = false,
  tools,
  exclude = [],
  readOnly = false,
}: ToolChoice): (tool: ToolInfo) => boolean {
  return ({ name, source, hints }) => {
    if (source === "builtin" && !isSelected(name, builtins)) return false;
    if (tools && !tools.some((pattern) => matchText(pattern, name))) return false;
    if (exclude.some((pattern) => matchText(pattern, name))) return false;
    return !readOnly || hints.readOnly === true;
  };
}
