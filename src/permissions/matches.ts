import { resolve, sep } from "node:path";
import type { Access, DeclaredAccess } from "../core/tool.ts";
import { literalOf, matchSegments, matchText } from "../core/wildcard.ts";
import { isInside } from "../files/inside.ts";
import { coversCommand } from "./covers-command.ts";
import { inTwo, normalAddress } from "./normal-address.ts";
import { resolvePath, resolvePattern, type Starts } from "./resolve-match.ts";
import type { Rule } from "./rule.ts";

/** Who wants to do it, and where the paths of rules start. */
export interface Caller extends Starts {
  readonly tool: string;
  readonly agent: string;
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
  return rules.findLast((rule) => isFor(rule, caller) && covers(rule, touched, caller));
}

/** Whether a rule is about this tool and this agent, whatever they do. */
export function isFor(rule: Rule, { tool, agent }: { tool: string; agent: string }): boolean {
  return matchText(rule.tool, tool) && (rule.agent === undefined || matchText(rule.agent, agent));
}

/** Whether a rule is about this thing, whoever does it. What a tool asks for is covered only by a rule that says so. */
export function covers({ match, action }: Rule, touched: Touched, at: Starts): boolean {
  if (isAsked(touched)) return match?.startsWith(ASK) === true && matchText(match.slice(ASK.length), touched.target);
  if (match === undefined) return true;
  if (touched === "undeclared" || match === "undeclared") return touched === match;
  if (touched === "nothing" || match.startsWith(ASK)) return false;
  return match === "*" || coversTarget({ match, action }, touched, at);
}

export function isAsked(touched: Touched): touched is Asked {
  return typeof touched === "object" && touched.kind === "ask";
}

function coversTarget(
  { match, action }: { readonly match: string; readonly action: Rule["action"] },
  { kind, target }: DeclaredAccess,
  at: Starts,
): boolean {
  if (kind === "execute") return coversCommand(match, target, action);
  if (kind === "network") return coversAddress(match, target);
  return coversPath(match, target, at);
}

function coversPath(match: string, path: string, at: Starts): boolean {
  const literal = literalOf(match);
  if (literal !== undefined) return isInside(resolvePath(literal, at), path);
  return matchSegments(resolvePattern(match, at).split(sep), resolve(at.root, path).split(sep));
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
