import { mkdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type LangchainOptions, langchainAgent } from "../../src/agents/run/index.ts";
import type { FollowedEvent } from "../../src/core/session-log.ts";
import { createToolbox } from "../../src/index.ts";
import type { SendOptions, TurnResult } from "../../src/sessions/turn.ts";
import type { Toolbox, ToolboxEvents } from "../../src/toolbox/toolbox.ts";
import { CHAT } from "./agents/chat-wire.ts";
import { serveModel } from "./agents/scripted-model.ts";
import { type Turn as Step, toReply, type Wire, writeEvents } from "./agents/wire.ts";
import { type Sandbox, sandbox } from "./fixture.ts";
import { MODULES } from "./installed.ts";

/** What the model does with one request: a turn of a script, or anything else that a server can do. */
export type Answer = Step | ((response: ServerResponse, body: ChatBody) => void);

/** A request of OpenAI's chat completions API. */
export interface ChatBody {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
}

export interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

/** A turn that is over. */
export interface Seen {
  readonly events: readonly FollowedEvent[];
  readonly result: TurnResult;
  readonly notices: readonly string[];
}

/** A project with a toolbox, LangChain's agent, and a model that answers the requests in order. */
export interface LangchainWorld {
  readonly at: Sandbox;
  /** The requests so far. */
  readonly asked: ChatBody[];
  /** Adds answers. Without one, the model says "Nothing more.". */
  script(...answers: readonly Answer[]): void;
  /** In the session "talk", unless another one is named. */
  send(prompt: string, options?: SendOptions, sessionID?: string): Promise<Seen>;
  readonly toolbox: () => Promise<Toolbox>;
  /** Closes the toolbox. The next prompt opens another one, as another process would. */
  restart(): Promise<void>;
  /** The address of the model. */
  readonly baseUrl: string;
}

export interface WorldOptions extends LangchainOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly wire?: Wire;
  readonly env?: Readonly<Record<string, string>>;
}

const NOTE = `export default {
  description: "Writes a note.",
  args: { text: { type: "string" } },
  access: () => [],
  execute: ({ text }) => "Noted: " + text,
};
`;

export async function langchainWorld(options: WorldOptions = {}): Promise<LangchainWorld> {
  const {
    files = {},
    wire = CHAT,
    env = { OPENAI_API_KEY: "dummy", ANTHROPIC_API_KEY: "dummy" },
    ...langchain
  } = options;
  const at = sandbox({ "note.ts": NOTE, ...files });
  const settings = join(at.env.TOOLWRIGHT_HOME as string, "settings.json");
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ agents: { modules: dirname(MODULES.langchain) } }));
  const asked: ChatBody[] = [];
  const answers: Answer[] = [];
  const model = await serveModel(wire, (request, response) => {
    asked.push(request.body as ChatBody);
    const answer = answers.shift() ?? { say: "Nothing more." };
    if (typeof answer === "function") answer(response, request.body as ChatBody);
    else wire.speak(toReply(answer, request.number), request, response);
  });
  const open = (): Promise<Toolbox> =>
    createToolbox({
      ...{ cwd: at.project, env: { ...at.env, ...env }, trust: true, builtins: false, sessions: "disk" },
      agents: langchainAgent({ retry: { delayMs: 1 }, ...langchain }),
    } as Parameters<typeof createToolbox>[0]);
  let toolbox: Promise<Toolbox> | undefined;
  const restart = async (): Promise<void> => {
    await (await toolbox)?.close();
    toolbox = undefined;
  };
  onTestFinished(async () => {
    await restart();
    await model.close();
  });
  const baseUrl = wire === CHAT ? `${model.origin}/v1` : model.origin;
  return {
    at,
    asked,
    baseUrl,
    script: (...more) => void answers.push(...more),
    toolbox: () => {
      toolbox ??= open();
      return toolbox;
    },
    restart,
    async send(prompt, more = {}, sessionID = "talk") {
      toolbox ??= open();
      const opened = await toolbox;
      const notices: string[] = [];
      const stop = opened.on("notice", ({ message }: ToolboxEvents["notice"]) => void notices.push(message));
      const turn = opened.sessions.send(sessionID, prompt, {
        ...{ agent: "langchain", model: "scripted", baseUrl },
        ...more,
      });
      const events: FollowedEvent[] = [];
      for await (const event of turn) events.push(event);
      stop();
      return { events, result: await turn.result, notices };
    },
  };
}

/** An error of OpenAI's API. */
export function apiError(status: number, error: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error }));
  };
}

/** A message of OpenAI's API in these parts. */
export function chatChunks(deltas: readonly object[], finish_reason = "stop"): Answer {
  return (response) => writeEvents(response, [...chunks(deltas), chunk({}, finish_reason), "[DONE]"]);
}

/** The begin of a message, after which the connection breaks. */
export function brokenOff(...deltas: readonly object[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const each of chunks(deltas)) response.write(`data: ${JSON.stringify(each)}\n\n`);
    setTimeout(() => response.socket?.destroy(), 50);
  };
}

function chunks(deltas: readonly object[]): object[] {
  return [{ role: "assistant", content: "" }, ...deltas].map((delta) => chunk(delta));
}

function chunk(delta: object, finish_reason: string | null = null): object {
  return {
    id: "same",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  };
}

/** A call with arguments as the model wrote them. */
export function rawCall(name: string, args: string, more: object = {}): object {
  return { tool_calls: [{ index: 0, id: "call_raw", type: "function", function: { name, arguments: args }, ...more }] };
}
