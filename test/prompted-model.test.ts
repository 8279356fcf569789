import { describe, expect, it, onTestFinished } from "vitest";
import { ANTHROPIC } from "./support/agents/anthropic-wire.ts";
import { CHAT } from "./support/agents/chat-wire.ts";
import { GEMINI } from "./support/agents/gemini-wire.ts";
import { RESPONSES } from "./support/agents/responses-wire.ts";
import type { Wire } from "./support/agents/wire.ts";
import { type PromptedModel, type Step, startPromptedModel } from "./support/coding-agents/prompted-model.ts";

const TOOL = { name: "note", description: "Notes." };

/** Requests of each API: with one prompt, and with its first call answered. */
const APIS: readonly (readonly [string, Wire, string, (prompt: string) => object, (prompt: string) => object])[] = [
  [
    "Anthropic",
    ANTHROPIC,
    "/v1/messages",
    (prompt) => ({ model: "m", tools: [TOOL], messages: [{ role: "user", content: prompt }] }),
    (prompt) => ({
      model: "m",
      tools: [TOOL],
      messages: [
        { role: "user", content: [{ type: "text", text: prompt }] },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "note", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "Noted." }] },
      ],
    }),
  ],
  [
    "chat completions",
    CHAT,
    "/v1/chat/completions",
    (prompt) => ({ model: "m", tools: [{ function: TOOL }], messages: [{ role: "user", content: prompt }] }),
    (prompt) => ({
      model: "m",
      tools: [{ function: TOOL }],
      messages: [
        { role: "user", content: prompt },
        { role: "assistant", content: null },
        { role: "tool", tool_call_id: "a", content: "Noted." },
      ],
    }),
  ],
  [
    "responses",
    RESPONSES,
    "/v1/responses",
    (prompt) => ({ model: "m", tools: [TOOL], input: [{ type: "message", role: "user", content: prompt }] }),
    (prompt) => ({
      model: "m",
      tools: [TOOL],
      input: [
        { role: "user", content: [{ type: "input_text", text: prompt }] },
        { type: "function_call", call_id: "a", name: "note" },
        { type: "function_call_output", call_id: "a", output: "Noted." },
      ],
    }),
  ],
  [
    "Gemini",
    GEMINI,
    "/v1beta/models/m:generateContent",
    (prompt) => ({
      tools: [{ functionDeclarations: [TOOL] }],
      contents: [{ role: "user", parts: [{ text: prompt }] }],
    }),
    (prompt) => ({
      tools: [{ functionDeclarations: [TOOL] }],
      contents: [
        { role: "user", parts: [{ text: prompt }] },
        { role: "model", parts: [{ functionCall: { id: "a", name: "note", args: {} } }] },
        { role: "user", parts: [{ functionResponse: { id: "a", response: { output: "Noted." } } }] },
      ],
    }),
  ],
];

async function started(wire: Wire): Promise<PromptedModel> {
  const model = await startPromptedModel(wire);
  onTestFinished(() => model.close());
  return model;
}

function post(model: PromptedModel, path: string, body: object): Promise<Response> {
  return fetch(`${model.origin}${path}`, { method: "POST", body: JSON.stringify(body) });
}

describe.each(APIS)("the scripted model with the API %s", (_name, wire, path, first, second) => {
  const steps: Step[] = [{ calls: [{ call: "note", input: { text: "a" } }], say: "I note it." }, { say: "Done now." }];

  it("follows the script of the prompt, and records requests", async () => {
    const model = await started(wire);
    model.script("Case one.", steps);
    model.script("Case two.", [{ say: "Another script." }]);
    const called = await (await post(model, path, first("Please: Case one."))).text();
    expect(called).toContain("I note it.".slice(0, 2));
    expect(called).toContain("note");
    expect(await (await post(model, path, second("Case one."))).text()).toContain("Done");
    expect(await (await post(model, path, first("Case one. Then: Case two."))).text()).toContain("Another");
    expect(model.asked("Case one.")).toMatchObject([
      { prompt: "Please: Case one.", answers: [], reply: { calls: [{ call: "note", id: "call_1_0" }] } },
      { answers: [{ text: "Noted.", callID: "a" }], reply: { text: "Done now.", calls: [] } },
    ]);
    expect(model.asked("Case two.")).toHaveLength(1);
  });

  it("fails as scripted", async () => {
    const model = await started(wire);
    model.script("Key.", [{ status: 401, message: "The key is wrong." }]);
    model.script("Garbage.", [{ garbage: "<html>" }]);
    const refused = await post(model, path, first("Key."));
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain("The key is wrong.");
    expect(await (await post(model, path, first("Garbage."))).text()).toContain("<html>");
  });
});
