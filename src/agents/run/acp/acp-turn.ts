import type { AgentEvent } from "../../../core/coding-agent.ts";
import { defined } from "../../../platform/values/defined.ts";
import type { AnnouncedCalls } from "../announced-calls.ts";
import { OwnCalls } from "../own-calls.ts";
import { acpCard, acpChanges } from "./acp-card.ts";
import { errorText } from "./acp-process.ts";
import type { AcpProgram } from "./acp-program.ts";
import type { SessionUpdate, TextChunk, ToolCallFields } from "./acp-sdk.ts";
import { mergeToolCall, toolCallContent } from "./tool-call.ts";

interface Message {
  readonly id: string;
  /** The agent's id of it, if it tells one. */
  readonly agentID: string | undefined;
  /** Whether a call of this message has ended: what the model says next is another message. */
  hasEndedCalls: boolean;
}

interface Call {
  readonly messageID: string;
  readonly fields: ToolCallFields;
  readonly isOver: boolean;
}

/** Translates the updates of one turn. */
export class AcpTurn {
  readonly #program: AcpProgram;
  readonly #ourNames: () => ReadonlyMap<string, string> | undefined;
  readonly #announced: AnnouncedCalls;
  readonly #emit: (...events: readonly AgentEvent[]) => void;
  readonly #own: OwnCalls;
  readonly #isCommand: boolean;
  readonly #calls = new Map<string, Call>();
  #message: Message | undefined;
  #isCompacting = false;
  /** The error that the agent has reported as a text. */
  error: string | undefined;

  constructor(options: {
    readonly agent: string;
    readonly program: AcpProgram;
    /** Our names of the tools that the agent has listed, by the names that it was given. */
    readonly ourNames: () => ReadonlyMap<string, string> | undefined;
    readonly announced: AnnouncedCalls;
    readonly emit: (...events: readonly AgentEvent[]) => void;
    /** Whether the prompt is a command of the agent, such as `/status`: its program then answers, not its model. */
    readonly isCommand: boolean;
  }) {
    this.#program = options.program;
    this.#ourNames = options.ourNames;
    this.#announced = options.announced;
    this.#emit = options.emit;
    this.#own = new OwnCalls(options.agent);
    this.#isCommand = options.isCommand;
  }

