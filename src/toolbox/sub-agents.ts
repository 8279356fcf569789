import type { Call, CallAgents, CallRequest, Run } from "../calls/call.ts";
import type { ToolInfo } from "../catalog/registry/registry-entry.ts";
import type { Update } from "../core/events.ts";
import type { Delegated, Delegation } from "../core/tool.ts";
import { Progress } from "../host/protocol/progress.ts";
import { nearest } from "../platform/text/nearest.ts";
import { matchText } from "../platform/text/wildcard.ts";
import { TASK_KEY } from "../sessions/folded-state.ts";
import type { LocalSession } from "../sessions/local-session.ts";
import { addLimits, denialsFor, type SubAgentLimits } from "../sessions/sub-agent-limits.ts";
import { stricterMode } from "../settings/permissions/decide.ts";
import type { Mode, Rule } from "../settings/permissions/rule.ts";
import type { Settings } from "../settings/settings.ts";

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

interface DelegationOptions {
  readonly agents: SubAgents | undefined;
  readonly session: (sessionID: string) => LocalSession;
  readonly settings: () => Pick<Settings, "mode" | "permissions">;
  /** The mode that was named for this program, if it was. */
  readonly namedMode: Mode | undefined;
  readonly call: (request: CallRequest) => Run;
  readonly shown: (agent: string, sessionID: string) => readonly ToolInfo[];
}

type TaskSession = Pick<AgentTask, "sessionID" | "resumed">;

const NONE: SubAgentLimits["denials"] = [];

/** How deep delegation may nest. */
const MAX_DEPTH = 5;

const NO_AGENT =
  "No sub-agent is available. Do the work yourself with the other tools. A program that embeds Toolwright can provide sub-agents: createToolbox({ subagents }).";

const NO_LIMITS =
  "This session of a sub-agent was recorded by an earlier version, which did not store what limits it, so it delegates no work. Begin a new task instead of this one.";

/** Delegates tasks to sub-agents, and records which agents delegated to each session. */
export class Delegations {
  readonly #options: DelegationOptions;

  constructor(options: DelegationOptions) {
    this.#options = options;
  }

  /** The agents whose permission rules apply to a call: the calling agent, then the sub-agent of the session and those above it. */
  agentsOf({ limits }: LocalSession, agent: string): readonly string[] {
    return limits ? [...new Set([agent, ...limits.agents])] : [agent];
  }

  /** The earlier rules that still deny calls in a session. */
  denialsIn({ limits }: LocalSession): SubAgentLimits["denials"] {
    return limits?.denials ?? NONE;
  }

  /** The agents on whose behalf a call in this session is made. `canAsk`: a person can answer a question about it. */
  callAgents(session: LocalSession, agent: string, canAsk: boolean): CallAgents {
    return new DelegationChain(this, session, { agent, canAsk });
  }

  /** The strictest mode of a session and of those that wait for it. Undefined if none of them has one. */
  modeOf(session: LocalSession, canAsk: boolean): Mode | undefined {
    if (!session.parent) return this.#ownMode(session, canAsk);
    const { mode } = this.#options.settings();
    const sessions = this.sessionsOf(session);
    // The first one limits the others. No mode was chosen for the session of a task.
    const modes = sessions.map((each, at) =>
      at === sessions.length - 1 ? this.#ownMode(each, canAsk) : storedMode(each),
    );
    if (modes.every((each) => each === undefined)) return undefined;
    return modes.map((each) => each ?? mode.user).reduce(stricterMode);
  }

