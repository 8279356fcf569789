import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { CHAT, toChunks } from "../agents/chat-wire.ts";
import { type ScriptedModel, serveModel } from "../agents/scripted-model.ts";
import { textOf, toReply } from "../agents/wire.ts";

/** One message of the model: a text, and calls of `effect`. */
export interface PlannedStep {
  readonly say: string;
  readonly calls: readonly { readonly ms: number; readonly ask?: boolean }[];
}

/** What the model does in one turn: a message for each step, then one that says "Done: " and the name. */
export interface Plan {
  readonly name: string;
  readonly steps: readonly PlannedStep[];
  /** The delay between two parts of a message. */
  readonly delayMs: number;
}

/** A model that reads its plan in the prompt. */
export interface PlannedModel extends Pick<ScriptedModel, "origin" | "close"> {
  /** What was wrong with requests: a provider would have refused them. */
  readonly problems: readonly string[];
}

export function toPrompt(plan: Plan): string {
  return `Follow this plan: ${JSON.stringify(plan)}`;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** Serves the model on loopback. The number of its messages after the prompt selects the step. */
export async function startPlannedModel(): Promise<PlannedModel> {
  const problems: string[] = [];
  const served = await serveModel(CHAT, (request, response) => {
    const { messages } = request.body as { readonly messages: readonly Message[] };
    problems.push(...problemsOf(messages));
    const prompt = messages.findLastIndex(({ role, content }) => role === "user" && planIn(content) !== undefined);
    const plan = planIn(messages[prompt]?.content) ?? { name: "none", steps: [], delayMs: 0 };
    const said = messages.slice(prompt + 1).filter(({ role }) => role === "assistant").length;
    const step = plan.steps[said] ?? { say: `Done: ${plan.name}`, calls: [] };
    const calls = step.calls.map(({ ms, ask = false }) => ({ call: "effect", input: { ms, ask } }));
    const head = { id: `chatcmpl-${request.number}`, created: 1, model: "scripted" };
    const chunks = toChunks(head, toReply({ calls, say: step.say }, request.number));
    void speak(chunks, plan.delayMs, response);
  });
  return { ...served, problems };
}

async function speak(chunks: readonly unknown[], delayMs: number, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks) {
    if (response.destroyed) return;
    response.write(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
    if (delayMs > 0) await sleep(delayMs);
  }
  response.end();
}

function planIn(content: unknown): Plan | undefined {
  const [, json] = /Follow this plan: (\{.*\})/s.exec(textOf(content ?? "")) ?? [];
  return json === undefined ? undefined : (JSON.parse(json) as Plan);
}

/** Each call has exactly one result, after its message and before the next one. */
function problemsOf(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  for (const { role, tool_calls = [], tool_call_id = "" } of messages) {
    if (role === "tool") {
      if (!open.delete(tool_call_id)) problems.push(`A result without its call: ${tool_call_id}`);
      continue;
    }
    if (open.size > 0) problems.push(`Calls without a result: ${[...open].join(", ")}`);
    open = new Set(tool_calls.map(({ id }) => id));
  }
  if (open.size > 0) problems.push(`Calls without a result: ${[...open].join(", ")}`);
  return problems;
}
