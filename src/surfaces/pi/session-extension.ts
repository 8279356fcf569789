import { MESSAGE_METHOD, PERMIT_METHOD, SESSION_URL_VARIABLE, TOOL_FILE_API } from "../../core/agent-extension.ts";
import { HttpConnection } from "./http-connection.ts";
import type { PiApi, PiContext } from "./pi-api.ts";
import { PiSession } from "./pi-session.ts";

/** What the extension of a session uses in addition. */
interface SessionPi extends PiApi {
  on(event: "session_start" | "session_shutdown", handler: (event: unknown, context: PiContext) => unknown): unknown;
  on(event: "tool_call", handler: (event: ToolCall) => unknown): unknown;
  on(event: "message_end", handler: (event: { readonly message: Message }) => unknown): unknown;
  registerProvider(name: string, provider: object): void;
}

interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

interface Message {
  readonly role: string;
  readonly model?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly stopReason?: string;
  readonly errorMessage?: string;
}

/** pi may load an extension again, when its variables are no longer set. */
const STATE = Symbol.for("toolwright.pi-session");

/**
 * The extension of a pi that runs a session of Toolwright: its tools come from the server of the session, and the session is asked
 * about each call of pi's own tools.
 */
// biome-ignore lint/style/noDefaultExport: pi calls the default export of an extension.
export default function serveSession(pi: SessionPi): void {
  const url = sessionUrl();
  if (url === undefined || TOOL_FILE_API in pi) return;
  registerModel(pi);
  let connection: HttpConnection | undefined;
  const session = new PiSession(pi, "toolwright", (_cwd, listener) => {
    connection = new HttpConnection(url, listener);
    return connection;
  });
  pi.on("session_start", (_event, context) => session.start(context));
  pi.on("session_shutdown", () => session.end());
  pi.on("message_end", async ({ message }: { message: Message }) => {
    if (message.role === "assistant") await connection?.request(MESSAGE_METHOD, toReport(message));
  });
  pi.on("tool_call", async ({ toolCallId, toolName, input }: ToolCall) => {
    if (session.has(toolName)) return undefined;
    const params = { callID: toolCallId, tool: toolName, input };
    // pi blocks the call if this rejects.
    const answer = await connection?.request(PERMIT_METHOD, params);
    return answer?.allowed === true ? undefined : { block: true, reason: String(answer?.reason ?? "Not permitted.") };
  });
}

function toReport({ usage = {}, model, stopReason, errorMessage }: Message): object {
  const { input: inputTokens, output: outputTokens, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens } = usage;
  const error = stopReason === "error" ? { error: errorMessage ?? "The model has failed." } : {};
  return { usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, model }, ...error };
}

/** Commands that pi runs inherit its environment. They must not get the address. */
function sessionUrl(): string | undefined {
  const state = globalThis as { [STATE]?: string | undefined };
  state[STATE] ??= process.env[SESSION_URL_VARIABLE];
  if (process.env[SESSION_URL_VARIABLE] !== undefined) process.env[SESSION_URL_VARIABLE] = "";
  return state[STATE] || undefined;
}

/** A provider for `--base-url`. */
function registerModel(pi: SessionPi): void {
  const { TOOLWRIGHT_PI_BASE_URL: baseUrl, TOOLWRIGHT_PI_MODEL_ID: id } = process.env;
  if (!baseUrl || !id) return;
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = {
    id,
    name: id,
    reasoning: false,
    input: ["text", "image"],
    cost,
    contextWindow: 128_000,
    maxTokens: 16_384,
  };
  const apiKey = process.env.OPENAI_API_KEY ? "$OPENAI_API_KEY" : "none";
  pi.registerProvider("toolwright", { baseUrl, apiKey, api: "openai-completions", models: [model] });
}
