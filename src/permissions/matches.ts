import { resolve, sep } from "node:path";
import type { Access, DeclaredAccess } from "../core/tool.ts";
import { literalOf, matchSegments, matchText } from "../core/wildcard.ts";
import { isInside } from "./inside.ts";
import type { Rule } from "./rule.ts";

/** Who wants to do it, and where relative patterns start. */
export interface Caller {
  readonly tool: string;
  readonly agent: string;
  /** The project's folder, absolute. */
  readonly root: string;
}

/** A thing that a call touches, or "nothing" for a call that declares to touch nothing. */
export type Touched = Access | "nothing";

/** The last rule that covers this. */
export function lastMatch(rules: readonly Rule[], caller: Caller, touched: Touched): Rule | undefined {
  return rules.findLast((rule) => isFor(rule, caller) && covers(rule, touched, caller.root));
}

/** Whether a rule is about this tool and this agent, whatever they do. */
export function isFor(rule: Rule, { tool, agent }: { tool: string; agent: string }): boolean {
  return matchText(rule.tool, tool) && (rule.agent === undefined || matchText(rule.agent, agent));
}

function covers({ match }: Rule, touched: Touched, root: string): boolean {
  if (match === undefined) return true;
  if (touched === "undeclared" || match === "undeclared") return touched === match;
  if (touched === "nothing") return false;
  return match === "*" || coversTarget(match, touched, root);
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
  if (literal !== undefined) return normal(literal) === normal(address);
  return matchText(withLowerHost(match), normal(address));
}

function withLowerHost(pattern: string): string {
  return pattern.replace(/^[^/]*:\/\/[^/]*/, (start) => start.toLowerCase());
}

function normal(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.username = "";
  url.password = "";
  return url.href;
}
