import type { NamedCall } from "./events.ts";
import type { DialogDetails, RunEvent } from "./question.ts";
import type { Content, ToolResult } from "./result.ts";
import type { SessionEvent } from "./session.ts";
import type { DurableEvent, LiveEvent, LoggedResult, StoredEvent } from "./session-log.ts";
import type { Access, Hints, ShownTool, ToolContext, ToolReturn } from "./tool.ts";

/** A coding agent: a program or a library that runs sessions with a model. Methods reject with an `AgentError`. */
export interface CodingAgent {
  /** Its name in `--agent`, in permission rules and in the context of calls. */
  readonly name: string;
  /** Which built-in tools of ours its sessions get, beside custom tools: none for an agent that has its own. */
  readonly builtins: boolean | readonly string[];
  /** Those that its sessions get if a client of the REST API uses them, instead of `builtins`. */
  readonly httpBuiltins?: readonly string[];
  /**
   * Who keeps the conversation: the agent, or only our log. An agent that keeps none builds it from `history` when it resumes, and
   * is resumed with our id of the session.
   */
  readonly keepsHistory: boolean;
  /** The provider of its models, if it is always the same: tools can be for one provider only. */
  readonly provider?: string;
  /**
   * Loads its SDK, or finds its program. Later calls wait for the first one, unless it has failed, or the signals of all calls that
   * waited for it have fired: a later call then tries again.
   */
  start(signal?: AbortSignal): Promise<void>;
  /** Closes its sessions and ends its processes. Never rejects. */
  stop(): Promise<void>;
  createSession(options: AgentSessionOptions): Promise<AgentSession>;
  /** Continues a session of the agent. Rejects with "session_not_found" if the agent no longer has it. */
  resumeSession(id: string, options: AgentSessionOptions): Promise<AgentSession>;
  /**
   * Adds a tool to the sessions that a toolbox opens with this agent from now on. It takes the place of a served tool, and of an
   * earlier registered one, of the same name. Throws a `TypeError` if it is not a tool.
   */
  registerTool(tool: RegisteredTool): void;
  /** The registered tools. A toolbox calls them, as it calls its own. */
  readonly registeredTools?: readonly RegisteredTool[];
  /** Calls the listener for each event. Returns a function that removes it. */
  on<E extends keyof CodingAgentEvents>(event: E, listener: (payload: CodingAgentEvents[E]) => void): () => void;
}

/** The events of `CodingAgent.on`, each with the value that listeners receive. */
export interface CodingAgentEvents {
  /** A session was created or resumed. */
  readonly session: { readonly sessionID: string; readonly id: string; readonly resumed: boolean };
  /** A session has sent an event. */
  readonly event: { readonly sessionID: string; readonly event: AgentEvent };
  /** A call has started: of a tool of the toolbox, of a registered one, or of one of the agent's own (`<agent>:<tool>`). */
  readonly "tool.start": AgentCallStart;
  /** A call has ended. */
  readonly "tool.complete": AgentCallEnd;
}

/** A call of an agent, as listeners see it. */
export interface AgentCallStart extends NamedCall {
  readonly sessionID: string;
  readonly input: unknown;
}

export interface AgentCallEnd extends NamedCall {
  readonly sessionID: string;
  readonly success: boolean;
  readonly result: LoggedResult;
}

/** A session of an agent. */
export interface AgentSession {
  /** The id that the agent gave it. It may change during a turn. */
  readonly id: string;
  /**
   * Runs one turn. The events end when the turn is over, also after `abort`. The iteration throws an `AgentError` if the turn
   * failed. Only one turn runs at a time.
   */
  send(prompt: readonly Content[]): AsyncIterable<AgentEvent>;
  /**
   * Stops the running turn, whether or not the agent has its prompt. Resolves when the agent has accepted that. Does nothing if no
   * turn runs. Called again as long as the turn goes on.
   */
  abort(): Promise<void>;
  /** Ends what the session uses in this process and in processes of the agent. It can be resumed later. Never rejects. */
  close(): Promise<void>;
}

/**
 * An event of a turn. Calls of the tools that we give to the agent are not among them: their events come from the pipeline.
 * Calls of the agent's own tools are: `tool` is `<agent>:<tool>`, so that it never equals the name of a tool of ours.
 */
export type AgentEvent =
  | LiveEvent
  | (DurableEvent & { readonly type: "message.complete" | "tool.start" | "tool.complete" | "tool.failed" | "usage" })
  /** A message is complete with the text and the thinking that were streamed, for agents that do not send them again. */
  | { readonly type: "message.end"; readonly messageID: string }
  /** A moment that tool files can follow: compaction, retry. */
  | { readonly type: "session.event"; readonly event: SessionEvent }
  /** A sentence for the person who uses the agent. It is not stored. */
  | { readonly type: "notice"; readonly message: string };

