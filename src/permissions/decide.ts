import type { Access } from "../core/tool.ts";
import { isInside } from "./inside.ts";
import { type Caller, lastMatch, type Touched } from "./matches.ts";
import { type Ground, reasonFor } from "./reason.ts";
import type { Mode, Policy, ProjectPolicy, Rule, RuleOwner } from "./rule.ts";

/** A call, and the rules it stands under. */
export interface DecideRequest {
  readonly user: Policy;
  readonly project?: ProjectPolicy;
  readonly tool: string;
  readonly agent: string;
  /** What the call touches; an empty list is the declaration that it touches nothing. */
  readonly access: readonly Access[];
  /** The project's folder, absolute, with links resolved like the paths in `access`. */
  readonly root: string;
}

/** What the rules say of a call. An implicit ask is a yes where the caller has already asked its user. */
export type DecisionAction = "allow" | "implicit-ask" | "ask" | "deny";

/** What the rules say of a call, and why. */
export interface Decision {
  readonly action: DecisionAction;
  /** Absent where no rule but the mode decided. */
  readonly rule?: Rule & { readonly from: RuleOwner };
  /** The thing that decided. */
  readonly access?: Access;
  /** Sentences for a person or a model. */
  readonly reason: string;
}

const STRICTNESS: readonly DecisionAction[] = ["allow", "implicit-ask", "ask", "deny"];
const MODES: readonly Mode[] = ["bypass", "acceptEdits", "default", "plan"];

/** Decides on a call: the strictest of what is decided on each thing it touches. A project only ever tightens. */
export function decide(request: DecideRequest): Decision {
  const mode = modeOf(request);
  const touched: readonly Touched[] = request.access.length > 0 ? request.access : ["nothing"];
  return strictest(touched.map((one) => decideOn(one, mode, request)));
}

/** The mode in force: the user's, or a stricter one of the project. */
export function modeOf({ user, project }: { user: Policy; project?: ProjectPolicy }): Mode {
  const own = project?.mode ?? user.mode;
  return MODES.indexOf(own) > MODES.indexOf(user.mode) ? own : user.mode;
}

function decideOn(touched: Touched, mode: Mode, request: DecideRequest): Decision {
  const users = lastMatch(request.user.rules, request, touched);
  const projects = lastMatch(request.project?.rules ?? [], request, touched);
  const decisions = [
    users ? byRule({ ...users, from: "user" }, touched, mode, request) : byMode(touched, mode, request),
    ...(projects ? [byRule({ ...projects, from: "project" }, touched, mode, request)] : []),
  ];
  return strictest(decisions);
}

function byRule(rule: Rule & { from: RuleOwner }, touched: Touched, mode: Mode, caller: Caller): Decision {
  if (rule.action === "deny") return decision("deny", { kind: "rule", rule }, touched, caller);
  if (mode === "bypass" || isRefusedByPlan(touched, mode)) return byMode(touched, mode, caller);
  return decision(rule.action, { kind: "rule", rule }, touched, caller);
}

function byMode(touched: Touched, mode: Mode, caller: Caller): Decision {
  if (mode === "bypass") return decision("allow", { kind: "bypass" }, touched, caller);
  if (isRefusedByPlan(touched, mode)) return decision("deny", { kind: "plan" }, touched, caller);
  if (touched === "nothing") return decision("allow", { kind: "nothing" }, touched, caller);
  if (isRead(touched) && isInProject(touched, caller)) return decision("allow", { kind: "inside" }, touched, caller);
  if (mode === "acceptEdits" && isWrite(touched) && isInProject(touched, caller)) {
    return decision("allow", { kind: "acceptEdits" }, touched, caller);
  }
  return decision("implicit-ask", { kind: "no-rule" }, touched, caller);
}

function isRefusedByPlan(touched: Touched, mode: Mode): boolean {
  return mode === "plan" && touched !== "nothing" && !isRead(touched);
}

function isRead(touched: Touched): boolean {
  return typeof touched === "object" && touched.kind === "read";
}

function isWrite(touched: Touched): boolean {
  return typeof touched === "object" && touched.kind === "write";
}

function isInProject(touched: Touched, { root }: Caller): boolean {
  return typeof touched === "object" && isInside(root, touched.target);
}

function decision(action: DecisionAction, ground: Ground, touched: Touched, caller: Caller): Decision {
  return {
    action,
    ...(ground.kind === "rule" ? { rule: ground.rule } : {}),
    ...(touched === "nothing" ? {} : { access: touched }),
    reason: reasonFor(action, ground, touched, caller.tool),
  };
}

/** The first of the strictest. */
function strictest(decisions: readonly Decision[]): Decision {
  return decisions.reduce((worst, next) =>
    STRICTNESS.indexOf(next.action) > STRICTNESS.indexOf(worst.action) ? next : worst,
  );
}
