import type { Update } from "../core/events.ts";
import { nearest } from "../core/nearest.ts";
import type { Delegated, Delegation } from "../core/tool.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { Call, CallRequest, Run } from "../pipeline/call.ts";
import type { Clock } from "../pipeline/clock.ts";
import type { Approver } from "../pipeline/question.ts";
import { Progress } from "../protocol/progress.ts";
import type { ToolInfo } from "../registry/entry.ts";

/** Agents that do what another agent hands to them. */
export interface SubAgents {
  /** The kinds there are, and what each is for. Any name will do where this is left out. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** Works until the task is done. May reject: the message is for the model that handed it over. */
  run(task: AgentTask): Promise<{ readonly output: string }>;
}

/** One piece of work for a sub-agent. */
export interface AgentTask {
  readonly description: string;
  readonly prompt: string;
  /** The kind of agent that is wanted: its calls stand under the rules for that agent too. */
  readonly agent: string;
  /** The session in which it works: a new one, or, when `resumed`, that of an earlier task. */
  readonly sessionID: string;
  readonly resumed: boolean;
  readonly parent: { readonly sessionID: string; readonly messageID: string; readonly callID: string };
  /** What the task is about: its calls are about that too. */
  readonly directory: string;
  /** What its model is to be shown: nothing that the rules deny it, or any agent above it. */
  readonly tools: readonly ToolInfo[];
  /** Calls a tool in the task's session. The call ends with the task. */
  call(request: Pick<CallRequest, "name" | "input" | "callID" | "messageID">): Run;
  /** Shows how far it is, as progress of the call that handed the task over. */
  progress(update: Update): void;
  /** Fires when nobody wants the task done any more, and when it is over. */
  readonly signal: AbortSignal;
}

/** What delegations need of the toolbox. */
export interface DelegationOptions {
  readonly agents: SubAgents | undefined;
  readonly call: (request: CallRequest) => Run;
  /** What an agent in that session is shown. */
  readonly shown: (agent: string, sessionID: string) => readonly ToolInfo[];
  readonly state: {
    get(sessionID: string, key: string): unknown;
    set(sessionID: string, key: string, value: unknown): void;
  };
}

interface Parent {
  readonly sessionID: string;
  readonly agent: string;
}

/** The session in which a task is done. */
type TaskSession = Pick<AgentTask, "sessionID" | "resumed">;

/** How deep agents may hand work on. */
const MAX_DEPTH = 5;
/** Sessions of sub-agents whose parents are known; the oldest are forgotten. */
const MAX_SESSIONS = 10_000;

const NO_AGENT =
  "There is no agent here to hand work to. Do it yourself with the other tools; whoever runs this program can attach one (createToolbox({ agents })).";

/** Hands work to sub-agents, and knows on whose behalf they call. */
export class Delegations {
  readonly #options: DelegationOptions;
  readonly #parents = new Map<string, Parent>();
  /** The sessions in which somebody is at work, and the calls that wait for it. */
  readonly #busy = new Map<string, Call>();

  constructor(options: DelegationOptions) {
    this.#options = options;
  }

  /** The agents on whose behalf a call is made, its own first: the rules for each of them hold. */
  agentsOf(sessionID: string, agent: string): readonly string[] {
    const above = this.#ancestors(sessionID).map((parent) => parent.agent);
    return [agent, ...above];
  }

  /** The sessions whose answers hold in this one, its own first. */
  sessionsOf(sessionID: string): readonly string[] {
    return [sessionID, ...this.#ancestors(sessionID).map((parent) => parent.sessionID)];
  }

  /** Puts questions as this approver does; meanwhile the clocks of all calls stand that wait for the one in question. */
  asking(approve: Approver | undefined): Approver | undefined {
    if (!approve) return undefined;
    return async (question, signal) => {
      const clocks = this.sessionsOf(question.sessionID).flatMap((id) => this.#busy.get(id)?.clock ?? []);
      const answer = await whileStanding(clocks, () => untilAborted(signal, () => approve(question, signal)));
      return answer ?? { allowed: false, reason: "Nobody needs the answer any more." };
    };
  }

  /** Rejects with words for the model where it cannot be done. */
  async delegate(call: Call, work: Delegation): Promise<Delegated> {
    const { agents } = this.#options;
    if (!agents) throw new Error(NO_AGENT);
    mustBeKind(work.agent, agents.kinds);
    if (this.#ancestors(call.context.sessionID).length >= MAX_DEPTH) {
      throw new Error(`Work has been handed on ${MAX_DEPTH} times already. Do this part yourself.`);
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

  /** A session of its own, remembered in the state of the one that asked, so that it can be resumed from there. */
  #sessionFor({ context }: Call, work: Delegation): TaskSession {
    const { state } = this.#options;
    const sessionID = work.sessionID ?? crypto.randomUUID();
    const key = `task:${sessionID}`;
    const known = state.get(context.sessionID, key);
    if (work.sessionID !== undefined && known === undefined) {
      throw new Error(
        `There is no task with the session_id "${work.sessionID}" in this session. Leave session_id out to begin a new one.`,
      );
    }
    if (this.#busy.has(sessionID)) {
      throw new Error(
        `The agent of the session_id "${sessionID}" is still at work. Wait for its answer, or leave session_id out to begin a new task.`,
      );
    }
    if (known === undefined) state.set(context.sessionID, key, { agent: work.agent, description: work.description });
    this.#remember(sessionID, { sessionID: context.sessionID, agent: context.agent });
    return { sessionID, resumed: known !== undefined };
  }

  /** Nobody who is at work is forgotten: its calls would no longer stand under the rules of those above it. */
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

function whileStanding<T>([clock, ...others]: readonly Clock[], work: () => Promise<T>): Promise<T> {
  return clock ? clock.pausedFor(() => whileStanding(others, work)) : work();
}

function mustBeKind(agent: string, kinds: SubAgents["kinds"]): void {
  if (kinds === undefined || Object.hasOwn(kinds, agent)) return;
  const names = Object.keys(kinds);
  const [near] = nearest(agent, names);
  const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
  const known = Object.entries(kinds).map(([name, purpose]) => `- ${name}: ${purpose}`);
  throw new Error(`There is no agent of the kind "${agent}".${meant} There are:\n${known.join("\n")}`);
}
