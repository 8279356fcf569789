import { parse } from "node:path";
import type { DeclaredAccess } from "../core/tool.ts";
import { literalOf } from "../core/wildcard.ts";
import { resolvePath, resolvePattern, type Starts } from "./resolve-match.ts";
import type { Rule } from "./rule.ts";

/**
 * Whether a rule that covers this thing also names it, rather than saying a general yes. For a path or a command its `match`
 * must hold more than wildcards. For an address it must hold the very host: who controls a name's DNS decides where each
 * name below it leads.
 */
export function namesIt({ match }: Rule, { kind, target }: DeclaredAccess, at: Starts): boolean {
  if (match === undefined || match === "*") return false;
  if (kind === "network") return namesHost(match, target);
  if (kind === "execute") return hasWord(match);
  const literal = literalOf(match);
  if (literal === undefined) return hasWord(withoutRoot(resolvePattern(match, at)));
  const place = resolvePath(literal, at);
  return place !== parse(place).root;
}

/** `http://localhost:8080/a` does, `http://*.internal/a` and `http://127.0.0.1*` do not. */
function namesHost(match: string, address: string): boolean {
  const written = /^[^/]*:\/\/([^/]*)/.exec(match)?.[1]?.replace(/:[\d*?]*$/, "") ?? "";
  if (written === "" || /[*?@]/.test(written)) return false;
  const host = hostOf(`http://${written}/`);
  return host !== undefined && host === hostOf(address);
}

function hostOf(address: string): string | undefined {
  return URL.parse(address)?.hostname.replace(/\.+$/, "");
}

function withoutRoot(pattern: string): string {
  return pattern.slice(parse(pattern).root.length);
}

/** A letter or a digit that is part of no wildcard. */
function hasWord(pattern: string): boolean {
  return /[\p{L}\p{N}]/u.test(pattern);
}
