import { relative } from "node:path";
import type { Access, DeclaredAccess } from "../../core/tool.ts";
import { isInside } from "../../platform/files/inside.ts";
import { matchText } from "../../platform/text/wildcard.ts";
import { isKnownCode } from "./auto-run-names.ts";
import { type Asked, covers, isAsked, isFor, lastMatch, type Touched } from "./covering-rule.ts";
import { uncoveredGitWord } from "./covers-command.ts";
import { matchesExplicitly } from "./explicit-match.ts";
import { type Ground, type OwnedRule, reasonFor } from "./reason.ts";
import type { Mode, Policy, ProjectPolicy, Rule, RuleOwner } from "./rule.ts";
import type { AgentOfTool } from "./tool-visibility.ts";

/** A call, and the rules that apply to it. */
export interface DecideRequest extends AgentOfTool {
  readonly user: Policy;
  readonly project?: ProjectPolicy;
  /** The targets of the call. An empty list means that the tool declares to touch nothing. */
  readonly access: readonly (Access | Asked)[];
  /** The project's folder, absolute, with links resolved like the paths in `access`. The base of relative patterns. */
  readonly root: string;
  /** The user's home folder, for patterns that begin with `~`. */
  readonly home?: string;
  /** Every folder of the project. Defaults to `root` alone. */
  readonly roots?: readonly string[];
  /** Whether a path other than the well-known ones holds code that runs without further approval. */
  readonly runsCode?: (path: string) => boolean;
  /** Folders outside the project that may be read like the project. */
  readonly readable?: readonly string[];
  /** The rules that a person has approved for this session. They do not override a denial. */
  readonly granted?: readonly Rule[];
}

/** The result for a call. An implicit ask counts as allowed if the caller has already asked its user. */
export type DecisionAction = "allow" | "implicit-ask" | "ask" | "deny";

/** The result for a call, and the reason. */
export interface Decision {
  readonly action: DecisionAction;
  readonly ground: Ground["kind"];
  /** Absent if the mode decided. */
  readonly rule?: OwnedRule;
  /** The target that decided. */
  readonly access?: Access | Asked;
  /** Sentences for a person or a model. */
  readonly reason: string;
}

const STRICTNESS: readonly DecisionAction[] = ["allow", "implicit-ask", "ask", "deny"];
const MODES: readonly Mode[] = ["bypass", "acceptEdits", "default", "plan"];

/** Decides on a call: the strictest decision on any of its targets. Rules of a project can only restrict. */
export function decide(request: DecideRequest): Decision {
  return strictest(decideEach(request));
}

/** Decides on each target of a call, in order. Of several agents, the most restricted one decides. */
export function decideEach(request: DecideRequest): readonly Decision[] {
  const mode = modeOf(request);
  const agents = [request.agent, ...(request.parents ?? [])];
  const touched: readonly Touched[] = request.access.length > 0 ? request.access : ["nothing"];
  return touched.map((one) => strictest(agents.map((agent) => decideOn(one, { ...request, agent, mode }))));
}

/** Whether a rule for the tool denies something, or asks. */
export function mayRestrict({ user, project, denials = [], tool, agent, parents = [] }: DecideRequest): boolean {
  const rules = [user.rules, project?.rules ?? [], ...denials].flat().filter(({ action }) => action !== "allow");
  return rules.some((rule) => [agent, ...parents].some((each) => isFor(rule, { tool, agent: each })));
}

/** The effective mode: the user's, or a stricter one of the project. */
export function modeOf({ user, project }: { user: Policy; project?: ProjectPolicy }): Mode {
  return stricterMode(user.mode, project?.mode ?? user.mode);
}

/** A request with one agent and the effective mode. */
interface Case extends DecideRequest {
  readonly mode: Mode;
}

/** The mode that allows less. */
export function stricterMode(first: Mode, second: Mode): Mode {
  return MODES.indexOf(second) > MODES.indexOf(first) ? second : first;
}

function decideOn(touched: Touched, at: Case): Decision {
  const projects = lastMatch(at.project?.rules ?? [], at, touched);
  const found = strictest([
    needsExplicitRule(touched, at) ? byExplicitRule(touched, at) : byUser(touched, at),
    ...(projects ? [byRule(owned(projects, "project", at), touched, at)] : []),
    ...(at.denials?.length ? earlierDenials(at.denials, touched, at) : []),
  ]);
  if (found.action === "allow" || found.action === "deny") return found;
  return lastMatch(at.granted ?? [], at, touched) ? decision("allow", { kind: "granted" }, touched, at) : found;
}

function earlierDenials(lists: readonly (readonly Rule[])[], touched: Touched, at: Case): Decision[] {
  return lists.flatMap((rules) => {
    const last = lastMatch(rules, at, touched);
    return last?.action === "deny" ? byRule(owned(last, "sub-agent", at), touched, at) : [];
  });
}

