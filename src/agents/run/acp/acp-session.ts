import { setImmediate } from "node:timers/promises";
import { AgentError } from "../../../core/agent-error.ts";
import { CALL_ID_META } from "../../../core/agent-extension.ts";
import type {
  AgentEvent,
  AgentSession,
  AgentSessionOptions,
  PermitAnswer,
  PermitRequest,
} from "../../../core/coding-agent.ts";
import type { Content } from "../../../core/result.ts";
import type { Usage } from "../../../core/session-log.ts";
import type { ArrivedCall, CallIdentity, ReportedMessage } from "../../../surfaces/mcp/session-protocol.ts";
import type { SessionServer } from "../../../surfaces/mcp/session-server.ts";
import { AgentDialogs } from "../agent-dialogs.ts";
import { AnnouncedCalls } from "../announced-calls.ts";
import { EventQueue } from "../event-queue.ts";
import { type Elicited, elicit } from "./acp-elicitation.ts";
import { modelError, toAgentError } from "./acp-errors.ts";
import type { AcpListener, AcpProcess } from "./acp-process.ts";
import { type AcpProgram, recordOf, stringOf } from "./acp-program.ts";
import type { AcpContent, PermissionParams, PromptResult, SessionUpdate } from "./acp-sdk.ts";
import { AcpTurn } from "./acp-turn.ts";
import { toolCallAccess } from "./tool-call.ts";

/** How long a call of our tools waits for the update of the agent that tells its id. */
const ANNOUNCE_MS = 500;

/** The name of a question of an agent, since it is not a tool. */
const ELICITATION = "elicitation";

/** Updates that the agent sends after its model has been asked. */
const FROM_MODEL: ReadonlySet<string> = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call"]);

/** What an agent sends outside a turn is dropped: the replay of a conversation that we have, lists of commands. */
export class AcpEvents implements AcpListener {
  readonly #announced: AnnouncedCalls;
  readonly #agent: string;
  readonly #program: AcpProgram;
  readonly #options: AgentSessionOptions;
  readonly #server: SessionServer;
  /** The open ones, with the ids that the agent gave them. Only those with an address have one. */
  readonly #elicitations = new Map<AbortController, unknown>();
  #hasChecked = false;
  #turn: { readonly queue: EventQueue; readonly updates: AcpTurn; readonly over: AbortController } | undefined;

  constructor(agent: string, program: AcpProgram, options: AgentSessionOptions, server: SessionServer) {
    this.#agent = agent;
    this.#announced = new AnnouncedCalls(ANNOUNCE_MS, { tellsInput: !program.hidesInput });
    this.#program = program;
    this.#options = options;
    this.#server = server;
  }

  /** The ids of a call that has arrived over MCP. */
  async identify({ name, input, meta }: ArrivedCall): Promise<CallIdentity | undefined> {
    const sentID = meta?.[CALL_ID_META];
    const ids = typeof sentID === "string" ? { callID: sentID } : {};
    const found = await this.#announced.take({ name, input, ...ids });
    if (found) return { callID: found.callID, messageID: found.messageID };
    return this.#turn && { ...ids, messageID: this.#turn.updates.messageOfCall().id };
  }

  /** Asks about a call of the agent's own tools, for our extension in the agent. */
  async permit({ callID, tool, input }: Pick<PermitRequest, "callID" | "tool" | "input">): Promise<PermitAnswer> {
    const turn = this.#turn;
    if (!turn) return { allowed: false, reason: "The turn of this call is over." };
    const access = this.#program.access?.(tool, input, this.#options.directory) ?? ["undeclared"];
    return this.#options.permit({ callID, tool, input, access, signal: turn.over.signal });
  }

