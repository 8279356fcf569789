import type { PermitAnswer } from "../core/coding-agent.ts";
import { messageOf } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import type { Access, AskRequest, DeclaredAccess } from "../core/tool.ts";
import { isInside } from "../platform/files/inside.ts";
import { isFolder } from "../platform/files/is-folder.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";
import { SHARED_SESSION_ID } from "../sessions/log/session-id.ts";
import {
  type ApprovalContext,
  type ApprovalOptions,
  approvalOptions,
  proposedMatches,
  requestedAccess,
  undoneDenial,
} from "../settings/permissions/approval-options.ts";
import { type DecideRequest, type Decision, decide, decideEach, mayRestrict } from "../settings/permissions/decide.ts";
import { ruleText } from "../settings/permissions/reason.ts";
import type { AskingCall, Call, Step } from "./call.ts";
import { ALLOWABLE, failure, notAllowed, stopped } from "./failures.ts";
import type { PermissionContextOf } from "./permission-context.ts";
import { type Answer, askPermission, CANCELLED } from "./permission-question.ts";
import type { PipelineParts } from "./pipeline-parts.ts";
import { prepare } from "./prepare.ts";
import { withRealTargets } from "./real-targets.ts";
import { explainBlocked, explainDisabled } from "./resolve-tool.ts";
import { createUndeclaredCheck } from "./undeclared-access.ts";

/** Decides what calls may touch: by the rules, by earlier answers, or by asking a person. */
export class CallPermissions {
  readonly #parts: PipelineParts;
  readonly #contextOf: PermissionContextOf;
  readonly #mayTouchUndeclared: (call: Call) => boolean;

