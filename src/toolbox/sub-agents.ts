import type { Update } from "../core/events.ts";
import { nearest } from "../core/nearest.ts";
import type { Delegated, Delegation } from "../core/tool.ts";
import type { Mode, Rule } from "../permissions/rule.ts";
import type { Call, CallAgents, CallRequest, Run } from "../pipeline/call.ts";
import { Progress } from "../protocol/progress.ts";
import type { ToolInfo } from "../registry/registry-entry.ts";
import type { LocalSession, ParentSession } from "../sessions/local-session.ts";

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
  readonly session: (sessionID: string) => LocalSession;
  readonly call: (request: CallRequest) => Run;
  /** The tools that an agent is shown in a session. */
  readonly shown: (agent: string, sessionID: string) => readonly ToolInfo[];
}

type TaskSession = Pick<AgentTask, "sessionID" | "resumed">;

/** How deep delegation may nest. */
const MAX_DEPTH = 5;

const NO_AGENT =
  "No sub-agent is available. Do the work yourself with the other tools. A program that embeds Toolwright can provide sub-agents: createToolbox({ subagents }).";

/** Delegates tasks to sub-agents, and records which agents delegated to each session. */
export class Delegations {
  readonly #options: DelegationOptions;

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
    return new DelegationChain(this, this.#options.session, sessionID, agent);
  }

  /** The session itself first, then each session that delegated to the one before it. Their grants apply in it. */
  sessionsOf(sessionID: string): readonly string[] {
    return [sessionID, ...this.#ancestors(sessionID).map((parent) => parent.sessionID)];
  }

  /** The calls that wait for the tasks that a session belongs to. */
  callsAbove(sessionID: string): readonly Call[] {
    return this.sessionsOf(sessionID).flatMap((id) => this.#options.session(id).waitingCall ?? []);
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
    const used = this.#options.session(session.sessionID);
    used.waitingCall = call;
    try {
      if (!session.resumed) await rememberTask(call, work, session);
      const signal = AbortSignal.any([call.signal, over.signal]);
      const { output } = await agents.run(this.#taskFor(call, work, { ...session, progress, signal }));
      return { sessionID: session.sessionID, output: String(output) };
    } finally {
      used.waitingCall = undefined;
      progress.flush();
      over.abort();
    }
  }

  #taskFor(
    { context, scope }: Call,
    { description, prompt, agent }: Delegation,
    { sessionID, resumed, progress, signal }: TaskSession & { progress: Progress; signal: AbortSignal },
  ): AgentTask {
    const { directory, messageID, callID } = context;
    const { answerable, callerIsAsked } = scope;
    // The model of a sub-agent makes its calls, as the model of the delegating agent does.
    const asking = { ...(answerable ? { answerable } : {}), ...(callerIsAsked ? {} : { callerIsAsked }) };
    return {
      description,
      prompt,
      agent,
      sessionID,
      resumed,
      parent: { sessionID: context.sessionID, messageID, callID },
      directory,
      tools: this.#options.shown(agent, sessionID),
      call: (request) =>
        this.#options.call({ ...request, ...asking, sessionID, agent, caller: "agent", directory, signal }),
      progress: (update) => progress.report(update),
      signal,
    };
  }

  /** The session of a task, a new one or that of an earlier task of the calling session. */
  #sessionFor({ context, scope: { session } }: Call, work: Delegation): TaskSession {
    const sessionID = work.sessionID ?? crypto.randomUUID();
    const known = session.get(taskKey(sessionID));
    if (work.sessionID !== undefined && known === undefined) {
      throw new Error(
        `This session has no task with session_id "${work.sessionID}". Omit session_id to start a new task.`,
      );
    }
    if (this.#options.session(sessionID).waitingCall) {
      throw new Error(
        `The task with session_id "${sessionID}" is still running. Wait for its result, or omit session_id to start a new task.`,
      );
    }
    // Without the parents of a task, the rules of the agents above would not apply.
    this.#options.session(sessionID).parent = { sessionID: context.sessionID, agent: context.agent };
    return { sessionID, resumed: known !== undefined };
  }

  #ancestors(sessionID: string): readonly ParentSession[] {
    const { session } = this.#options;
    const found: ParentSession[] = [];
    for (let { parent } = session(sessionID); parent; { parent } = session(parent.sessionID)) {
      found.push(parent);
      if (found.length > MAX_DEPTH) break;
    }
    return found;
  }
}

/** The calling session stores the id of the task, so that only it can resume the task. */
async function rememberTask(
  { scope }: Call,
  { agent, description }: Delegation,
  { sessionID }: TaskSession,
): Promise<void> {
  await scope.session.set(taskKey(sessionID), { agent, description });
}

function taskKey(sessionID: string): string {
  return `task:${sessionID}`;
}

class DelegationChain implements CallAgents {
  readonly names: readonly string[];
  readonly #delegations: Delegations;
  readonly #session: (sessionID: string) => LocalSession;
  readonly #sessionID: string;

  constructor(
    delegations: Delegations,
    session: (sessionID: string) => LocalSession,
    sessionID: string,
    agent: string,
  ) {
    this.names = delegations.agentsOf(sessionID, agent);
    this.#delegations = delegations;
    this.#session = session;
    this.#sessionID = sessionID;
  }

  granted(): readonly Rule[] {
    return this.#delegations.sessionsOf(this.#sessionID).flatMap((id) => this.#session(id).state.grants);
  }

  mode(): Mode | undefined {
    for (const id of this.#delegations.sessionsOf(this.#sessionID)) {
      const { mode } = this.#session(id).state;
      if (mode !== undefined) return mode;
    }
    return undefined;
  }

  grant(rules: readonly Rule[]): Promise<void> | undefined {
    return this.#session(this.#sessionID).grant(rules);
  }

  delegate(call: Call, work: Delegation): Promise<Delegated> {
    return this.#delegations.delegate(call, work);
  }
}

function assertKind(agent: string, kinds: SubAgents["kinds"]): void {
  if (kinds === undefined || Object.hasOwn(kinds, agent)) return;
  const names = Object.keys(kinds);
  const [near] = nearest(agent, names);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  const known = Object.entries(kinds).map(([name, purpose]) => `- ${name}: ${purpose}`);
  throw new Error(`Unknown agent "${agent}".${hint} Available agents:\n${known.join("\n")}`);
}