  update(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return this.#addText(update);
      case "tool_call":
      case "tool_call_update":
        return void this.call(update);
      case "notice":
        return this.#emit({ type: "notice", message: [update.title, update.description].filter(Boolean).join(": ") });
      case "compaction_update":
        return this.#compaction(update);
      default:
        return;
    }
  }

  /**
   * Takes what the agent says of a call: in an update, or in a permission request. Returns all that is known of it. Throws if the call
   * has no id.
   */
  call(change: ToolCallFields): { readonly fields: ToolCallFields; readonly isOurs: boolean } {
    const { toolCallId: callID } = change;
    if (typeof callID !== "string") throw new TypeError("A call needs an id.");
    const before = this.#calls.get(callID);
    const fields = mergeToolCall(before?.fields, change);
    const isOver = fields.status === "completed" || fields.status === "failed";
    const messageID = before?.messageID ?? this.messageOfCall().id;
    this.#calls.set(callID, { messageID, fields, isOver: before?.isOver === true || isOver });
    const ours = this.#program.ourTool(fields);
    const name = ours && this.#ourNames()?.get(ours.listed);
    const isOurs = name !== undefined;
    if (before?.isOver) return { fields, isOurs };
    const ownID = ours?.callID ?? callID;
    // A call that is over before it has arrived was refused by the agent.
    if (isOver) this.#announced.withdraw(ownID);
    else if (isOurs) this.#announced.announce({ callID: ownID, messageID, name, input: ours?.input });
    if (isOver && this.#message) this.#message.hasEndedCalls = true;
    // Our own pipeline reports a call of our tools, unless the agent has refused it before it reached us.
    if (!isOurs || (isOver && !this.#announced.isTaken(ownID))) this.#reportOwn(callID, messageID, fields);
    return { fields, isOurs };
  }

  /** Ends a call that the agent will not run. */
  refuse(callID: string, reason: string): void {
    const call = this.#calls.get(callID);
    if (!call || call.isOver) return;
    this.#calls.set(callID, { ...call, isOver: true });
    this.#announced.withdraw(this.#program.ourTool(call.fields)?.callID ?? callID);
    if (this.#message) this.#message.hasEndedCalls = true;
    this.#emit(...this.#own.end(callID, { content: [], failed: reason }));
  }

  /** A compaction has one start and one end, also if the agent tells less. */
  #compaction({ status, error }: SessionUpdate & { readonly sessionUpdate: "compaction_update" }): void {
    const isOver = status === "completed" || status === "failed";
    if (isOver ? !this.#isCompacting : status !== "in_progress" || this.#isCompacting) return;
    this.#isCompacting = !isOver;
    if (!isOver) {
      return this.#emit({ type: "session.event", event: { reason: "auto_compaction_start", trigger: "threshold" } });
    }
    const errorMessage = status === "failed" && error != null ? { errorMessage: errorText(error) } : {};
    const event = { reason: "auto_compaction_end", aborted: status === "failed", willRetry: false } as const;
    this.#emit({ type: "session.event", event: { ...event, ...errorMessage } });
  }

  /** The end of the turn. */
  finish(): void {
    this.#compaction({ sessionUpdate: "compaction_update", status: "failed" });
    this.#completeMessage();
    this.#announced.clear();
  }

  #addText(update: TextChunk): void {
    const { content, messageId } = update;
    if (content.type !== "text" || content.text === "") return;
    const { text } = content;
    const isThought = update.sessionUpdate === "agent_thought_chunk";
    const error = isThought || this.#isCommand ? undefined : this.#program.errorIn?.(update);
    if (error !== undefined) {
      this.error = error;
      return;
    }
    // pi-acp begins a session with an empty line.
    if (!this.#message && text.trim() === "") return;
    if (!isThought && this.#program.isNotice?.(text)) return this.#emit({ type: "notice", message: text.trim() });
    const message = this.#messageFor(messageId ?? undefined);
    this.#emit({ type: isThought ? "thinking.delta" : "message.delta", messageID: message.id, text });
  }

  #messageFor(agentID: string | undefined): Message {
    const current = this.#message;
    const isSame = current?.agentID === undefined || agentID === undefined || current.agentID === agentID;
    if (current && isSame && !current.hasEndedCalls) return current;
    return this.#beginMessage(agentID);
  }

  /** The message of the model that has a new call. */
  messageOfCall(): Message {
    const current = this.#message;
    return current && !current.hasEndedCalls ? current : this.#beginMessage(undefined);
  }

  #beginMessage(agentID: string | undefined): Message {
    this.#completeMessage();
    const message = { id: crypto.randomUUID(), agentID, hasEndedCalls: false };
    this.#message = message;
    return message;
  }

  #completeMessage(): void {
    if (!this.#message) return;
    const { id: messageID } = this.#message;
    this.#message = undefined;
    this.#emit({ type: "message.end", messageID });
  }

  #reportOwn(callID: string, messageID: string, fields: ToolCallFields): void {
    const { status, title, rawInput } = fields;
    if (!this.#own.has(callID)) {
      const input = rawInput ?? { title };
      this.#emit(
        this.#own.start(callID, {
          tool: this.#program.toolName(fields),
          messageID,
          input,
          card: acpCard(fields.kind, input),
        }),
      );
    } else if (status !== "completed" && status !== "failed") {
      this.#emit(...this.#own.update(callID, title ? { title } : {}));
    }
    if (status !== "completed" && status !== "failed") return;
    const content = toolCallContent(fields);
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    const failed = status === "failed" ? { failed: text === "" ? "The tool failed." : text } : {};
    this.#emit(...this.#own.end(callID, { content, ...defined({ data: acpChanges(fields) }), ...failed }));
  }
}
