import type { ToolResult } from "../core/result.ts";
import type { Access, AskRequest, DeclaredAccess } from "../core/tool.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { Hosts } from "../host/hosts.ts";
import type { Decision } from "../permissions/decide.ts";
import type { Answer } from "./answer.ts";
import type { Call, Step } from "./call.ts";
import { crashed, failure, invalidInput, stopped, unavailable } from "./failures.ts";
import { withRealTargets } from "./real-targets.ts";

/** What a person is asked. */
export interface Question {
  readonly tool: string;
  readonly callID: string;
  readonly sessionID: string;
  readonly agent: string;
  readonly input: unknown;
  readonly access: readonly Access[];
  /** Why the question comes up, as a sentence. */
  readonly reason: string;
  /** Set when the tool itself asks, while it runs. */
  readonly request?: AskRequest;
}

/** Puts a question to a person. The signal fires when nobody needs the answer any more. */
export type Approver = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** Who decides about calls. */
export interface PermitOptions {
  readonly hosts: Hosts;
  readonly decide: (call: Call, access: readonly Access[]) => Decision;
  readonly approve: Approver | undefined;
  /** Whether whoever calls has already been asked, so that what no rule speaks of is a yes. */
  readonly callerIsAsked: boolean;
}

/**
 * Checks the input before anybody is asked about it, and learns what the call touches. Where the answer would be yes
 * whatever the input is, this is left to the host, which checks every input once more in any case.
 */
export function createValidate(options: PermitOptions): Step {
  return async (call, next) => {
    const { declaresAccess } = call.entry.manifest;
    if (!declaresAccess && isYes(options.decide(call, call.access), options)) return next(call);
    const { ref, manifest } = call.entry;
    const target = { file: ref.file.file, tool: manifest.name };
    const session = call.session ?? { id: call.context.sessionID };
    const request = { kind: "prepare", target, input: call.input, cwd: call.context.directory, session } as const;
    call.clock.start();
    const outcome = await untilAborted(call.signal, () => options.hosts.ask<"prepare">(ref, request, call.signal));
    call.clock.stop();
    if (!outcome) return stopped(call);
    switch (outcome.kind) {
      case "prepared":
        return next({ ...call, access: withRealTargets(outcome.access, call.context.directory) });
      case "invalid":
        return invalidInput(call.name, outcome.issues);
      case "died":
        return crashed(call.name, outcome.reason);
      case "not-begun":
        return crashed(call.name, "no process answered when its input was to be checked");
      case "failed":
        return failure("failed", outcome.message);
      case "trouble":
        return unavailable(call.name, outcome);
    }
  };
}

/** Lets a call through, asks a person, or refuses it. */
export function createPermit(options: PermitOptions): Step {
  return async (call, next) => {
    const answer = await untilAborted(call.signal, () => permission(call, call.access, options));
    if (!answer) return stopped(call);
    return answer.allowed ? next(call) : denied(call, answer.reason);
  };
}

/** Whether a call may touch this: by the rules, or by the word of a person. */
async function permission(call: Call, access: readonly Access[], options: PermitOptions): Promise<Answer> {
  const decision = options.decide(call, access);
  if (isYes(decision, options)) return { allowed: true };
  if (decision.action === "deny") return { allowed: false, reason: decision.reason };
  return ask({ ...call, access }, options.approve, decision.reason);
}

/** Whether a running call may touch something more. */
export function createPermitMore(options: PermitOptions): (call: Call, access: DeclaredAccess) => Promise<Answer> {
  return (call, access) => permission(call, withRealTargets([access], call.context.directory), options);
}

/** Which things a running call may touch without anybody being asked. Links are the tool's to resolve. */
export function createPermitted(options: PermitOptions): (call: Call, access: readonly DeclaredAccess[]) => boolean[] {
  return (call, access) => access.map((each) => isYes(options.decide(call, [each]), options));
}

/** Answers what a tool asks while it runs: always put to a person, and refused where there is none. */
export function createAsk(approve: Approver | undefined): (call: Call, request: AskRequest) => Promise<Answer> {
  return async (call, request) => {
    const reason = `"${call.name}" asks for permission: ${request.permission}.`;
    return (await untilAborted(call.signal, () => ask(call, approve, reason, request))) ?? { allowed: false, reason };
  };
}

function isYes({ action }: Decision, { callerIsAsked }: PermitOptions): boolean {
  return action === "allow" || (action === "implicit-ask" && callerIsAsked);
}

async function ask(call: Call, approve: Approver | undefined, reason: string, request?: AskRequest): Promise<Answer> {
  if (!approve) return { allowed: false, reason: `${reason} Nobody can be asked here, so it was refused.` };
  const { callID, sessionID, agent } = call.context;
  const { input, access, name: tool } = call;
  // Fires as well when the call dies: whoever has the question on a screen takes it down.
  const over = new AbortController();
  call.atEnd.push(() => over.abort());
  try {
    const question = { tool, callID, sessionID, agent, input, access, reason, ...(request ? { request } : {}) };
    return await approve(question, AbortSignal.any([call.signal, over.signal]));
  } catch {
    return { allowed: false, reason: `${reason} The question could not be put to anybody, so it was refused.` };
  }
}

function denied(call: Call, reason: string): ToolResult {
  return failure("denied", `"${call.name}" was not allowed to run. ${reason}`);
}
