import type { Call, Run } from "../calls/call.ts";
import type { AgentRun, AgentSession, CodingAgent } from "../core/coding-agent.ts";
import type { Content } from "../core/result.ts";
import type { SessionSnapshot } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { Mode, Rule } from "../settings/permissions/rule.ts";
import { type CallerSession, FoldedState } from "./folded-state.ts";
import type { MessageEntries } from "./message-entries.ts";
import type { RecordedSession } from "./recorded-session.ts";
import { addLimits, type SubAgentLimits } from "./sub-agent-limits.ts";
import type { TurnRecorder } from "./turn-recorder.ts";

/** The session that waits for the task of a session. */
interface ParentSession {
  readonly sessionID: string;
}

/** The session of an agent that runs a session of ours in this process. */
export interface AttachedAgent {
  readonly agent: CodingAgent;
  readonly session: AgentSession;
  /** The options that cannot be changed without opening the agent's session again, as JSON. */
  readonly key: string;
  readonly model: { readonly provider?: string; readonly id?: string };
  readonly systemPrompt: string | undefined;
  /** The only tools that it is shown, and which built-in tools. */
  readonly shown: { readonly tools?: readonly string[]; readonly builtins: boolean | readonly string[] };
  /** The timer that closes the agent's session. */
  idle: NodeJS.Timeout | undefined;
  /** Text for the model before the next prompt: an earlier conversation that the agent does not have. */
  preamble: string | undefined;
  /** The running turn, for the calls and questions of the agent. */
  readonly current: { turn: CurrentTurn | undefined };
}

export interface CurrentTurn {
  readonly recorder: Pick<TurnRecorder, "messageID" | "markAllowable">;
  readonly signal: AbortSignal;
  /** The running calls of our tools. */
  readonly calls: Set<AgentRun>;
  /** The number of questions of the agent that wait for an answer. */
  permits: number;
}

/** The message to which a new call of the agent belongs: the last one of its model, or the prompt. */
export function currentMessageID({ turn }: AttachedAgent["current"]): string {
  return turn?.recorder.messageID ?? "";
}

/** A session that this process uses: its state, and what concerns only this process. */
export class LocalSession {
  readonly id: string;
  /** Replaced when the session is read from its log. */
  state: FoldedState;
  /** The running calls. */
  readonly runs: Set<Run> = new Set();
  /** The identities of the tools when the session began, by name. */
  pinned: ReadonlyMap<string, string> | undefined;
  /** Set for the session of a sub-agent while its task runs. */
  parent: ParentSession | undefined;
  /** What limits the session of a sub-agent, by the tasks of this process. It is stored when the session is recorded. */
  taskLimits: SubAgentLimits | undefined;
  /** The mode that a person or a program has chosen for the session in this process. */
  chosenMode: Mode | undefined;
  /** The log of a session that is recorded. */
  log: RecordedSession | undefined;
  /** Whether the callers have already asked their users; undefined leaves it to the toolbox. */
  callerIsAsked: boolean | undefined;
  /** Whether a person can answer questions about the calls. */
  answerable = false;
  /** Whether a client of the REST API has used the session. */
  isOverHttp = false;
  /** The running turn. */
  turn:
    | { readonly isEnding: boolean; readonly result: Promise<unknown>; abort(): void; supersede(error: unknown): void }
    | undefined;
  /** The messages of the session, if an agent runs it in this process. */
  conversation: MessageEntries | undefined;
  /** Texts of tool files for the model, before the next prompt. */
  readonly notes: string[] = [];
  /** How often tool files were reminded of open to-dos since the last prompt that is not theirs. */
  todoReminders = 0;
  /** Prompts of tool files for the running turn. They follow the current prompt. */
  readonly queued: (readonly Content[])[] = [];
  /** The session of the agent that ran the last turn in this process. */
  attached: AttachedAgent | undefined;
  /** The call that waits for the running task of a sub-agent's session. */
  waitingCall: Call | undefined;

  constructor(id: string) {
    this.id = id;
    this.state = new FoldedState(id);
  }

  /** What limits the sub-agent of the session; undefined for other sessions. */
  get limits(): SubAgentLimits | undefined {
    const { taskLimits, state } = this;
    return taskLimits ? addLimits(state.limits, taskLimits) : state.limits;
  }

  /** The agent that runs the session; undefined if none has. */
  get agent(): string | undefined {
    return this.attached?.agent.name ?? this.state.agent;
  }

  /** A session in use is not dropped. */
  get isInUse(): boolean {
    return (
      this.runs.size > 0 || this.waitingCall !== undefined || this.turn !== undefined || this.attached !== undefined
    );
  }

  /** The data of the session for tool files, while an agent runs it. Undefined without an agent. */
  agentSnapshot(): CallerSession | undefined {
    const { attached, conversation } = this;
    if (!conversation) return undefined;
    const { provider = "", id } = attached?.model ?? {};
    return {
      entries: conversation.entries,
      ...(id === undefined ? {} : { model: { provider, id } }),
      ...(attached?.systemPrompt === undefined ? {} : { systemPrompt: attached.systemPrompt }),
      idle: this.turn === undefined,
      queuedMessages: this.queued.length > 0,
    };
  }

  /** Adds an event. Returns undefined if there is nothing to wait for. Rejects if the event could not be stored. */
  record(event: DurableEvent): Promise<void> | undefined {
    if (this.log) return this.log.append(event).then(() => this.conversation?.add(event));
    this.state.apply(event);
    return undefined;
  }

  /** Stores a value of a tool; undefined removes it. */
  setValue(key: string, value: unknown): Promise<void> | undefined {
    return this.record({ type: "state.set", of: "tools", key, value });
  }

  grant(rules: readonly Rule[]): Promise<void> | undefined {
    return this.setGrants([...this.state.grants, ...rules]);
  }

  setGrants(value: readonly Rule[]): Promise<void> | undefined {
    return this.record({ type: "state.set", of: "session", key: "grants", value, sessionID: this.id });
  }

  /** The session data from the caller, with the changes of tools; undefined if there is neither. */
  snapshot(caller: CallerSession | undefined): SessionSnapshot | undefined {
    // The caller's stored values initialise a session that has none yet. They are not part of the snapshot.
    if (caller?.state && !this.state.hasValues) {
      // A value that cannot be stored is missing, as if the caller had not sent it.
      for (const [key, value] of Object.entries(caller.state)) this.setValue(key, value)?.catch(() => {});
    }
    return this.state.snapshot(this.id, caller);
  }
}
