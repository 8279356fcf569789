import type { ServerResponse } from "node:http";
import { possible, serveModel } from "../agents/scripted-model.ts";
import {
  type Answer,
  type Item,
  type ModelCall,
  type Offered,
  type Reply,
  type SpokenTo,
  type Turn,
  toReply,
  type Wire,
} from "../agents/wire.ts";

/** What the model does with one request: a turn, or a failure of its API. */
export type Step =
  | Turn
  | { readonly status: number; readonly message: string }
  /** A response of the right status and content type that is not one of the API. */
  | { readonly garbage: string }
  /** No response until the model is closed. */
  | "hang";

/** One request of an agent to the model, from its last scripted prompt on. */
export interface Asked {
  /** The whole text of the user that has the prompt. */
  readonly prompt: string;
  readonly offered: readonly Offered[];
  /** The results since the prompt, in order. */
  readonly answers: readonly (Answer & { readonly callID?: string })[];
  /** All images in the request, in base64. */
  readonly pictures: readonly string[];
  /** The response, unless it was a failure. */
  readonly reply?: Reply;
  readonly body: unknown;
}

/** A model that has a script for each prompt. */
export interface PromptedModel {
  readonly origin: string;
  /** Sets what the model answers to the prompts that contain this text. */
  script(prompt: string, steps: readonly Step[]): void;
  /** The requests so far whose last scripted prompt is this one. */
  asked(prompt: string): readonly Asked[];
  close(): Promise<void>;
}

/**
 * Starts a model on loopback. The last prompt in a request selects the script, and the number of results after it the step, so
 * that a repeated request gets the same step. A request without a scripted prompt or without tools is not part of a conversation.
 */
export async function startPromptedModel(wire: Wire): Promise<PromptedModel> {
  const scripts = new Map<string, readonly Step[]>();
  const asked = new Map<string, Asked[]>();
  const served = await serveModel(wire, (request, response) => {
    const items = wire.items(request.body);
    const last = lastPrompt(items, [...scripts.keys()]);
    const steps = last && scripts.get(last.key);
    if (!last || !steps) return wire.speak({ text: "Nothing was asked.", calls: [] }, request, response);
    const offered = wire.offered(request.body);
    const answers = items.slice(last.index + 1).flatMap(toAnswer);
    const step = stepAfter(steps, answers.length);
    const isFailure = step === "hang" || "status" in step || "garbage" in step;
    if (offered.length === 0 && !isFailure) {
      return wire.speak({ text: "A title", calls: [] }, request, response);
    }
    const reply = isFailure ? undefined : toReply(possible(step, offered), request.number);
    const heard = { prompt: last.text, offered, answers, pictures: wire.pictures(request.body), body: request.body };
    asked.set(last.key, [...(asked.get(last.key) ?? []), { ...heard, ...(reply ? { reply } : {}) }]);
    if (reply) wire.speak(reply, request, response);
    else fail(step as Failure, request, response);
  });
  return {
    ...served,
    script: (prompt, steps) => void scripts.set(prompt, steps),
    asked: (prompt) => asked.get(prompt) ?? [],
  };
}

type Failure = Exclude<Step, Turn>;

function fail(step: Failure, { body }: SpokenTo, response: ServerResponse): void {
  if (step === "hang") return;
  const isStream = (body as { stream?: boolean }).stream === true;
  if ("garbage" in step) {
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(isStream ? `data: ${step.garbage}\n\n` : step.garbage);
    return;
  }
  const { status, message } = step;
  response.writeHead(status, { "content-type": "application/json" });
  const type = status === 401 ? "authentication_error" : "api_error";
  response.end(JSON.stringify({ type: "error", error: { type, code: status, message } }));
}

/** The prompt that comes last in the texts of the user, also within one text: an agent may be given a transcript. */
function lastPrompt(
  items: readonly Item[],
  keys: readonly string[],
): { readonly key: string; readonly index: number; readonly text: string } | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (!item || !("user" in item)) continue;
    const [best] = keys
      .map((key) => ({ key, at: item.user.lastIndexOf(key) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => other.at - one.at || other.key.length - one.key.length);
    if (best) return { key: best.key, index, text: item.user };
  }
  return undefined;
}

function toAnswer(item: Item): (Answer & { callID?: string })[] {
  if (!("answer" in item)) return [];
  return [{ ...item.answer, ...(item.callID === undefined ? {} : { callID: item.callID }) }];
}

/** The first step whose earlier steps have at most this many calls. */
function stepAfter(steps: readonly Step[], answers: number): Step {
  let calls = 0;
  for (const step of steps) {
    if (calls >= answers) return step;
    calls += callsIn(step).length;
  }
  return { say: "Nothing more." };
}

function callsIn(step: Step): readonly ModelCall[] {
  if (typeof step === "string") return [];
  if ("calls" in step) return step.calls;
  return "call" in step ? [step] : [];
}
