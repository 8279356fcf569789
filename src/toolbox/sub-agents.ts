import type { Update } from "../core/events.ts";
import { nearest } from "../core/nearest.ts";
import type { Delegated, Delegation } from "../core/tool.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { Rule } from "../permissions/rule.ts";
import type { Call, CallAgents, CallRequest, Run } from "../pipeline/call.ts";
import type { Clock } from "../pipeline/clock.ts";
import type { Approver } from "../pipeline/permission-question.ts";
import { Progress } from "../protocol/progress.ts";
import type { ToolInfo } from "../registry/registry-entry.ts";
import { SessionGrants } from "../sessions/session-grants.ts";

/** Runs the tasks that agents delegate with the tool `task`. */
export interface SubAgents {
  /** The kinds of agents, each with its purpose. If left out, any name is accepted. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** Resolves when the task is done. May reject: the delegating model reads the message. */
  run(task: AgentTask): Promise<{ readonly output: string }>;
}

/** One task for a sub-agent. */
export interface AgentTask {
  readonly description: string;
  readonly prompt: string;
  /** The kind of agent. The permission rules for this agent apply to its calls, and so do those of the agents above it. */
  readonly agent: string;
  /** The session of the task: a new one or, if `resumed`, that of an earlier task. */
  readonly sessionID: string;
  readonly resumed: boolean;
  readonly parent: { readonly sessionID: string; readonly messageID: string; readonly callID: string };
  /** The directory of the task and of its calls. */
  readonly directory: string;
  /** The tools to show to its model, without those that the rules deny to it or to an agent above it. */
  readonly tools: readonly ToolInfo[];
  /** Calls a tool in the task's session. The call ends with the task. */
  call(request: Pick<CallRequest, "name" | "input" | "callID" | "messageID">): Run;
  /** Reports progress of the delegating call. */
  progress(update: Update): void;
  /** Fires when the task is cancelled and when it is over. */
  readonly signal: AbortSignal;
}

export interface DelegationOptions {
  readonly agents: SubAgents | undefined;
  readonly call: (request: CallRequest) => Run;
  /** The tools that an agent is shown in a session. */
  readonly shown: (agent: string, sessionID: string) => readonly ToolInfo[];
}

interface Parent {
  readonly sessionID: string;
  readonly agent: string;
}

type TaskSession = Pick<AgentTask, "sessionID" | "resumed">;

/** How deep delegation may nest. */
const MAX_DEPTH = 5;
/** Beyond this many sub-agent sessions, the parents of the oldest are forgotten. */
const MAX_SESSIONS = 10_000;

const NO_AGENT =
  "No sub-agent is available. Do the work yourself with the other tools. A program that embeds Toolwright can provide sub-agents: createToolbox({ agents }).";

/** Delegates tasks to sub-agents, and records which agents delegated to each session. */
export class Delegations {
  readonly #options: DelegationOptions;
  readonly #grants = new SessionGrants();
  readonly #parents = new Map<string, Parent>();
  /** The sessions of running tasks, with the calls that wait for them. */
  readonly #busy = new Map<string, Call>();

  constructor(options: DelegationOptions) {
    this.#options = options;
  }

  /** The agents whose permission rules apply to a call: the calling agent, then those that delegated to it. */
  agentsOf(sessionID: string, agent: string): readonly string[] {
    const above = this.#ancestors(sessionID).map((parent) => parent.agent);
    return [agent, ...above];
  }

