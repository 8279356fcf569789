import { resolve, sep } from "node:path";
import type { Access, DeclaredAccess } from "../core/tool.ts";
import { literalOf, matchSegments, matchText } from "../core/wildcard.ts";
import { isInside } from "../files/inside.ts";
import type { Rule } from "./rule.ts";

/** Who wants to do it, and where relative patterns start. */
export interface Caller {
  readonly tool: string;
  readonly agent: string;
  /** The project's folder, absolute. */
  readonly root: string;
}

/** What a tool asks a person for while it runs. */
export interface Asked {
  readonly kind: "ask";
  /** `permission:pattern`. */
  readonly target: string;
}

/** A thing that a call touches or asks for, or "nothing" for a call that declares to touch nothing. */
export type Touched = Access | Asked | "nothing";

/** How a `match` begins that is about what tools ask for. */
export const ASK = "ask:";

/** The last rule that covers this. */
export function lastMatch(rules: readonly Rule[], caller: Caller, touched: Touched): Rule | undefined {
  return rules.findLast((rule) => isFor(rule, caller) && covers(rule, touched, caller.root));
}

/** Whether a rule is about this tool and this agent, whatever they do. */
export function isFor(rule: Rule, { tool, agent }: { tool: string; agent: string }): boolean {
  return matchText(rule.tool, tool) && (rule.agent === undefined || matchText(rule.agent, agent));
}

/** Whether a rule is about this thing, whoever does it. What a tool asks for is covered only by a rule that says so. */
export function covers({ match }: Rule, touched: Touched, root: string): boolean {
  if (isAsked(touched)) return match?.startsWith(ASK) === true && matchText(match.slice(ASK.length), touched.target);
  if (match === undefined) return true;
  if (touched === "undeclared" || match === "undeclared") return touched === match;
  if (touched === "nothing" || match.startsWith(ASK)) return false;
  return match === "*" || coversTarget(match, touched, root);
}

export function isAsked(touched: Touched): touched is Asked {
  return typeof touched === "object" && touched.kind === "ask";
}

/** An address in its normal form, without a name and a password. */
export function normalAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.username = "";
  url.password = "";
  return url.href;
}

function coversTarget(match: string, { kind, target }: DeclaredAccess, root: string): boolean {
  if (kind === "execute") return matchText(match, target);
  if (kind === "network") return coversAddress(match, target);
  return coversPath(match, target, root);
}

function coversPath(match: string, path: string, root: string): boolean {
  const literal = literalOf(match);
  if (literal !== undefined) return isInside(resolve(root, literal), path);
  return matchSegments(resolve(root, match).split(sep), resolve(root, path).split(sep));
}

/** Addresses are compared in their normal form, so that `HTTPS://Example.com:443/a/../b` cannot slip past a rule. */
function coversAddress(match: string, address: string): boolean {
  const literal = literalOf(match);
  if (literal !== undefined) return normalAddress(literal) === normalAddress(address);
  const pattern = inTwo(match);
  const [host, rest] = inTwo(normalAddress(address));
  // A star before the path stays before it: "https://*.example.com/*" is not about "https://other.test/.example.com/".
  if (pattern[0] === "" || pattern[1] === "") return matchText(pattern.join(""), `${host}${rest}`);
  return matchText(pattern[0], host) && matchText(pattern[1], rest);
}

/** Scheme and host, in which case does not matter, and what comes after them. */
function inTwo(address: string): [host: string, rest: string] {
  const [host = ""] = /^[^/]*:\/\/[^/]*/.exec(address) ?? [];
  return [host.toLowerCase(), address.slice(host.length)];
}
