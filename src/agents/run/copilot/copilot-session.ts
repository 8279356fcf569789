import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentEvent, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { messageOf } from "../../../core/error.ts";
import type { Content } from "../../../core/result.ts";
import { isInside } from "../../../platform/files/inside.ts";
import { isModelImage } from "../../../surfaces/client-limits/model-image.ts";
import { AgentDialogs } from "../agent-dialogs.ts";
import { promptLine } from "../model-result.ts";
import { copilotAccess } from "./copilot-access.ts";
import { ASK_USER, answerQuestion } from "./copilot-questions.ts";
import { CopilotRequests } from "./copilot-requests.ts";
import type { CopilotRuntime } from "./copilot-runtime.ts";
import type {
  CopilotPermissionRequest,
  CopilotSdkTool,
  CopilotSession,
  PermissionDecision,
  SessionConfig,
  UserInputRequest,
  UserInputResponse,
} from "./copilot-sdk.ts";
import { toSdkTools } from "./copilot-session-tools.ts";
import { CopilotTurn } from "./copilot-turn.ts";

/** Images of the model that the user names. Copilot does not know whether it accepts them. */
const VISION = {
  supports: { vision: true },
  limits: {
    vision: {
      supported_media_types: ["image/png", "image/jpeg", "image/webp", "image/gif"],
      max_prompt_images: 100,
      max_prompt_image_size: 5 * 1024 * 1024,
    },
  },
};

/** A session of Copilot. */
export class CopilotAgentSession implements AgentSession {
  readonly #options: AgentSessionOptions;
  readonly #context: AgentContext;
  readonly #start: (signal: AbortSignal) => Promise<CopilotRuntime>;
  readonly #stopListening: () => void;
  readonly #closed = new AbortController();
  #connection: { readonly runtime: CopilotRuntime; readonly session: CopilotSession } | undefined;
  #stopWatching: () => void = () => {};
  #tools: readonly CopilotSdkTool[] = [];
  #toolsChanged = false;
  #turn: CopilotTurn | undefined;
  /** The runtime may repeat a request after the turn. */
  readonly #requests = new CopilotRequests();
  /** The answers of this turn: Copilot may ask more than once about one access of a call. */
  #decisions = new Map<string, Promise<PermissionDecision>>();

  private constructor(
    options: AgentSessionOptions,
    context: AgentContext,
    start: (signal: AbortSignal) => Promise<CopilotRuntime>,
  ) {
    this.#options = options;
    this.#context = context;
    this.#start = start;
    this.#stopListening = options.tools.onChange(() => (this.#toolsChanged = true));
  }

  /** `start` returns the runtime, which is started if it does not run. */
  static async open(
    options: AgentSessionOptions,
    resumed: string | undefined,
    {
      context,
      start,
    }: {
      readonly context: AgentContext;
      readonly start: (signal: AbortSignal) => Promise<CopilotRuntime>;
    },
  ): Promise<CopilotAgentSession> {
    const session = new CopilotAgentSession(options, context, start);
    try {
      await session.#connect(resumed);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get id(): string {
    return this.#connection?.session.sessionId ?? "";
  }

  async *send(prompt: readonly Content[]): AsyncGenerator<AgentEvent> {
    const { baseUrl } = this.#options;
    const isOurs = (tool: string): boolean => this.#tools.some(({ name }) => name === tool);
    const turn = new CopilotTurn({ baseUrl, isOurs });
    this.#turn = turn;
    this.#decisions = new Map();
    try {
      if (this.#toolsChanged || this.#connection?.runtime.hasEnded) await this.#connect(this.id);
      if (turn.isAborted || turn.over.signal.aborted) return;
      await this.#answer("Copilot did not accept the prompt", (session) => session.send(toMessage(prompt)));
      // An abort before the runtime had the prompt was lost.
      if (turn.isAborted) await this.abort();
      yield* turn.queue;
    } finally {
      turn.end();
      this.#turn = undefined;
    }
  }

  async abort(): Promise<void> {
    if (!this.#turn) return;
    this.#turn.isAborted = true;
    await this.#answer("Copilot did not accept the abort", (session) => session.abort());
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#stopWatching();
    this.#closed.abort();
    this.#turn?.end();
    const { runtime } = this.#connection ?? {};
    if ((runtime?.owners.get(this.id) ?? this) !== this) return;
    runtime?.owners.delete(this.id);
    await this.#answer("Copilot did not close the session", (session) => session.disconnect());
  }

  async #answer(failed: string, ask: (session: CopilotSession) => Promise<unknown>): Promise<void> {
    const connection = this.#connection;
    if (connection) await connection.runtime.answer(() => ask(connection.session), failed);
  }

  /** Creates the session, or resumes it with the current tools. */
  async #connect(resumed: string | undefined): Promise<void> {
    const { signal } = this.#options;
    const closed = this.#closed.signal;
    const runtime = await this.#start(signal ? AbortSignal.any([signal, closed]) : closed);
    const { client } = runtime;
    this.#stopWatching();
    this.#stopWatching = runtime.onEnd((message) => this.#turn?.end(new AgentError("agent_failed", message)));
    this.#toolsChanged = false;
    this.#tools = toSdkTools(
      this.#options.tools,
      {
        sessionID: this.#options.sessionID,
        requests: this.#requests,
        begin: (callID) => this.#turn?.begin(callID),
      },
      this.#context,
    );
    const config = this.#config();
    if (resumed !== undefined) runtime.owners.set(resumed, this);
    const open = (): Promise<CopilotSession> =>
      resumed === undefined
        ? client.createSession(config)
        : client
            .resumeSession(resumed, config)
            .catch((error: unknown) => Promise.reject(resumeFailure(resumed, error)));
    this.#connection = { runtime, session: await runtime.answer(open, "Copilot cannot open a session") };
  }

