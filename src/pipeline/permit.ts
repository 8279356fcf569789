import type { ToolResult } from "../core/result.ts";
import type { Access, AskRequest, DeclaredAccess } from "../core/tool.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { type DecideRequest, type Decision, decide, decideEach } from "../permissions/decide.ts";
import { askedFor, type Offer, offerFor, proposedBy } from "../permissions/offered-answers.ts";
import { spell } from "../permissions/reason.ts";
import type { Rule } from "../permissions/rule.ts";
import type { Hosts } from "../protocol/hosts.ts";
import type { Call, Step } from "./call.ts";
import { failure, stopped } from "./failures.ts";
import type { OpenQuestions } from "./open-questions.ts";
import { createOpenToAll, type OpenToAllOptions } from "./open-to-all.ts";
import type { Answer } from "./permission-answer.ts";
import { prepare } from "./prepare.ts";
import { type Approver, put } from "./question.ts";
import { isFolder, withRealTargets } from "./real-targets.ts";

/** Who decides about calls. */
export interface PermitOptions {
  readonly hosts: Hosts;
  /** The rules under which a call touches something, and the answers that hold for it. */
  readonly permissionContext: (call: Pick<Call, "name" | "context">, access: DecideRequest["access"]) => DecideRequest;
  readonly approve: Approver | undefined;
  /** Whether whoever calls has already been asked, so that what no rule speaks of is a yes. */
  readonly callerIsAsked: boolean;
  /** Lets a yes hold for longer than this once. Must not reject. */
  readonly remember: (sessionID: string, rules: readonly Rule[], how: "session" | "always") => Promise<void>;
  /** The user's settings. */
  readonly settingsFile: string;
  /** The questions that nobody has answered yet. */
  readonly open: OpenQuestions;
}

/**
 * Lets a call through, asks a person, or refuses it. The input is checked before anybody is asked about it. Where the
 * answer is yes whatever the input is, that is left to the host, which checks every input once more in any case.
 */
export function createPermit(options: PermitOptions & Pick<OpenToAllOptions, "settings" | "agentsOf">): Step {
  const isOpen = createOpenToAll({
    ...options,
    decide(call, answers) {
      const permissionContext = options.permissionContext(call, call.access);
      return isYes(
        decide(answers === "with answers" ? permissionContext : { ...permissionContext, granted: [] }),
        options,
      );
    },
  });
  return (call, next) => {
    const passes = !call.entry.manifest.declaresAccess && !call.signal.aborted && isOpen(call);
    return passes ? next(call) : validate(call, next, options);
  };
}

/** Learns what the call touches. */
async function validate(given: Call, next: Parameters<Step>[1], options: PermitOptions): Promise<ToolResult> {
  const { clock, signal } = given;
  const access = await clock.countFrom((started) => untilAborted(signal, () => prepare(given, options.hosts, started)));
  if (!access || given.signal.aborted) return stopped(given);
  if ("ok" in access) return access;
  const call = { ...given, access };
  // Mostly the rules say yes, and then there is nothing to wait for.
  if (isYes(decide(options.permissionContext(call, access)), options)) return next(call);
  const answer = await untilAborted(call.signal, () => permission(call, access, options));
  if (!answer) return stopped(call);
  return answer.allowed ? next(call) : denied(call, answer.reason);
}

/** Whether a running call may touch something more than what it has been let through for. */
export function createPermitMore(options: PermitOptions): (call: Call, access: DeclaredAccess) => Promise<Answer> {
  return async (call, access) => {
    const all = withRealTargets([access], call.context.directory);
    const more = all.filter((each) => !call.access.some((known) => isSame(known, each)));
    if (more.length === 0) return { allowed: true };
    // Whoever was asked may never answer: a call that nobody wants any more does not wait for it.
    const answer = await untilAborted(call.signal, () => permission(call, more, options));
    return answer ?? { allowed: false, reason: "The call was cancelled before anybody had answered." };
  };
}

/** What must be named is not the same as what need not be. */
function isSame(known: Access, wanted: Access): boolean {
  if (typeof known === "string" || typeof wanted === "string") return known === wanted;
  const isStrict = known.named === true || wanted.named !== true;
  return known.kind === wanted.kind && known.target === wanted.target && isStrict;
}

/** Which things a running call may touch without anybody being asked. Links are the tool's to resolve. */
export function createPermitted(options: PermitOptions): (call: Call, access: readonly DeclaredAccess[]) => boolean[] {
  return (call, access) => {
    if (access.length === 0) return [];
    return decideEach(options.permissionContext(call, access)).map((decision) => isYes(decision, options));
  };
}

