import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { LangchainModel } from "../../src/agents/run/index.ts";
import type { FollowedEvent } from "../../src/core/session-log.ts";
import { ANTHROPIC } from "../support/agents/anthropic-wire.ts";
import { RESPONSES } from "../support/agents/responses-wire.ts";
import { writeEvents } from "../support/agents/wire.ts";
import { DOT } from "../support/coding-agents/suite-tools.ts";
import { installed, MODULES } from "../support/installed.ts";
import { type Answer, apiError, type ChatBody, chatChunks, langchainWorld } from "../support/langchain-world.ts";

const missing = await installed("langchain");

const contents = (body: ChatBody | undefined): unknown[] =>
  (body?.messages ?? []).slice(1).map(({ content }) => content);
const summaryIn = (body: ChatBody | undefined): string => String(contents(body)[0]);
const states = (events: readonly FollowedEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === "state.set" && event.of === "agent" ? [event.key] : []));

const DRAW = `export default {
  description: "Draws.",
  access: () => [],
  execute: () => ({ content: [{ type: "image", data: "${DOT}", mimeType: "image/png" }] }),
};
`;

/** About 1,000 tokens. */
const LONG = "word ".repeat(700);

describe.skipIf(missing)("[G4] a conversation that is too long", () => {
  it("is summarised before the context is full, also for later processes", async () => {
    const world = await langchainWorld({ contextTokens: 2_000 });
    world.script({ say: `First. ${LONG}` }, { say: `Second. ${LONG}` }, { say: "The user counts." }, { say: "Third." });
    await world.send("Count to one.");
    await world.send("Count to two.");
    const { result, notices, events } = await world.send("Count to three.");
    expect(result).toMatchObject({ ok: true, text: "Third." });
    expect(notices).toEqual(["The conversation has filled the context of the model. Its older part was summarised."]);
    expect(world.asked).toHaveLength(4);
    const [, , asking, shortened] = world.asked;
    expect(asking?.tools).toBeUndefined();
    expect(JSON.stringify(asking)).toContain("User: Count to one.\\n\\nAgent: First.");
    expect(summaryIn(shortened)).toBe(
      "This is a summary of the conversation so far:\n\n<summary>\nThe user counts.\n</summary>\n\nThe conversation continues.",
    );
    expect(contents(shortened).at(-1)).toBe("Count to three.");
    expect(JSON.stringify(shortened)).not.toContain("Count to one.");
    expect(states(events)).toContain("langchain summary");
    await world.restart();
    await world.send("Count to four.");
    expect(summaryIn(world.asked.at(-1))).toBe(summaryIn(shortened));
    expect(contents(world.asked.at(-1)).slice(-2)).toEqual(["Third.", "Count to four."]);
  });

  it("is summarised when the model says so, in the middle of a turn", async () => {
    const world = await langchainWorld({
      files: {
        "log.ts": `export default { description: "Prints.", access: () => [], execute: () => ${JSON.stringify(LONG)} };`,
      },
    });
    const tooLong = apiError(400, {
      message: "This model's maximum context length is 10 tokens.",
      code: "context_length_exceeded",
    });
    world.script(
      ...Array<Answer>(4).fill({ call: "log", input: {} }),
      tooLong,
      { say: "Four logs were printed." },
      { say: "All printed." },
    );
    const { result } = await world.send("Print the logs.");
    expect(result).toMatchObject({ ok: true, text: "All printed." });
    const last = world.asked.at(-1);
    expect(summaryIn(last)).toContain(
      "<summary>\nFour logs were printed.\n</summary>\n\nThe last message of the user, on which you are working:\n\nPrint the logs.",
    );
    expect(last?.messages.slice(2).map(({ role }) => role)).toEqual(["assistant", "tool"]);
  });

  it("and a request that is repeated are reported to tool files", async () => {
    const follow = `import { appendFileSync } from "node:fs"; import type { CustomToolAPI } from "toolwright";
export default (pi) => ({
  name: "follow",
  description: "Follows the session.",
  parameters: pi.typebox.Type.Object({}),
  execute: () => ({ content: [] }),
  onSession: (event) => appendFileSync(pi.cwd + "/events", JSON.stringify(event) + "\\n"),
});
`;
    const world = await langchainWorld({ files: { "follow.ts": follow }, retry: { retries: 1, delayMs: 1 } });
    const tooLong = apiError(400, { message: "Too long.", code: "context_length_exceeded" });
    world.script(
      { say: "One." },
      apiError(500, { message: "Oops." }),
      tooLong,
      { say: "It was short." },
      { say: "Two." },
    );
    await world.send("Begin.");
    expect((await world.send("Go on.")).result).toMatchObject({ ok: true, text: "Two." });
    await world.restart();
    const lines = readFileSync(join(world.at.project, "events"), "utf8").trim().split("\n");
    const events = lines.map((line) => JSON.parse(line)).filter(({ reason }) => reason.startsWith("auto_"));
    expect(events).toMatchObject([
      {
        reason: "auto_retry_start",
        attempt: 1,
        maxAttempts: 1,
        delayMs: 1,
        errorMessage: expect.stringContaining("Oops."),
      },
      { reason: "auto_retry_end", success: false, attempt: 1, finalError: expect.stringContaining("Too long.") },
      { reason: "auto_compaction_start", trigger: "overflow" },
      { reason: "auto_compaction_end", result: { summary: "It was short." }, aborted: false, willRetry: true },
    ]);
  });

  it("ends the turn with an error if a summary does not help", async () => {
    const world = await langchainWorld();
    world.script({ say: "One." });
    await world.send("Begin.");
    const tooLong = apiError(400, { message: "Too long.", code: "context_length_exceeded" });
    world.script(tooLong, { say: "Short." }, tooLong);
    const { result } = await world.send("Go on.");
    expect(result).toMatchObject({ ok: false, error: { code: "model_failed" } });
    expect(result).toHaveProperty(
      "error.message",
      'The conversation is too long for the model "scripted": Too long. Start a new session, or use a model with a larger context.',
    );
    world.script({ say: "Fine." });
    expect((await world.send("Once more.")).result).toMatchObject({ ok: true, text: "Fine." });
  });
});

