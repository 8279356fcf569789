import type { Access, AskRequest, DeclaredAccess } from "../core/tool.ts";
import { escapePattern, matchText } from "../core/wildcard.ts";
import { type DecideRequest, decide, decideEach } from "./decide.ts";
import { ASK, type Asked, covers, isAsked } from "./matches.ts";
import { normalAddress } from "./normal-address.ts";
import type { Rule } from "./rule.ts";

/** For how long a yes may hold. "always" stands in the user's settings. */
export type Choice = "once" | "session" | "always";

/** What a person who is asked may answer beside no. */
export interface Offer {
  readonly choices: readonly Choice[];
  /** What would be remembered, and no more than that. */
  readonly rules: readonly Rule[];
}

/** More than a person would read before saying yes for ever. */
const MOST_RULES = 20;

/** What is known beside the rules. */
export interface OfferOptions {
  /** What the tool proposes to be remembered, as the `match` of rules, instead of just what it asks for. */
  readonly proposed?: readonly string[];
  /** A rule about a folder covers what is in it too. */
  readonly isFolder?: (path: string) => boolean;
}

/**
 * What a yes to this call could mean beyond this once: a rule for each thing that is still open, about just that thing,
 * or about what the tool proposes. It is on offer where it would be enough: a user's rule does not help against a project's.
 */
export function offerFor(request: DecideRequest, options: OfferOptions = {}): Offer {
  const rules = rulesFor(request, options.proposed ?? []);
  if (rules.length === 0) return { choices: ["once"], rules: [] };
  const granted = decide({ ...request, granted: [...(request.granted ?? []), ...rules] });
  const { user } = request;
  const written = decide({ ...request, user: { ...user, rules: [...user.rules, ...rules] } });
  const always = written.action === "allow" && rules.length <= MOST_RULES && !undoes(rules, request, options);
  if (granted.action !== "allow") return { choices: ["once"], rules: [] };
  return { choices: ["once", "session", ...(always ? (["always"] as const) : [])], rules };
}

/** The things that a tool asks for, as rules see them: one for each pattern. */
export function askedFor({ permission, patterns }: AskRequest): readonly Asked[] {
  const all = patterns.length > 0 ? patterns : [""];
  return all.map((pattern) => ({ kind: "ask", target: `${permission}:${pattern}` }));
}

/** The patterns that a tool proposes for its next times, as the `match` of rules. */
export function proposedBy({ permission, always = [] }: AskRequest): readonly string[] {
  return always.map((pattern) => `${ASK}${escapePattern(permission)}:${pattern}`);
}

/** An agent that has a name is the only one that the rule is for, and so is each on whose behalf it acts. */
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

/** A call that touches nothing leaves nothing to name. */
function exactly(access: Access | Asked | undefined): string | undefined {
  if (access === undefined || access === "undeclared") return access;
  if (isAsked(access)) return `${ASK}${escapePattern(access.target)}`;
  return escapePattern(access.kind === "network" ? normalAddress(access.target) : access.target);
}

/**
 * Whether these rules, written last, would also undo a denial of the user's: one to some agents, where the rule is for all; one
 * of a part, where the rule is for more than was asked about.
 */
function undoes(rules: readonly Rule[], request: DecideRequest, { proposed = [], isFolder }: OfferOptions): boolean {
  const { user, access, tool } = request;
  const forAll = rules.some(({ agent }) => agent === undefined);
  const isWide = proposed.length > 0 || access.some((each) => isPath(each) && isFolder?.(each.target));
  return user.rules.some((rule) => {
    if (rule.action !== "deny" || !matchText(rule.tool, tool)) return false;
    if (isWide && rule.match !== undefined) return true;
    return forAll && rule.agent !== undefined && access.some((each) => covers(rule, each, request));
  });
}

function isPath(access: Access | Asked): access is DeclaredAccess {
  return typeof access === "object" && (access.kind === "read" || access.kind === "write");
}