/** Answers what a tool asks while it runs: put to a person, unless one has said so before, and refused where there is none. */
export function createAsk(options: PermitOptions): (call: Call, request: AskRequest) => Promise<Answer> {
  return async (call, request) => {
    const permissionContext = (): DecideRequest => options.permissionContext(call, askedFor(request));
    const offered = (): Offer => offerFor(permissionContext(), { proposed: proposedBy(request) });
    const answer = await untilAborted(call.signal, () =>
      settle({ call, permissionContext, offered, request }, options),
    );
    return answer ?? { allowed: false, reason: "The call was cancelled before anybody had answered." };
  };
}

/** Something that a call wants, and what a yes to it could mean. */
interface Wish {
  readonly call: Call;
  /** Asked for anew each time: an answer to somebody else may have changed it. */
  readonly permissionContext: () => DecideRequest;
  readonly offered: () => Offer;
  readonly request?: AskRequest;
}

/** Whether a call may touch this: by the rules, or by the word of a person. */
function permission(call: Call, access: readonly Access[], options: PermitOptions): Promise<Answer> {
  const permissionContext = (): DecideRequest => options.permissionContext(call, access);
  return settle(
    { call: { ...call, access }, permissionContext, offered: () => offerFor(permissionContext(), { isFolder }) },
    options,
  );
}

async function settle(wish: Wish, options: PermitOptions): Promise<Answer> {
  const decision = decide(wish.permissionContext());
  if (isYes(decision, options)) return { allowed: true };
  if (decision.action === "deny") return { allowed: false, reason: decision.reason };
  const reason = reasonOf(wish, decision, options);
  if (options.approve) return ask(wish, reason, options.approve, options);
  return { allowed: false, reason: `${reason} ${NOBODY}${remedy(decision, wish.offered, options.settingsFile)}` };
}

function isYes({ action }: Decision, { callerIsAsked }: PermitOptions): boolean {
  return action === "allow" || (action === "implicit-ask" && callerIsAsked);
}

/** Things that a question names. */
const MOST_NAMED = 10;

/** Names everything that is still open: a yes is a yes to all of it. */
function reasonOf({ call, permissionContext, request }: Wish, { ground }: Decision, options: PermitOptions): string {
  if (request && ground === "asked") return `"${call.name}" asks for permission: ${request.permission}.`;
  const open = decideEach(permissionContext()).filter((each) => !isYes(each, options));
  const reasons = [...new Set(open.map(({ reason }) => reason))];
  const more = reasons.length - MOST_NAMED;
  return [
    ...reasons.slice(0, MOST_NAMED),
    ...(more > 0 ? [`And so do ${more} more of the things that it touches.`] : []),
  ].join(" ");
}

/**
 * Puts it to a person, and remembers the answer for as long as they say and may say. Where meanwhile somebody says yes to the
 * same in answer to another question, this one is taken back.
 */
async function ask(wish: Wish, reason: string, approve: Approver, options: PermitOptions): Promise<Answer> {
  const { call, request } = wish;
  const offer = wish.offered();
  const about = { reason, ...offer, settingsFile: options.settingsFile, ...(request ? { request } : {}) };
  const isSettled = (): boolean => isYes(decide(wish.permissionContext()), options);
  const answer = await options.open.put(isSettled, (signal) => put(call, about, approve, signal));
  if (!answer.allowed || answer.remember === undefined) return answer;
  // Where it may not hold for ever, it holds for as long as it may.
  const how = offer.choices.includes("always") ? answer.remember : "session";
  if (!offer.choices.includes(how)) return answer;
  await options.remember(call.context.sessionID, offer.rules, how);
  options.open.settle();
  return answer;
}

const NOBODY = "Nobody can be asked here, so it was refused.";
const TELL = " Find another way, or tell the user.";

/** Where a general yes or the mode would not have helped, the message says which rule would. */
function remedy({ ground }: Decision, offered: () => Offer, settingsFile: string): string {
  if (ground !== "unnamed" && ground !== "code") return TELL;
  const { choices, rules } = offered();
  if (!choices.includes("always")) return TELL;
  return ` To allow it, the user can add ${rules.map(spell).join(", ")} to "permissions" in ${settingsFile}.`;
}

function denied(call: Call, reason: string): ToolResult {
  return failure("denied", `"${call.name}" was not allowed to run. ${reason}`);
}