  /** The agents on whose behalf a call in this session is made. */
  callAgents(sessionID: string, agent: string): CallAgents {
    return new DelegationChain(this, this.#grants, sessionID, agent);
  }

  /** The session itself first, then each session that delegated to the one before it. Their grants apply in it. */
  sessionsOf(sessionID: string): readonly string[] {
    return [sessionID, ...this.#ancestors(sessionID).map((parent) => parent.sessionID)];
  }

  /** Wraps an approver: while it waits for an answer, the clocks of all calls above the one in question stop. */
  wrapApprover(approve: Approver | undefined): Approver | undefined {
    if (!approve) return undefined;
    return async (question, signal) => {
      const clocks = this.sessionsOf(question.sessionID).flatMap((id) => this.#busy.get(id)?.clock ?? []);
      const answer = await whilePaused(clocks, () => untilAborted(signal, () => approve(question, signal)));
      return answer ?? { allowed: false, reason: "The call was cancelled before the question was answered." };
    };
  }

  /** Rejects if the task cannot be delegated. The model reads the message. */
  async delegate(call: Call, work: Delegation): Promise<Delegated> {
    const { agents } = this.#options;
    if (!agents) throw new Error(NO_AGENT);
    assertKind(work.agent, agents.kinds);
    if (this.#ancestors(call.context.sessionID).length >= MAX_DEPTH) {
      throw new Error(`Delegation is limited to ${MAX_DEPTH} levels. Do this part yourself.`);
    }
    const session = this.#sessionFor(call, work);
    const over = new AbortController();
    const progress = new Progress((update) => call.update(update));
    this.#busy.set(session.sessionID, call);
    try {
      const signal = AbortSignal.any([call.signal, over.signal]);
      const { output } = await agents.run(this.#taskFor(call, work, { ...session, progress, signal }));
      return { sessionID: session.sessionID, output: String(output) };
    } finally {
      this.#busy.delete(session.sessionID);
      progress.flush();
      over.abort();
    }
  }

  #taskFor(
    { context }: Call,
    { description, prompt, agent }: Delegation,
    { sessionID, resumed, progress, signal }: TaskSession & { progress: Progress; signal: AbortSignal },
  ): AgentTask {
    const { directory, messageID, callID } = context;
    return {
      description,
      prompt,
      agent,
      sessionID,
      resumed,
      parent: { sessionID: context.sessionID, messageID, callID },
      directory,
      tools: this.#options.shown(agent, sessionID),
      call: (request) => this.#options.call({ ...request, sessionID, agent, directory, signal }),
      progress: (update) => progress.report(update),
      signal,
    };
  }

  /** Starts or resumes the session of a task. The calling session stores the id, so that only it can resume the task. */
  #sessionFor({ context, scope: { session } }: Call, work: Delegation): TaskSession {
    const sessionID = work.sessionID ?? crypto.randomUUID();
    const key = `task:${sessionID}`;
    const known = session.get(key);
    if (work.sessionID !== undefined && known === undefined) {
      throw new Error(
        `This session has no task with session_id "${work.sessionID}". Omit session_id to start a new task.`,
      );
    }
    if (this.#busy.has(sessionID)) {
      throw new Error(
        `The task with session_id "${sessionID}" is still running. Wait for its result, or omit session_id to start a new task.`,
      );
    }
    if (known === undefined) session.set(key, { agent: work.agent, description: work.description });
    this.#remember(sessionID, { sessionID: context.sessionID, agent: context.agent });
    return { sessionID, resumed: known !== undefined };
  }

  /** Keeps the parents of running tasks: without them, the rules of the agents above would no longer apply. */
  #remember(sessionID: string, parent: Parent): void {
    this.#parents.delete(sessionID);
    this.#parents.set(sessionID, parent);
    for (const each of this.#parents.keys()) {
      if (this.#parents.size <= MAX_SESSIONS) return;
      if (each !== sessionID && !this.#busy.has(each)) this.#parents.delete(each);
    }
  }

  #ancestors(sessionID: string): readonly Parent[] {
    const found: Parent[] = [];
    for (let parent = this.#parents.get(sessionID); parent; parent = this.#parents.get(parent.sessionID)) {
      found.push(parent);
      if (found.length > MAX_DEPTH) break;
    }
    return found;
  }
}

class DelegationChain implements CallAgents {
  readonly names: readonly string[];
  readonly #delegations: Delegations;
  readonly #grants: SessionGrants;
  readonly #sessionID: string;

  constructor(delegations: Delegations, grants: SessionGrants, sessionID: string, agent: string) {
    this.names = delegations.agentsOf(sessionID, agent);
    this.#delegations = delegations;
    this.#grants = grants;
    this.#sessionID = sessionID;
  }

  granted(): readonly Rule[] {
    return this.#grants.of(this.#delegations.sessionsOf(this.#sessionID));
  }

  grant(rules: readonly Rule[]): void {
    this.#grants.add(this.#sessionID, rules);
  }

  delegate(call: Call, work: Delegation): Promise<Delegated> {
    return this.#delegations.delegate(call, work);
  }
}

function whilePaused<T>([clock, ...others]: readonly Clock[], work: () => Promise<T>): Promise<T> {
  return clock ? clock.pausedFor(() => whilePaused(others, work)) : work();
}

function assertKind(agent: string, kinds: SubAgents["kinds"]): void {
  if (kinds === undefined || Object.hasOwn(kinds, agent)) return;
  const names = Object.keys(kinds);
  const [near] = nearest(agent, names);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  const known = Object.entries(kinds).map(([name, purpose]) => `- ${name}: ${purpose}`);
  throw new Error(`Unknown agent "${agent}".${hint} Available agents:\n${known.join("\n")}`);
}
