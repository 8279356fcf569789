import { describe, expect, it } from "vitest";
import type { AgentError } from "../../../core/agent-error.ts";
import type { AgentEvent } from "../../../core/coding-agent.ts";
import type { CopilotSdkEvent, SessionErrorData } from "./copilot-sdk.ts";
import { CopilotTurn } from "./copilot-turn.ts";

const IDLE: CopilotSdkEvent = { type: "session.idle", data: {} };

const message = (messageId: string, content: string, calls: readonly string[] = []): CopilotSdkEvent => ({
  type: "assistant.message",
  data: { messageId, content, toolRequests: calls.map((toolCallId) => ({ toolCallId })) },
});
const started = (toolCallId: string, toolName: string): CopilotSdkEvent => ({
  type: "tool.execution_start",
  data: { toolCallId, toolName, arguments: { a: 1 } },
});

/** An event of the runtime, or the id of a call of ours that the runtime makes then. */
type Step = CopilotSdkEvent | string;

async function translated(steps: readonly Step[]): Promise<AgentEvent[]> {
  const turn = new CopilotTurn({ baseUrl: undefined, isOurs: (tool) => tool === "note" });
  for (const step of steps) {
    if (typeof step === "string") turn.begin(step);
    else turn.handle(step);
  }
  turn.handle(IDLE);
  const all: AgentEvent[] = [];
  for await (const event of turn.queue) all.push(event);
  return all;
}

describe("[G2] the events of a turn of Copilot", () => {
  it("gives thinking the id of the message that follows it", async () => {
    const events = await translated([
      { type: "assistant.reasoning_delta", data: { deltaContent: "Hm" } },
      { type: "assistant.message_delta", data: { messageId: "m", deltaContent: "Yes" } },
      { type: "assistant.message", data: { messageId: "m", content: "Yes", reasoningText: "Hm" } },
      { type: "assistant.message_delta", data: { messageId: "n", deltaContent: "No" } },
      message("n", "No"),
    ]);
    const [first] = events as { messageID?: string }[];
    const messageID = first?.messageID;
    expect(events).toEqual([
      { type: "thinking.delta", messageID, text: "Hm" },
      { type: "message.delta", messageID, text: "Yes" },
      { type: "message.complete", messageID, content: [{ type: "text", text: "Yes" }], thinking: "Hm" },
      { type: "message.delta", messageID: "n", text: "No" },
      { type: "message.complete", messageID: "n", content: [{ type: "text", text: "No" }] },
    ]);
  });

  const [asks, starts, calls] = [message("m", "", ["c1"]), started("c1", "note"), "c1"];
  const ends: CopilotSdkEvent = {
    type: "tool.execution_complete",
    data: { toolCallId: "c1", success: false, error: { message: "not valid JSON" } },
  };
  const refused = [
    { type: "tool.start", callID: "c1", tool: "copilot:note", messageID: "m", input: { a: 1 } },
    { type: "tool.failed", callID: "c1", result: { error: { message: "not valid JSON" } } },
  ];
  it.each<[string, Step[], object[]]>([
    ["leaves out a call of our tool", [asks, starts, calls, ends], []],
    ["leaves out a call that it makes before it reports the start", [asks, calls, starts, ends], []],
    ["leaves out a call that it makes before it reports the message", [calls, asks, starts, ends], []],
    ["records a call that it has refused", [asks, starts, ends], refused],
  ])("%s", async (_title, steps, recorded) => {
    const events = await translated(steps);
    expect(events).toMatchObject([{ type: "message.complete", messageID: "m", content: [] }, ...recorded]);
  });

  it("records calls of its own tools, those of sub-agents for the message that has started them", async () => {
    const events = await translated([
      message("m", "I delegate.", ["c1"]),
      started("c1", "task"),
      { ...message("sub", "I am a sub-agent.", ["c2"]), agentId: "s" },
      { ...started("c2", "bash"), agentId: "s" },
      { type: "tool.execution_partial_result", data: { toolCallId: "c2", partialOutput: "half" } },
      { type: "tool.execution_complete", data: { toolCallId: "c2", success: true, result: { content: "all" } } },
      { type: "tool.execution_complete", data: { toolCallId: "c1", success: true, result: { content: "" } } },
    ]);
    expect(events).toMatchObject([
      { type: "message.complete", messageID: "m" },
      { type: "tool.start", callID: "c1", tool: "copilot:task", messageID: "m" },
      { type: "tool.start", callID: "c2", tool: "copilot:bash", messageID: "m" },
      { type: "tool.update", callID: "c2", metadata: { output: "half" } },
      { type: "tool.complete", callID: "c2", result: { content: [{ type: "text", text: "all" }] } },
      { type: "tool.complete", callID: "c1", result: { content: [] } },
    ]);
  });

  it("tells tool files of compaction and retries", async () => {
    const failed: CopilotSdkEvent = { type: "model.call_failure", data: { errorMessage: '{"message":"slow down"}' } };
    const events = await translated([
      { type: "session.compaction_start", data: { trigger: "context_limit_retry" } },
      { type: "session.compaction_complete", data: { success: false, error: "too long" } },
      failed,
      { type: "model.turn_retry", data: { reason: "rate_limit" } },
      failed,
      { type: "model.turn_retry", data: { reason: "rate_limit" } },
      message("m", "At last."),
    ]);
    expect(events.flatMap((event) => (event.type === "session.event" ? [event.event] : []))).toEqual([
      { reason: "auto_compaction_start", trigger: "overflow" },
      { reason: "auto_compaction_end", aborted: false, willRetry: false, errorMessage: "too long" },
      { reason: "auto_retry_start", attempt: 1, maxAttempts: 5, delayMs: 0, errorMessage: "slow down" },
      { reason: "auto_retry_start", attempt: 2, maxAttempts: 5, delayMs: 0, errorMessage: "slow down" },
      { reason: "auto_retry_end", success: true, attempt: 2 },
    ]);
  });
});

