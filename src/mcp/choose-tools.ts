import { matchText } from "../core/wildcard.ts";
import type { ToolInfo } from "../registry/entry.ts";
import { type Builtins, isSelected } from "../toolbox/builtin-selection.ts";

/** What somebody wants served of all that there is. Names may have wildcards. */
export interface Choice {
  /** Built-in tools; none where left out, since agents have their own. */
  readonly builtins?: Builtins;
  /** Only these; all where left out. */
  readonly tools?: readonly string[];
  readonly exclude?: readonly string[];
  /** Only tools that say that they change nothing. */
  readonly readOnly?: boolean;
}

/** Whether a tool is among those that are wanted. */
export function chooseTools({
  builtins = false,
  tools,
  exclude = [],
  readOnly = false,
}: Choice): (tool: ToolInfo) => boolean {
  return ({ name, source, hints }) => {
    if (source === "builtin" && !isSelected(name, builtins)) return false;
    if (tools && !tools.some((pattern) => matchText(pattern, name))) return false;
    if (exclude.some((pattern) => matchText(pattern, name))) return false;
    return !readOnly || hints.readOnly === true;
  };
}
