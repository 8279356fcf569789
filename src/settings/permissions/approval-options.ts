import type { Access, AskRequest, DeclaredAccess } from "../../core/tool.ts";
import { escapePattern, matchText } from "../../platform/text/wildcard.ts";
import { ASK, type Asked, covers, isAsked, lastMatch } from "./covering-rule.ts";
import { type DecideRequest, decide, decideEach } from "./decide.ts";
import { normalAddress } from "./normal-address.ts";
import type { Rule } from "./rule.ts";

/** How long an approval is valid. "always" writes rules to the user's settings. */
type Choice = "once" | "session" | "always";

/** The approvals that a person may choose from. */
export interface ApprovalOptions {
  readonly choices: readonly Choice[];
  /** The rules that "session" and "always" add. */
  readonly rules: readonly Rule[];
}

/** A person would not read more rules before choosing "always". */
const MAX_RULES = 20;

/** Inputs of `approvalOptions` besides the rules. */
export interface ApprovalContext {
  /** Matches of rules that the tool proposes instead of the exact targets. */
  readonly proposed?: readonly string[];
  /** A rule for a folder also covers its files. */
  readonly isFolder?: (path: string) => boolean;
}

/**
 * The approvals for a call beyond "once". Each undecided target gets a rule for exactly that target, or for what the tool
 * proposes. "session" and "always" are offered only if their rules would allow the call: a rule of the user does not override
 * one of the project.
 */
export function approvalOptions(request: DecideRequest, options: ApprovalContext = {}): ApprovalOptions {
  const rules = rulesFor(request, options.proposed ?? []);
  if (rules.length === 0) return { choices: ["once"], rules: [] };
  const granted = decide({ ...request, granted: [...(request.granted ?? []), ...rules] });
  const { user } = request;
  const written = decide({ ...request, user: { ...user, rules: [...user.rules, ...rules] } });
  const undone = undoneDenial(rules, request, options);
  const always = written.action === "allow" && rules.length <= MAX_RULES && !undone;
  if (granted.action !== "allow") return { choices: ["once"], rules: [] };
  return { choices: ["once", "session", ...(always ? (["always"] as const) : [])], rules };
}

/** The targets of a question that a tool asks while it runs: one for each pattern. */
export function requestedAccess({ permission, patterns }: AskRequest): readonly Asked[] {
  const all = patterns.length > 0 ? patterns : [""];
  return all.map((pattern) => ({ kind: "ask", target: `${permission}:${pattern}` }));
}

/** The patterns that a tool proposes for later calls, as the `match` of rules. */
export function proposedMatches({ permission, always = [] }: AskRequest): readonly string[] {
  return always.map((pattern) => `${ASK}${escapePattern(permission)}:${pattern}`);
}

/** Rules for the agent and for each agent that started it. Without a name of the agent, rules for all agents. */
function rulesFor(request: DecideRequest, proposed: readonly string[]): Rule[] {
  const open = decideEach(request).filter(({ action }) => action === "ask" || action === "implicit-ask");
  const matches = proposed.length > 0 ? proposed : open.map(({ access }) => exactly(access));
  const agents = new Set([request.agent, ...(request.parents ?? [])]);
  const tool = escapePattern(request.tool);
  const rules = new Map<string, Rule>();
  for (const match of new Set(matches)) {
    if (match === undefined) return [];
    for (const agent of agents) {
      const rule: Rule = { tool, match, ...(agent === "" ? {} : { agent: escapePattern(agent) }), action: "allow" };
      rules.set(JSON.stringify(rule), rule);
    }
  }
  return [...rules.values()];
}

/** Undefined for a call that touches nothing. */
function exactly(access: Access | Asked | undefined): string | undefined {
  if (access === undefined || access === "undeclared") return access;
  if (isAsked(access)) return `${ASK}${escapePattern(access.target)}`;
  return escapePattern(access.kind === "network" ? normalAddress(access.target) : access.target);
}

/**
 * The denial of the user that these rules, added last, would override: a denial of the call; one for some agents, if a rule is for
 * all; one of some targets, if a rule covers more than the call.
 */
export function undoneDenial(
  rules: readonly Rule[],
  request: Omit<DecideRequest, "project">,
  { proposed = [], isFolder }: ApprovalContext,
): Rule | undefined {
  const { user, access, tool, agent, parents = [] } = request;
  const forAll = rules.some((rule) => rule.agent === undefined);
  const isWide = proposed.length > 0 || access.some((each) => isPath(each) && isFolder?.(each.target));
  const last = [agent, ...parents].flatMap((name) =>
    access.map((each) => lastMatch(user.rules, { ...request, agent: name }, each)),
  );
  return user.rules.find((rule) => {
    if (rule.action !== "deny" || !matchText(rule.tool, tool)) return false;
    if (last.includes(rule) || (isWide && rule.match !== undefined)) return true;
    return forAll && rule.agent !== undefined && access.some((each) => covers(rule, each, request));
  });
}

function isPath(access: Access | Asked): access is DeclaredAccess {
  return typeof access === "object" && (access.kind === "read" || access.kind === "write");
}
