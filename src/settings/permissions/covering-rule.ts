import { resolve, sep } from "node:path";
import type { Access, DeclaredAccess } from "../../core/tool.ts";
import { isInside } from "../../platform/files/inside.ts";
import { literalOf, matchSegments, matchText } from "../../platform/text/wildcard.ts";
import { agentKey } from "./agent-name.ts";
import { coversCommand } from "./covers-command.ts";
import { normalAddress, splitAddress } from "./normal-address.ts";
import { type PathBases, resolvePath, resolvePattern } from "./resolve-rule-path.ts";
import type { Rule } from "./rule.ts";

/** The caller of a tool, and the base folders of paths in rules. */
interface Caller extends PathBases {
  readonly tool: string;
  readonly agent: string;
}

/** A question that a tool asks a person while it runs. */
export interface Asked {
  readonly kind: "ask";
  /** `permission:pattern`. */
  readonly target: string;
}

/** A target of a call, a question of the tool, or "nothing" for a call that declares no targets. */
export type Touched = Access | Asked | "nothing";

/** The prefix of a `match` for questions of tools. */
export const ASK = "ask:";

/** The last rule that covers the target. */
export function lastMatch(rules: readonly Rule[], caller: Caller, touched: Touched): Rule | undefined {
  return rules.findLast((rule) => isFor(rule, caller) && covers(rule, touched, caller));
}

/** Whether a rule is for this tool and this agent. */
export function isFor(rule: Rule, { tool, agent }: { tool: string; agent: string }): boolean {
  return matchText(rule.tool, tool) && (rule.agent === undefined || matchText(agentKey(rule.agent), agentKey(agent)));
}

/** Whether a rule covers a target. Only a rule with `ask:` covers a question of a tool. */
export function covers({ match, action }: Rule, touched: Touched, at: PathBases): boolean {
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
  at: PathBases,
): boolean {
  if (kind === "execute") return coversCommand(match, target, action);
  if (kind === "network") return coversAddress(match, target);
  return coversPath(match, target, at);
}

function coversPath(match: string, path: string, at: PathBases): boolean {
  const literal = literalOf(match);
  if (literal !== undefined) return isInside(resolvePath(literal, at), path);
  return matchSegments(resolvePattern(match, at).split(sep), resolve(at.root, path).split(sep));
}

/** Compares normalized addresses, so that `HTTPS://Example.com:443/a/../b` cannot bypass a rule. */
function coversAddress(match: string, address: string): boolean {
  const literal = literalOf(match);
  if (literal !== undefined) return normalAddress(literal) === normalAddress(address);
  const pattern = splitAddress(match);
  const [host, rest] = splitAddress(normalAddress(address));
  // A star in the host does not match the path: "https://*.example.com/*" does not cover "https://other.test/.example.com/".
  if (pattern[0] === "" || pattern[1] === "") return matchText(pattern.join(""), `${host}${rest}`);
  return matchText(pattern[0], host) && matchText(pattern[1], rest);
}