  #config(): SessionConfig {
    const { directory, model, baseUrl, systemPrompt } = this.#options;
    const { trusted, root, env } = this.#context;
    const { OPENAI_API_KEY: apiKey } = env;
    const key = apiKey === undefined || apiKey === "" ? {} : { apiKey };
    const provider = { type: "openai", wireApi: "completions", baseUrl: baseUrl ?? "", ...key } as const;
    return {
      clientName: "toolwright",
      ...(model === undefined ? {} : { model }),
      ...(baseUrl === undefined ? {} : { provider, modelCapabilities: VISION }),
      ...(systemPrompt === undefined
        ? {}
        : { systemMessage: { mode: "append", content: systemPrompt.toWellFormed() } as const }),
      workingDirectory: directory,
      tools: this.#tools,
      // Our tools are shown in the first request, and their results are cut by us.
      toolSearch: { enabled: false },
      largeOutput: { enabled: false },
      streaming: true,
      includeSubAgentStreamingEvents: false,
      enableSessionTelemetry: false,
      // Hooks are commands in files of the directory.
      enableFileHooks: trusted && isInside(root, directory),
      onPermissionRequest: (request) => this.#decide(request),
      onUserInputRequest: (request) => this.#answerQuestion(request),
      onEvent: (event) => {
        if (event.type === "external_tool.requested") this.#requests.add(event.data);
        this.#turn?.handle(event);
      },
    };
  }

  /** The runtime asks for no permission for a question, so the rules are asked here. */
  async #answerQuestion(request: UserInputRequest): Promise<UserInputResponse> {
    const { signal } = this.#turn?.over ?? new AbortController();
    const callID = this.#turn?.lastCallOf(ASK_USER) ?? "";
    const call = { callID, tool: ASK_USER, input: request, signal };
    const permitted = await this.#options.permit({ ...call, access: [] });
    if (!permitted.allowed) return { answer: permitted.reason.toWellFormed(), wasFreeform: true };
    return answerQuestion(request, new AgentDialogs(this.#options.ask, call));
  }

  #decide(request: CopilotPermissionRequest): Promise<PermissionDecision> {
    const { kind, toolName, toolCallId } = request;
    if (kind === "custom-tool" && this.#tools.some(({ name }) => name === toolName)) {
      return Promise.resolve({ kind: "approve-once" });
    }
    const turn = this.#turn;
    if (!turn) return Promise.resolve({ kind: "reject", feedback: "The turn of this call is over." });
    const { tool = toolName ?? kind, input = request } = turn.call(toolCallId) ?? {};
    const access = copilotAccess(request, this.#options.directory);
    const key = JSON.stringify([toolCallId, tool, access, access.includes("undeclared") ? request : null]);
    const known = toolCallId === undefined ? undefined : this.#decisions.get(key);
    const decided = known ?? this.#ask({ callID: toolCallId ?? "", tool, input, access }, turn);
    this.#decisions.set(key, decided);
    return decided;
  }

  async #ask(
    request: Omit<Parameters<AgentSessionOptions["permit"]>[0], "signal">,
    { over }: CopilotTurn,
  ): Promise<PermissionDecision> {
    const answer = await this.#options.permit({ ...request, signal: over.signal });
    return answer.allowed ? { kind: "approve-once" } : { kind: "reject", feedback: answer.reason.toWellFormed() };
  }
}

function resumeFailure(id: string, error: unknown): unknown {
  if (!/session not found/i.test(messageOf(error))) return error;
  return new AgentError("session_not_found", `Copilot no longer has the session ${id}.`, { cause: error });
}

function toMessage(prompt: readonly Content[]): Parameters<CopilotSession["send"]>[0] {
  const texts = prompt.map((part) => {
    if (part.type === "text") return part.text;
    return promptLine(part, isModelImage(part) ? "attached" : "it cannot be sent to Copilot, which accepts images");
  });
  const images = prompt.filter(isModelImage).map(({ data, mimeType }) => ({ type: "blob" as const, data, mimeType }));
  return { prompt: texts.join("\n\n").toWellFormed(), ...(images.length === 0 ? {} : { attachments: images }) };
}
