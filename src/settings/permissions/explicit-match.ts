import { parse } from "node:path";
import type { DeclaredAccess } from "../../core/tool.ts";
import { literalOf } from "../../platform/text/wildcard.ts";
import { type PathBases, resolvePath, resolvePattern } from "./resolve-rule-path.ts";
import type { Rule } from "./rule.ts";

/**
 * Whether a rule that covers a target names it explicitly. For a path or a command, its `match` must hold more than wildcards.
 * For an address, it must hold the exact host: the owner of a domain decides where each subdomain leads.
 */
export function matchesExplicitly({ match }: Rule, { kind, target }: DeclaredAccess, at: PathBases): boolean {
  if (match === undefined || match === "*") return false;
  if (kind === "network") return namesHost(match, target);
  if (kind === "execute") return hasWord(match);
  const literal = literalOf(match);
  if (literal === undefined) return hasWord(withoutRoot(resolvePattern(match, at)));
  const path = resolvePath(literal, at);
  return path !== parse(path).root;
}

/** True for `http://localhost:8080/a`, false for `http://*.internal/a` and `http://127.0.0.1*`. */
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

/** Whether the pattern has a letter or a digit. */
function hasWord(pattern: string): boolean {
  return /[\p{L}\p{N}]/u.test(pattern);
}