describe.skipIf(missing)("[G4] the history of a session", () => {
  it("continues in a branch, from the point of the branch", async () => {
    const world = await langchainWorld();
    world.script({ call: "note", input: { text: "kept" } }, { say: "First." }, { say: "Second." });
    const { events } = await world.send("One.");
    await world.send("Two.");
    const store = await (await world.toolbox()).sessions.store();
    const position = events.findLast((event) => "position" in event)?.position ?? 0;
    const branch = await store.branch("talk", position);
    await world.send("Other.", {}, branch.id);
    expect(contents(world.asked.at(-1))).toEqual(["One.", "", "Noted: kept", "First.", "Other."]);
  });

  it("has the signatures of thinking, for the same model", async () => {
    const world = await langchainWorld({ wire: ANTHROPIC });
    const thinking = [
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "I must " } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "note it." } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "signed" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t1", name: "note", input: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"text": "x"}' } },
      { type: "content_block_stop", index: 1 },
    ];
    const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
    world.script((response) =>
      writeEvents(
        response,
        [
          { type: "message_start", message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } },
          ...thinking,
          { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
          { type: "message_stop" },
        ],
        true,
      ),
    );
    const { events } = await world.send("Note it.", { model: "anthropic:scripted" });
    const deltas = events.flatMap((event) => (event.type === "thinking.delta" ? [event.text] : []));
    expect(deltas.join("")).toBe("I must note it.");
    expect(events.find(({ type }) => type === "message.complete")).toMatchObject({
      content: [],
      thinking: "I must note it.",
    });
    const block = { type: "thinking", thinking: "I must note it.", signature: "signed" };
    const use = { type: "tool_use", id: "t1", name: "note", input: { text: "x" } };
    expect(world.asked[1]?.messages[1]?.content).toEqual([block, use]);
    await world.restart();
    await world.send("And?", { model: "anthropic:scripted" });
    expect(world.asked[2]?.messages[1]?.content).toEqual([block, use]);
    await world.send("And now?", { model: "anthropic:other" });
    expect(world.asked[3]?.messages[1]?.content).toEqual([use]);
  });

  it("has the thinking of servers like OpenAI's, which is not sent again", async () => {
    const world = await langchainWorld();
    world.script(
      chatChunks([{ reasoning_content: "I think, " }, { reasoning_content: "so I am." }, { content: "I am." }]),
    );
    const { events } = await world.send("Are you?");
    expect(events.find(({ type }) => type === "message.complete")).toMatchObject({
      content: [{ type: "text", text: "I am." }],
      thinking: "I think, so I am.",
    });
    await world.send("Why?");
    expect(contents(world.asked.at(-1))).toEqual(["Are you?", "I am.", "Why?"]);
  });

  it("has the paths of files that tools returned", async () => {
    const report = `export default { description: "Reports.", access: () => [], execute: () => ({ content: [{ type: "file", name: "r.pdf", mimeType: "application/pdf", data: "UERG" }] }) };`;
    const world = await langchainWorld({ files: { "report.ts": report } });
    world.script({ call: "report", input: {} }, { say: "Reported." });
    await world.send("Report.");
    const line = String(world.asked[1]?.messages.at(-1)?.content);
    const [, path = ""] = /^\[file "r\.pdf", application\/pdf, 3 bytes: (.+)\]$/.exec(line) ?? [];
    expect(readFileSync(path, "utf8")).toBe("PDF");
    await world.restart();
    await world.send("Where is it?");
    expect(contents(world.asked.at(-1))).toEqual(["Report.", "", line, "Reported.", "Where is it?"]);
  });

  it("is read from another agent", async () => {
    const world = await langchainWorld();
    await world.send('call note {"text": "of demo"}\nsay Done by demo.', { agent: "demo" });
    await world.send("What did demo do?", { agent: "langchain" });
    expect(contents(world.asked.at(-1))).toEqual(expect.arrayContaining(["Noted: of demo", "What did demo do?"]));
  });
});