  constructor(parts: PipelineParts, contextOf: PermissionContextOf) {
    this.#parts = parts;
    this.#contextOf = contextOf;
    this.#mayTouchUndeclared = createUndeclaredCheck(parts.catalog, (call, answers) => {
      const context = contextOf(call, call.access);
      return isYes(call, decide(answers === "with answers" ? context : { ...context, granted: [] }));
    });
  }

  /**
   * Lets a call through, asks a person, or refuses it. The host validates the input when it runs the tool, and before that
   * in this step, unless the tool declares no access and the rules allow undeclared access.
   */
  readonly step: Step = (call, next) => {
    const passes = !call.entry.manifest.declaresAccess && !call.signal.aborted && this.#mayTouchUndeclared(call);
    return passes ? this.#run(call, next) : this.#validate(call, next);
  };

  /** Whether a running call may touch a target that it did not declare before it started. */
  async permitUndeclared(call: Call, access: DeclaredAccess): Promise<PermitAnswer> {
    const all = withRealTargets([access], call.context.directory);
    const more = all.filter((each) => !call.access.some((known) => isSame(known, each)));
    if (more.length === 0) return { allowed: true };
    return (await untilAborted(call.signal, () => this.#permission(call, more))) ?? CANCELLED;
  }

  /** For each target, whether a running call may touch it without asking a person. The tool must resolve links itself. */
  permitted(call: Call, access: readonly DeclaredAccess[]): boolean[] {
    if (access.length === 0) return [];
    return decideEach(this.#contextOf(call, access)).map((decision) => isYes(call, decision));
  }

  /** Whether a running call may read everything below a folder of the project without asking a person: no rule restricts the tool. */
  permittedBelow(call: Call, folder: string): boolean {
    const context = this.#contextOf(call, [{ kind: "read", target: folder, named: true }]);
    const isInProject = context.roots?.some((root) => isInside(root, folder)) === true;
    return isInProject && !mayRestrict(context) && isYes(call, decide(context));
  }

  /** Answers a question that a tool asks while it runs, by an earlier answer or by asking a person. */
  async ask(call: Call, request: AskRequest): Promise<PermitAnswer> {
    const context = (): DecideRequest => this.#contextOf(call, requestedAccess(request));
    const options = { proposed: proposedMatches(request) };
    return (await untilAborted(call.signal, () => this.#settle({ call, context, options, request }))) ?? CANCELLED;
  }

  /** Decides on a call that the pipeline does not run. */
  async permit(call: AskingCall): Promise<PermitAnswer> {
    const access = withRealTargets(call.access, call.context.directory);
    return (await untilAborted(call.signal, () => this.#permission(call, access))) ?? CANCELLED;
  }

  /** Asks the tool what the call touches, and decides by the rules or by asking a person. */
  async #validate(unchecked: Call, next: Parameters<Step>[1]): Promise<ToolResult> {
    const { clock, signal } = unchecked;
    const { hosts } = this.#parts;
    const access = await clock.countFrom((started) => untilAborted(signal, () => prepare(unchecked, hosts, started)));
    if (!access || signal.aborted) return stopped(unchecked);
    if ("ok" in access) return access;
    const call = { ...unchecked, access };
    // The rules allow most calls, which then need no further wait.
    if (isYes(call, decide(this.#contextOf(call, access)))) return this.#run(call, next);
    const answer = await untilAborted(signal, () => this.#permission(call, access));
    if (!answer) return stopped(call);
    if (answer.allowed) return this.#run(call, next);
    return notAllowed(call.name, answer.reason, answer.allowable && ALLOWABLE);
  }

  /** Runs the tool, unless the user has disabled it, or no longer trusts its project, since the call began. */
  #run(call: Call, next: Parameters<Step>[1]): Promise<ToolResult> {
    const { name, entry } = call;
    const { file } = entry.ref.file;
    const found = this.#parts.catalog.registry.lookup(name);
    const isDisabled = found.kind === "disabled" && found.entry.ref.file.file === file;
    const blocked = this.#parts.status.blocked.find(({ files }) => files.includes(file));
    if (!isDisabled && !blocked) return next(call);
    return Promise.resolve(failure("denied", blocked ? explainBlocked(name, blocked) : explainDisabled(name)));
  }

  #permission(call: AskingCall, access: readonly Access[]): Promise<PermitAnswer> {
    const context = (): DecideRequest => this.#contextOf(call, access);
    return this.#settle({ call: { ...call, access }, context, options: { isFolder } });
  }

  async #settle(asked: PermissionRequest): Promise<PermitAnswer> {
    const decision = decide(asked.context());
    if (isYes(asked.call, decision)) return { allowed: true };
    if (decision.action === "deny") return { allowed: false, reason: decision.reason };
    const reason = this.#reasonOf(asked, decision);
    const answer = await this.#askPerson(asked, reason);
    if (answer) return answer.allowed ? unlessDenied(answer, decide(asked.context())) : answer;
    const { settingsFile } = this.#parts.paths;
    const { ground } = decision;
    const needsNamed = ground === "unnamed" || ground === "code";
    const next =
      (needsNamed && ruleToAdd(approvalOptions(asked.context(), asked.options), settingsFile)) ||
      "Find another way, or tell the user.";
    const allowable = needsNamed || ground === "asked" ? {} : ALLOWABLE;
    return {
      allowed: false,
      reason: `${reason} No person can be asked here, so it was refused. ${next}`,
      ...allowable,
    };
  }

  /** Names everything that is still undecided: a yes covers all of it. */
  #reasonOf({ call, context, request }: PermissionRequest, { ground }: Decision): string {
    if (request && ground === "asked") return `"${call.name}" asks for permission: ${request.permission}.`;
    const open = decideEach(context()).filter((each) => !isYes(call, each));
    const reasons = [...new Set(open.map(({ reason }) => reason))];
    const more = reasons.length - MAX_REASONS;
    return [
      ...reasons.slice(0, MAX_REASONS),
      ...(more > 0 ? [`It touches ${more} more targets that need permission.`] : []),
    ].join(" ");
  }

  /**
   * Asks a person and remembers the answer for as long as they choose from the offer. If an answer to another question
   * allows this meanwhile, the question is withdrawn. Resolves to undefined if no person can be asked.
   */
  async #askPerson(asked: PermissionRequest, reason: string): Promise<Answer | undefined> {
    const { call, request } = asked;
    const { questions, paths } = this.#parts;
    const offer = offerIn(call, approvalOptions(asked.context(), asked.options));
    const details = { reason, ...offer, settingsFile: paths.settingsFile, ...(request ? { request } : {}) };
    const isAllowed = (): boolean => isYes(call, decide(asked.context()));
    const answer = await askPermission(call, details, questions, isAllowed);
    if (!answer?.allowed || answer.remember === undefined) return answer;
    // If "always" is not offered, that answer is remembered for the session only.
    const how = offer.choices.includes("always") ? answer.remember : "session";
    if (!offer.choices.includes(how) || decide(asked.context()).action === "deny") return answer;
    await this.#remember(how, offer, asked);
    questions.withdrawAllowed();
    return answer;
  }

  /** Grants rules to the session, or adds them to the user's settings. Never rejects. */
  async #remember(how: "session" | "always", offer: ApprovalOptions, asked: PermissionRequest): Promise<void> {
    const { catalog, paths } = this.#parts;
    const { rules } = offer;
    try {
      if (how === "session") return await asked.call.scope.agents.grant(rules);
      const { addRules } = await import("../settings/add-rules.ts");
      await addRules(paths.settingsFile, rules, (known) => {
        const context = asked.context();
        return undoneDenial(rules, { ...context, user: { ...context.user, rules: known } }, asked.options);
      });
      catalog.addRules(rules);
    } catch (error) {
      const forSession = offer.choices.includes("session");
      const notSaved = forSession ? NOT_SAVED : NOT_SAVED_ONCE;
      const message = how === "session" ? messageOf(error) : `${notSaved} ${messageOf(error)}`;
      catalog.warn({ file: paths.settingsFile, message });
      if (how === "always" && forSession) await this.#remember("session", offer, asked);
    }
  }
}

/** A request of a call for permission, with the rules that apply and the answers to offer. */
interface PermissionRequest {
  readonly call: AskingCall;
  /** Computed again each time: an answer to another question, or a changed file, may have changed it. */
  readonly context: () => DecideRequest;
  readonly options: ApprovalContext;
  readonly request?: AskRequest;
}

const NOT_SAVED = "The rule could not be saved here, so the answer applies to this session only.";
const NOT_SAVED_ONCE = "The rule could not be saved here, so the answer applies to this call only.";

/** Callers without a session share one. An answer for it would apply to calls of other callers, and never end. */
function offerIn({ context }: AskingCall, offer: ApprovalOptions): ApprovalOptions {
  if (context.sessionID !== SHARED_SESSION_ID) return offer;
  return { ...offer, choices: offer.choices.filter((choice) => choice !== "session") };
}

/** The maximum number of reasons in a question. */
const MAX_REASONS = 10;

/** An implicit ask: no rule covers the call. With `callerIsAsked` the caller decides such calls, so they are allowed. */
function isYes({ scope }: Pick<Call, "scope">, { action }: Decision): boolean {
  return action === "allow" || (action === "implicit-ask" && scope.callerIsAsked);
}

/** A rule that was added while the question was open counts: "deny" is always no. */
function unlessDenied(answer: Answer, { action, reason }: Decision): Answer {
  return action === "deny" ? { allowed: false, reason } : answer;
}

/** `named` access needs a rule that names its target: permission for the same access without `named` does not suffice. */
function isSame(known: Access, wanted: Access): boolean {
  if (typeof known === "string" || typeof wanted === "string") return known === wanted;
  const isStrict = known.named === true || wanted.named !== true;
  return known.kind === wanted.kind && known.target === wanted.target && isStrict;
}

/** The rule that allows access for which a rule must name the target, if it may be remembered. */
function ruleToAdd({ choices, rules }: ApprovalOptions, settingsFile: string): string | undefined {
  if (!choices.includes("always")) return undefined;
  return `To allow it, the user can add ${rules.map(ruleText).join(", ")} to "permissions" in ${settingsFile}.`;
}
