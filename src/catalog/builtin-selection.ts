import { matchText } from "../platform/text/wildcard.ts";

/** Which built-in tools are served: all, none, or those whose names match a pattern. */
export type Builtins = boolean | readonly string[];

export function isSelected(name: string, selection: Builtins): boolean {
  return typeof selection === "boolean" ? selection : selection.some((pattern) => matchText(pattern, name));
}