  /** What our extension in the agent reports of a message of the model. */
  message({ usage, error }: ReportedMessage): void {
    if (!this.#turn) return;
    if (usage) this.#turn.queue.push({ ...usage, type: "usage" });
    this.#turn.updates.error = error;
  }

  begin(prompt: readonly AcpContent[]): EventQueue {
    const queue = new EventQueue();
    const updates = new AcpTurn({
      agent: this.#agent,
      program: this.#program,
      ourNames: () => this.#server.listed,
      announced: this.#announced,
      emit: (...events) => queue.push(...events),
      isCommand: prompt[0]?.type === "text" && prompt[0].text.startsWith("/"),
    });
    this.#turn = { queue, updates, over: new AbortController() };
    return queue;
  }

  /** An agent may end its turn while calls of our tools still run. Resolves with the error that it has reported as a text. */
  async end(): Promise<string | undefined> {
    this.#turn?.over.abort();
    await this.#server.abort();
    this.#turn?.updates.finish();
    const error = this.#turn?.updates.error;
    this.#turn = undefined;
    return error;
  }

  /** Withdraws open questions. */
  withdraw(): void {
    this.#turn?.over.abort();
  }

  update(update: SessionUpdate): void {
    if (FROM_MODEL.has(update.sessionUpdate)) this.#reportMissingTools();
    this.#turn?.updates.update(update);
  }

  /** Says so, once, if the model has answered without having our tools. */
  #reportMissingTools(): void {
    if (this.#hasChecked || !this.#turn) return;
    this.#hasChecked = true;
    if (this.#server.listed || this.#options.tools.list().length === 0) return;
    const message = `${this.#agent} has not listed the tools of this project, so its model does not have them. It may accept no MCP servers over HTTP, or its settings may refuse the server "${this.#program.server}".`;
    this.#turn.queue.push({ type: "notice", message });
  }

  /** Our tools are allowed, since our pipeline asks. The agent's own tools are asked about here. */
  async permission({ toolCall, options }: PermissionParams): Promise<string | undefined> {
    const turn = this.#turn;
    if (!turn) return undefined;
    const { fields, isOurs } = turn.updates.call(toolCall);
    const optionOf = (...kinds: readonly string[]): string | undefined =>
      kinds.flatMap((kind) => options.filter((option) => option.kind === kind))[0]?.optionId;
    if (isOurs) return optionOf("allow_once", "allow_always");
    // A choice that cannot be refused is not a question of permission. It stays without an answer.
    if (optionOf("reject_once", "reject_always") === undefined) return undefined;
    const { toolCallId: callID, rawInput, title } = fields;
    const answer = await this.#options.permit({
      callID,
      tool: this.#program.toolName(fields),
      input: rawInput ?? { title },
      access: toolCallAccess(fields, this.#options.directory),
      signal: turn.over.signal,
    });
    if (turn.over.signal.aborted) return undefined;
    if (answer.allowed) return optionOf("allow_once");
    turn.updates.refuse(callID, answer.reason);
    return optionOf("reject_once", "reject_always");
  }

  /** Asks the person for what the agent needs to know. A request outside a turn has no person to ask. */
  async elicit(params: unknown, withdrawn: AbortSignal): Promise<Elicited> {
    const turn = this.#turn;
    if (!turn) return { action: "cancel" };
    const { message, toolCallId, elicitationId } = recordOf(params);
    const done = new AbortController();
    const signal = AbortSignal.any([turn.over.signal, withdrawn, done.signal]);
    const callID = stringOf(toolCallId) ?? crypto.randomUUID();
    const dialogs = new AgentDialogs(this.#options.ask, { callID, tool: ELICITATION, input: { message }, signal });
    this.#elicitations.set(done, elicitationId);
    try {
      return await elicit(recordOf(params), dialogs, signal);
    } finally {
      this.#elicitations.delete(done);
    }
  }

  elicitationDone(elicitationID: unknown): void {
    if (elicitationID === undefined) return;
    for (const [done, id] of this.#elicitations) if (id === elicitationID) done.abort();
  }
}

/** A session of an agent that speaks ACP, in a process of its own. */
export class AcpSession implements AgentSession {
  readonly id: string;
  readonly #agent: string;
  readonly #process: AcpProcess;
  readonly #events: AcpEvents;
  readonly #close: () => Promise<void>;
  #preface: string | undefined;

  constructor(
    id: string,
    parts: {
      readonly agent: string;
      readonly process: AcpProcess;
      readonly events: AcpEvents;
      readonly close: () => Promise<void>;
      readonly preface: string | undefined;
    },
  ) {
    this.id = id;
    this.#agent = parts.agent;
    this.#process = parts.process;
    this.#events = parts.events;
    this.#close = parts.close;
    this.#preface = parts.preface;
  }

  async *send(prompt: readonly Content[]): AsyncGenerator<AgentEvent> {
    const preface: readonly Content[] = this.#preface === undefined ? [] : [{ type: "text", text: this.#preface }];
    this.#preface = undefined;
    const takesImages = this.#process.initialized.agentCapabilities?.promptCapabilities?.image === true;
    const blocks = [...preface, ...prompt].map((part) => toBlock(part, takesImages));
    const queue = this.#events.begin(blocks);
    void this.#prompt(blocks, queue);
    yield* queue;
  }

  async abort(): Promise<void> {
    this.#events.withdraw();
    await this.#process.notify("session/cancel", { sessionId: this.id }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#events.withdraw();
    await this.#close();
  }

  async #prompt(prompt: readonly AcpContent[], queue: EventQueue): Promise<void> {
    try {
      const result = await this.#process.request<PromptResult>("session/prompt", { sessionId: this.id, prompt });
      // Updates that were sent before the response are handled in the order of their arrival, but each in a task of its own.
      await setImmediate();
      const error = await this.#events.end();
      queue.push(...usageOf(result));
      queue.end(error === undefined ? refusalOf(this.#agent, result) : modelError(this.#agent, error));
    } catch (error) {
      await this.#events.end();
      queue.end(toAgentError(this.#agent, error));
    }
  }
}

function refusalOf(agent: string, { stopReason }: PromptResult): AgentError | undefined {
  if (stopReason !== "refusal") return undefined;
  return new AgentError(
    "model_failed",
    `The model of ${agent} refuses to answer this prompt. Change it and try again.`,
  );
}

function toBlock(part: Content, takesImages: boolean): AcpContent {
  if (part.type === "text") return { type: "text", text: part.text.toWellFormed() };
  if (part.type === "image" && takesImages) return { type: "image", data: part.data, mimeType: part.mimeType };
  if (part.type === "image") return { type: "text", text: `[image, ${part.mimeType}: this agent accepts no images]` };
  const name = part.name ?? "file";
  if (part.url !== undefined) return { type: "resource_link", uri: part.url, name, mimeType: part.mimeType };
  return { type: "text", text: `[file "${name}", ${part.mimeType}: this agent accepts no files]` };
}

/** Tokens of the whole turn: in the response, or where Codex and Gemini put them. */
function usageOf({ usage, _meta }: PromptResult): AgentEvent[] {
  const quota = recordOf(recordOf(_meta).quota);
  const [first] = Array.isArray(quota.model_usage) ? (quota.model_usage as unknown[]) : [];
  const counts = recordOf(usage ?? quota.token_count);
  const model = recordOf(first).model;
  const found: Usage = {
    ...numberAs("inputTokens", counts.inputTokens ?? counts.input_tokens),
    ...numberAs("outputTokens", counts.outputTokens ?? counts.output_tokens),
    ...numberAs("cacheReadTokens", counts.cachedReadTokens),
    ...numberAs("cacheWriteTokens", counts.cachedWriteTokens),
    ...(typeof model === "string" ? { model } : {}),
  };
  return found.inputTokens === undefined && found.outputTokens === undefined ? [] : [{ type: "usage", ...found }];
}

function numberAs<K extends string>(key: K, value: unknown): { [P in K]?: number } {
  return typeof value === "number" ? ({ [key]: value } as { [P in K]: number }) : {};
}