describe.skipIf(missing)("[G4] the model of LangChain's agent", () => {
  it("can be one that a program has made", async () => {
    const world = await langchainWorld();
    const { ChatOpenAI } = await importFrom("@langchain/openai");
    const model = new (ChatOpenAI as new (fields: object) => LangchainModel)({
      ...{ model: "of-a-program", apiKey: "k", configuration: { baseURL: world.baseUrl } },
    });
    const other = await langchainWorld({ model, systemPrompt: "You are a poet." });
    world.script({ call: "note", input: { text: "x" } }, { say: "Noted." });
    expect((await other.send("Note it.")).result).toMatchObject({
      ok: true,
      text: "Noted.",
      usage: { model: "of-a-program" },
    });
    expect(other.asked).toEqual([]);
    expect(world.asked[0]?.messages[0]).toEqual({ role: "system", content: "You are a poet." });
  });

  it("can use OpenAI's responses API", async () => {
    const world = await langchainWorld({ wire: RESPONSES, files: { "draw.ts": DRAW } });
    const { ChatOpenAI } = await importFrom("@langchain/openai");
    const model = new (ChatOpenAI as new (fields: object) => LangchainModel)({
      ...{ model: "scripted", apiKey: "k", useResponsesApi: true, configuration: { baseURL: `${world.baseUrl}/v1` } },
    });
    const other = await langchainWorld({ model, files: { "draw.ts": DRAW } });
    world.script(
      {
        calls: [
          { call: "note", input: { text: "x" } },
          { call: "draw", input: {} },
        ],
      },
      { say: "Drawn." },
    );
    const first = await other.send("Draw it.");
    expect(first.result).toMatchObject({ ok: true, text: "Drawn." });
    expect(JSON.stringify(world.asked[1])).toContain(DOT);
    expect(states(first.events)).toEqual(["session"]);
    await other.restart();
    const second = await other.send("And?");
    expect(second.result).toMatchObject({ ok: true, text: "Nothing more." });
    expect(RESPONSES.items(world.asked[2])).toEqual([...RESPONSES.items(world.asked[1]), { user: "And?" }]);
  });

  it("is told the directory, the tools, and the text of the session", async () => {
    const world = await langchainWorld();
    await world.send("Hello.", { systemPrompt: "Answer in French." });
    const [system] = world.asked[0]?.messages ?? [];
    expect(system?.role).toBe("system");
    expect(system?.content).toContain(`with the project in ${world.at.project}.`);
    expect(system?.content).toContain("Your tools: note.");
    expect(system?.content).toMatch(/\n\nAnswer in French\.$/);
  });

  it.each<[string, object, object, string, string]>([
    [
      "without a name",
      { model: "", baseUrl: "http://127.0.0.1:9" },
      {},
      "unsupported",
      "LangChain has no default model. Name the provider and the model, such as --model openai:gpt-5 or --model anthropic:claude-sonnet-4-5. For an OpenAI-compatible server: --base-url URL --model NAME.",
    ],
    [
      "without a key",
      { model: "anthropic:claude-sonnet-4-5", baseUrl: undefined },
      {},
      "unauthorized",
      "There is no key for anthropic. Set the environment variable ANTHROPIC_API_KEY.",
    ],
    [
      "of a package that is not installed",
      { model: "groq:llama", baseUrl: undefined },
      { GROQ_API_KEY: "k" },
      "not_installed",
      "The package @langchain/groq is not installed. Install it: npm install --prefix MODULES @langchain/groq",
    ],
  ])("%s is an error that says what to do", async (_title, options, env, code, message) => {
    const world = await langchainWorld({ env: env as Record<string, string> });
    const { result } = await world.send("Hello.", options);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(result).replace(join(MODULES.langchain, ".."), "MODULES")).toContain(message);
  });

  it.each([
    [
      "opnai:gpt-5",
      'LangChain has no provider "opnai" (model "opnai:gpt-5"). Did you mean "openai"? Providers: openai, ',
    ],
    [
      "gpt-5",
      'The model "gpt-5" has no provider. Write it as --model PROVIDER:gpt-5, such as openai:gpt-5. Providers: openai, ',
    ],
  ])("%s is an error that names the providers", async (model, message) => {
    const world = await langchainWorld();
    const { result } = await world.send("Hello.", { model, baseUrl: undefined } as never);
    expect(result).toMatchObject({
      ok: false,
      error: { code: "unsupported", message: expect.stringContaining(message) },
    });
  });

  it("may have a colon in its name, on a server of the user", async () => {
    const world = await langchainWorld({ env: {} });
    await world.send("Hello.", { model: "qwen3:8b" });
    expect(world.asked[0]).toMatchObject({ model: "qwen3:8b" });
  });
});

async function importFrom(name: string): Promise<Record<string, unknown>> {
  const file = createRequire(join(MODULES.langchain, "_.js")).resolve(name);
  return import(pathToFileURL(file.replace(/\.cjs$/, ".js")).href);
}
