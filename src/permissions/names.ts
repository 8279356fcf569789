import { parse } from "node:path";
import type { DeclaredAccess } from "../core/tool.ts";
import { literalOf } from "../core/wildcard.ts";
import { resolvePath, resolvePattern, type Starts } from "./resolve-match.ts";
import type { Rule } from "./rule.ts";

/**
 * Whether a rule that covers this thing also names it, rather than saying a general yes: its `match` must hold more of
 * the place than wildcards. Of an address, one whole label of the host must stand in it.
 */
export function namesIt({ match }: Rule, { kind }: DeclaredAccess, at: Starts): boolean {
  if (match === undefined || match === "*") return false;
  if (kind === "network") return namesHost(match);
  if (kind === "execute") return hasWord(match);
  const literal = literalOf(match);
  if (literal === undefined) return hasWord(withoutRoot(resolvePattern(match, at)));
  const place = resolvePath(literal, at);
  return place !== parse(place).root;
}

/** `http://*.internal/*` does, `http://*:8080/*` and `http*` do not. */
function namesHost(match: string): boolean {
  const host = /^[^/]*:\/\/([^/]*)/.exec(match)?.[1]?.replace(/:[\d*?]*$/, "") ?? "";
  return host.split(".").some((label) => label !== "" && !/[*?]/.test(label));
}

function withoutRoot(pattern: string): string {
  return pattern.slice(parse(pattern).root.length);
}

/** A letter or a digit that is part of no wildcard. */
function hasWord(pattern: string): boolean {
  return /[\p{L}\p{N}]/u.test(pattern);
}