describe("[G2] the failure of a turn of Copilot", () => {
  const URL = "http://127.0.0.1:1/v1";
  const LOGIN =
    "Log in with `copilot login` (npm install -g @github/copilot), or set COPILOT_GITHUB_TOKEN. To use another model, set OPENAI_API_KEY, --base-url and --model.";

  it.each<[string, SessionErrorData, string | undefined, string | undefined, string, string]>([
    [
      "a wrong key",
      { message: "Authentication failed with provider.", errorType: "authentication", statusCode: 401 },
      '{"message":"Incorrect API key provided"}',
      URL,
      "unauthorized",
      `The API at ${URL} answered 401: Incorrect API key provided. Set OPENAI_API_KEY to a valid key.`,
    ],
    [
      "no login",
      {
        message: "Execution failed: InvalidArg, No GitHub OAuth token or Copilot HMAC key provided",
        errorType: "query",
      },
      undefined,
      undefined,
      "unauthorized",
      `Copilot has no credentials. ${LOGIN}`,
    ],
    [
      "a login that is refused",
      { message: "Bad credentials", errorType: "authentication", statusCode: 401 },
      undefined,
      undefined,
      "unauthorized",
      `GitHub has refused the credentials of Copilot: Bad credentials. ${LOGIN}`,
    ],
    [
      "an unknown model",
      { message: "Resource not found.", errorType: "query", statusCode: 404 },
      '{"message":"The model `x` does not exist"}',
      URL,
      "model_failed",
      `The API at ${URL} answered 404: The model \`x\` does not exist. Check the model and its address, and try again.`,
    ],
    [
      "garbage",
      { message: "Failed to get response from the AI model.", errorType: "query" },
      '"Failed to parse chunk"',
      URL,
      "model_failed",
      `The API at ${URL} gave no answer that Copilot can use: Failed to parse chunk. Check the model and its address, and try again.`,
    ],
  ])("with %s says what to do", async (_, data, errorMessage, baseUrl, code, text) => {
    const turn = new CopilotTurn({ baseUrl, isOurs: () => false });
    if (errorMessage !== undefined) turn.handle({ type: "model.call_failure", data: { errorMessage } });
    turn.handle({ type: "session.error", data });
    turn.handle(IDLE);
    const error = await turn.queue[Symbol.asyncIterator]()
      .next()
      .catch((thrown: AgentError) => thrown);
    expect(error).toMatchObject({ code, message: text });
  });
});
