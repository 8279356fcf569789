import { matchText } from "../core/wildcard.ts";

/** Which built-in tools are served: all, none, or those that are named, with wildcards. */
export type Builtins = boolean | readonly string[];

export function isWanted(name: string, wanted: Builtins): boolean {
  return typeof wanted === "boolean" ? wanted : wanted.some((each) => matchText(each, name));
}