function byUser(touched: Touched, at: Case): Decision {
  const rule = lastMatch(at.user.rules, at, touched);
  return rule ? byRule(owned(rule, "user", at), touched, at) : byMode(touched, at);
}

/** Ignores rules that allow without naming the target. */
function byExplicitRule(touched: DeclaredAccess, at: Case): Decision {
  const general = byUser(touched, at);
  if (general.action === "deny" || general.action === "ask") return general;
  const rule = at.user.rules.findLast(
    (each) =>
      isFor(each, at) && covers(each, touched, at) && (each.action !== "allow" || matchesExplicitly(each, touched, at)),
  );
  if (!rule || rule.action === "deny") return decision("ask", { kind: "unnamed" }, touched, at);
  return decision(rule.action, { kind: "rule", rule: owned(rule, "user", at) }, touched, at);
}

function owned(rule: Rule, from: RuleOwner, { user, project }: Case): OwnedRule {
  const { rules = [] } = { user, project, "sub-agent": undefined }[from] ?? {};
  return { ...rule, from, index: rules.indexOf(rule) };
}

function byRule(rule: OwnedRule, touched: Touched, at: Case): Decision {
  if (rule.action === "deny" || isAsked(touched)) return decision(rule.action, { kind: "rule", rule }, touched, at);
  if (at.mode === "bypass" || isRefusedByPlan(touched, at)) return byMode(touched, at);
  return decision(rule.action, { kind: "rule", rule }, touched, at);
}

function byMode(touched: Touched, at: Case): Decision {
  if (isAsked(touched)) return decision("ask", { kind: "asked" }, touched, at);
  if (at.mode === "bypass") return decision("allow", { kind: "bypass" }, touched, at);
  if (isRefusedByPlan(touched, at)) return decision("deny", { kind: "plan" }, touched, at);
  if (touched === "nothing") return decision("allow", { kind: "nothing" }, touched, at);
  if (isKind(touched, "read") && isInProject(touched, at)) return decision("allow", { kind: "inside" }, touched, at);
  if (at.mode === "acceptEdits" && isKind(touched, "write") && isInProject(touched, at)) {
    return isCode(touched, at)
      ? decision("implicit-ask", { kind: "code" }, touched, at)
      : decision("allow", { kind: "acceptEdits" }, touched, at);
  }
  const almost = isKind(touched, "execute")
    ? at.user.rules.findLast((rule) => matchesOnlyText(rule, touched, at))
    : undefined;
  return decision("implicit-ask", almost ? almostCovered(almost, touched) : { kind: "no-rule" }, touched, at);
}

function almostCovered(rule: Rule, touched: Touched): Ground {
  const command = isKind(touched, "execute") ? touched.target : "";
  return { kind: "almost", rule, word: uncoveredGitWord(rule.match ?? "", command) };
}

/** Whether a rule would allow a command if its wildcards matched any text. */
function matchesOnlyText(rule: Rule, { target }: DeclaredAccess, at: Case): boolean {
  return rule.action === "allow" && rule.match !== undefined && isFor(rule, at) && matchText(rule.match, target);
}

function isRefusedByPlan(touched: Touched, { mode }: Case): boolean {
  return mode === "plan" && touched !== "nothing" && !isKind(touched, "read");
}

function isKind(touched: Touched, kind: DeclaredAccess["kind"]): touched is DeclaredAccess {
  return typeof touched === "object" && touched.kind === kind;
}

function isInProject({ target, kind }: DeclaredAccess, { root, roots = [root], readable = [] }: Case): boolean {
  const folders = kind === "read" ? [...roots, ...readable] : roots;
  return folders.some((folder) => isInside(folder, target));
}

function isCode({ target }: DeclaredAccess, { root, roots = [root], runsCode }: Case): boolean {
  const folder = roots.find((each) => isInside(each, target)) ?? root;
  return isKnownCode(relative(folder, target)) || runsCode?.(target) === true;
}

function needsExplicitRule(touched: Touched, at: Case): touched is DeclaredAccess {
  if (typeof touched !== "object" || touched.kind === "ask" || !touched.named) return false;
  const isPath = touched.kind === "read" || touched.kind === "write";
  return !(isPath && isInProject(touched, at));
}

function decision(action: DecisionAction, ground: Ground, touched: Touched, { tool }: Case): Decision {
  return {
    action,
    ground: ground.kind,
    ...(ground.kind === "rule" ? { rule: ground.rule } : {}),
    ...(touched === "nothing" ? {} : { access: touched }),
    // Computed on demand: the reason of an allowed call is rarely read.
    get reason() {
      return reasonFor(action, ground, touched, tool);
    },
  };
}

/** The first of the strictest. */
function strictest(decisions: readonly Decision[]): Decision {
  return decisions.reduce((worst, next) =>
    STRICTNESS.indexOf(next.action) > STRICTNESS.indexOf(worst.action) ? next : worst,
  );
}