/** What an agent is given for one session. */
export interface AgentSessionOptions {
  /** Our id of the session. */
  readonly sessionID: string;
  readonly directory: string;
  /** The model, as the agent names it; by default the agent's own choice. */
  readonly model?: string;
  /** The address of the model's API, instead of the provider's. */
  readonly baseUrl?: string;
  /** Text for the model before the conversation, in addition to what the agent itself sends. */
  readonly systemPrompt?: string;
  readonly tools: SessionTools;
  readonly history: SessionHistory;
  /**
   * Fires if the session is no longer wanted before it is open. What was started for it must end. If it is opened nevertheless, it
   * is closed.
   */
  readonly signal?: AbortSignal;
  /** Decides on a call of a tool of the agent's own: by the permission rules, or by asking a person. Never rejects. */
  permit(request: PermitRequest): Promise<PermitAnswer>;
  /** Asks the person who uses the session, for a tool of the agent's own. Never rejects. */
  ask(request: DialogRequest): Promise<DialogAnswer>;
}

/** The log of a session, for agents that keep no conversation themselves. */
export interface SessionHistory {
  /**
   * The events so far, oldest first; with `types`, only these. Those of the prompt that is being sent are among them. With the id of
   * a message, only the events from the last prompt before it on, or all if there is no such message.
   */
  events(types?: readonly DurableEvent["type"][], from?: string): AsyncIterable<StoredEvent>;
  /** A value that this agent has stored. */
  get(key: string): unknown;
  /** Stores a value; undefined removes it. Resolves when it is durable. */
  set(key: string, value: unknown): Promise<void>;
}

/** A tool as an agent is given it. */
export interface AgentTool extends ShownTool {
  readonly hints: Hints;
}

/** The tools of one session. Calls go through the pipeline, with the true context of the session. */
export interface SessionTools {
  /** The tools that the model is shown now. */
  list(): readonly AgentTool[];
  /** A call of an unknown tool is a failed call. */
  call(request: AgentCall): AgentRun;
  /** Calls the listener when the list has changed. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

export interface AgentCall {
  readonly name: string;
  readonly input: unknown;
  /** The id that the model gave the call. */
  readonly callID?: string;
  /** The message of the model that has the call; by default the current one. */
  readonly messageID?: string;
  readonly signal?: AbortSignal;
}

/** A call in progress: `Run` of the pipeline. */
export interface AgentRun extends AsyncIterable<RunEvent> {
  readonly callID: string;
  /** Never rejects. */
  readonly result: Promise<ToolResult>;
  abort(): void;
}

/** A tool in the code of a program, for the sessions of one agent. */
export interface RegisteredTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The result is text, or any value, which the model reads as JSON. Throws to fail the call. */
  handler(input: Record<string, unknown>, context: ToolContext): ToolReturn | Promise<ToolReturn>;
}

/** A call that an agent wants to make with a tool of its own. */
export interface PermitRequest {
  readonly callID: string;
  /** The agent's name for the tool, without the name of the agent. */
  readonly tool: string;
  readonly input: unknown;
  /** What the call touches, as far as the agent says so. Paths are absolute. */
  readonly access: readonly Access[];
  /** Fires when the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

export type PermitAnswer =
  | { readonly allowed: true }
  /** The reason is for the model. `allowable`: no person could be asked, and a rule that allows the tool would let the call run. */
  | { readonly allowed: false; readonly reason: string; readonly allowable?: true };

/** A dialog that an agent opens. */
export interface DialogRequest extends Pick<PermitRequest, "callID" | "tool" | "input" | "signal"> {
  /** The question, as the person reads it. */
  readonly title: string;
  readonly dialog: DialogDetails;
}

/** The reason is for the model. `unasked`: no person could be asked. */
export type DialogAnswer =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "closed" | "unasked"; readonly reason: string };

/** The agents that can run the sessions of a toolbox. */
export interface AgentSource {
  /** The names of the known agents, those that are not installed included. */
  names(context: AgentContext): readonly string[];
  /** The agent of this name. Called once for each name. Rejects with "unknown_agent". */
  create(name: string, context: AgentContext): Promise<CodingAgent>;
}

/** Where an agent runs, and what the user's settings say about it. */
export interface AgentContext {
  /** The directory that the toolbox was opened for. */
  readonly directory: string;
  /** The root of its project. */
  readonly root: string;
  /** Whether packages and programs of the project may be used. */
  readonly trusted: boolean;
  /** The user's home folder. */
  readonly home: string;
  /** The folder of our state. */
  readonly toolwrightHome: string;
  /** The environment of the agents' processes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `agents.modules` of the user's settings: a folder whose `node_modules` has SDKs and programs. */
  readonly modules?: string;
  /** `agents.programs` of the user's settings: the command of an agent's program, by the name of the agent. */
  readonly programs: Readonly<Record<string, readonly string[]>>;
}