  /**
   * The mode of a session. Where no person can be asked, a stored mode only tightens, unless it was chosen in this process: the
   * person who chose it then saw what it allowed.
   */
  #ownMode({ state, chosenMode }: LocalSession, canAsk: boolean): Mode | undefined {
    const stored = storedMode({ state });
    if (stored === undefined || state.lacksLimits || canAsk || stored === chosenMode) return stored;
    const { namedMode, settings } = this.#options;
    return namedMode ?? stricterMode(stored, settings().mode.user);
  }

  /** The session itself first, then each session that waits for the task of the one before it. Their grants apply in it. */
  sessionsOf(session: LocalSession): readonly LocalSession[] {
    const found = [session];
    for (let { parent } = session; parent; ) {
      const above = this.#options.session(parent.sessionID);
      found.push(above);
      if (found.length > MAX_DEPTH + 1) break;
      parent = above.parent;
    }
    return found;
  }

  /** The calls that wait for the tasks that a session belongs to. */
  callsAbove(sessionID: string): readonly Call[] {
    return this.sessionsOf(this.#options.session(sessionID)).flatMap(({ waitingCall }) => waitingCall ?? []);
  }

  /** Rejects if the task cannot be delegated. The model reads the message. */
  async delegate(call: Call, work: Delegation): Promise<Delegated> {
    const { agents } = this.#options;
    if (!agents) throw new Error(NO_AGENT);
    assertKind(work.agent, agents.kinds);
    const by = this.#options.session(call.context.sessionID);
    if (this.sessionsOf(by).length > MAX_DEPTH) {
      throw new Error(`Delegation is limited to ${MAX_DEPTH} levels. Do this part yourself.`);
    }
    if (by.state.lacksLimits) throw new Error(NO_LIMITS);
    const session = this.#sessionFor(call, work);
    const over = new AbortController();
    const progress = new Progress((update) => call.update(update));
    const used = this.#options.session(session.sessionID);
    used.waitingCall = call;
    used.parent = { sessionID: call.context.sessionID };
    used.taskLimits = addLimits(used.taskLimits, this.#limitsOf(call, work));
    try {
      if (!session.resumed) await this.#rememberTask(call, work, session);
      const signal = AbortSignal.any([call.signal, over.signal]);
      const { output } = await agents.run(this.#taskFor(call, work, { ...session, progress, signal }));
      return { sessionID: session.sessionID, output: String(output) };
    } finally {
      used.waitingCall = undefined;
      // Modes and grants of the delegating session apply while it waits. The limits of the task stay.
      used.parent = undefined;
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
  #sessionFor({ context }: Call, work: Delegation): TaskSession {
    if (work.sessionID === undefined) return { sessionID: crypto.randomUUID(), resumed: false };
    const { sessionID } = work;
    const by = this.#options.session(context.sessionID).state.delegatorOf(sessionID);
    if (by === undefined) {
      throw new Error(`This session has no task with session_id "${sessionID}". Omit session_id to start a new task.`);
    }
    // A branch has a copy of the value. The answers that people gave in the session of the task are not for the branch.
    if (by !== context.sessionID) {
      throw new Error(
        `The task with session_id "${sessionID}" belongs to the session that this one is a branch of. Omit session_id to start a new task.`,
      );
    }
    if (this.#options.session(sessionID).waitingCall) {
      throw new Error(
        `The task with session_id "${sessionID}" is still running. Wait for its result, or omit session_id to start a new task.`,
      );
    }
    return { sessionID, resumed: true };
  }

  /** The calling session stores the id of the task, so that only it can resume the task. */
  async #rememberTask({ context }: Call, { agent }: Delegation, { sessionID: task }: TaskSession): Promise<void> {
    const { sessionID } = context;
    const event = { type: "state.set", of: "session", key: `${TASK_KEY}${task}`, value: { agent }, sessionID } as const;
    await this.#options.session(sessionID).record(event);
  }

  #limitsOf({ scope }: Call, { agent }: Delegation): SubAgentLimits {
    const { user, project } = this.#options.settings().permissions;
    const agents = [...new Set([agent, ...scope.agents.names])];
    const isFor = (rule: Rule): boolean => agents.some((name) => matchText(rule.agent ?? "*", name));
    const denials = [user, project].flatMap((rules) => denialsFor(rules, isFor));
    return { agents, tools: [], denials: [...denials, ...scope.agents.denials()] };
  }
}

function storedMode({ state }: Pick<LocalSession, "state">): Mode | undefined {
  return state.lacksLimits ? "plan" : state.mode;
}

class DelegationChain implements CallAgents {
  readonly names: readonly string[];
  readonly #delegations: Delegations;
  readonly #session: LocalSession;
  readonly #canAsk: boolean;

  constructor(
    delegations: Delegations,
    session: LocalSession,
    { agent, canAsk }: { readonly agent: string; readonly canAsk: boolean },
  ) {
    this.names = delegations.agentsOf(session, agent);
    this.#delegations = delegations;
    this.#session = session;
    this.#canAsk = canAsk;
  }

  granted(): readonly Rule[] {
    return this.#delegations.sessionsOf(this.#session).flatMap(({ state }) => state.grants);
  }

  mode(): Mode | undefined {
    return this.#delegations.modeOf(this.#session, this.#canAsk);
  }

  denials(): SubAgentLimits["denials"] {
    return this.#delegations.denialsIn(this.#session);
  }

  grant(rules: readonly Rule[]): Promise<void> | undefined {
    return this.#session.grant(rules);
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
