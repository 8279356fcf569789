import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FollowedEvent } from "../../src/core/session-log.ts";
import { installed } from "../support/installed.ts";
import {
  type Answer,
  apiError,
  brokenOff,
  type ChatBody,
  chatChunks,
  langchainWorld,
  rawCall,
} from "../support/langchain-world.ts";

const missing = await installed("langchain");

const texts = (events: readonly FollowedEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "message.complete"
      ? event.content.map((part) => (part.type === "text" ? part.text : part.type))
      : [],
  );
const roles = (body: ChatBody | undefined): string[] => (body?.messages ?? []).map(({ role }) => role).slice(1);
const results = (body: ChatBody | undefined): unknown[] =>
  (body?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);

describe.skipIf(missing)("[G4] requests of LangChain's agent", () => {
  it("are repeated if they fail for a reason that may pass", async () => {
    const world = await langchainWorld();
    world.script(
      apiError(500, { message: "Oops." }),
      apiError(429, { message: "Slow down." }, { "retry-after": "0" }),
      (response) => void response.socket?.destroy(),
      { say: "Here I am." },
    );
    const { result, notices, events } = await world.send("Hello?");
    expect(result).toMatchObject({ ok: true, text: "Here I am." });
    expect(notices.map((notice) => notice.replace(/127\.0\.0\.1:\d+/, "HOST"))).toEqual([
      'The model "scripted" of openai at http://HOST/v1 failed (500): Oops. Retry 1 of 4 in 0.001 s.',
      'The model "scripted" of openai at http://HOST/v1 failed (429): Slow down. Retry 2 of 4 in 0 s.',
      expect.stringMatching(
        /^The model "scripted" of openai at http:\/\/HOST\/v1 cannot be reached: .* Retry 3 of 4 in 0.004 s\.$/,
      ),
    ]);
    expect(texts(events)).toEqual(["Here I am."]);
  });

  it("end the turn if they fail again and again", async () => {
    const world = await langchainWorld({ retry: { retries: 2, delayMs: 1 } });
    world.script(...Array<Answer>(3).fill(apiError(503, { message: "Closed for the day" })));
    const { result } = await world.send("Hello?");
    expect(world.asked).toHaveLength(3);
    expect(result).toMatchObject({ ok: false, error: { code: "model_failed" } });
    expect(result).toHaveProperty(
      "error.message",
      `The model "scripted" of openai at ${world.baseUrl} failed (503): Closed for the day. Try again later.`,
    );
    expect((await world.send("And now?")).result).toMatchObject({ ok: true, text: "Nothing more." });
    expect(roles(world.asked.at(-1))).toEqual(["user", "user"]);
  });

  it.each([
    [400, { message: "Wrong." }, "model_failed", "failed (400): Wrong. Check --model and the options of the provider."],
    [
      401,
      { message: "Who?" },
      "unauthorized",
      "refused the key (401): Who? Check the environment variable OPENAI_API_KEY.",
    ],
    [
      403,
      { message: "No" },
      "unauthorized",
      "refused the key (403): No. Check the environment variable OPENAI_API_KEY.",
    ],
    [404, { message: "What?" }, "model_failed", "was not found (404): What? Check --model and --base-url."],
    [
      429,
      { message: "Pay.", code: "insufficient_quota" },
      "model_failed",
      "failed (429): Pay. Check --model and the options of the provider.",
    ],
  ])("are not repeated after %i", async (status, error, code, message) => {
    const world = await langchainWorld();
    world.script(apiError(status, error));
    const { result } = await world.send("Hello?");
    expect(world.asked).toHaveLength(1);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(result).toHaveProperty("error.message", `The model "scripted" of openai at ${world.baseUrl} ${message}`);
  });

  it("are repeated after a connection that broke in the middle of a message", async () => {
    const world = await langchainWorld();
    world.script(brokenOff({ content: "I am going" }, { content: " to" }), { say: "I am here." });
    const { result, events } = await world.send("Hello?");
    expect(result).toMatchObject({ ok: true, text: "I am here." });
    expect(texts(events)).toEqual(["I am going to", "I am here."]);
  });

  it("are limited in one turn", async () => {
    const world = await langchainWorld({ maxRequests: 3 });
    world.script(...Array<Answer>(5).fill({ call: "note", input: { text: "again" } }));
    const { result } = await world.send("Loop.");
    expect(world.asked).toHaveLength(3);
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: "agent_failed",
        message: "The turn was stopped after 3 requests to the model. Send another message to continue.",
      },
    });
    const next = await world.send("Go on.");
    expect(next.result).toMatchObject({ ok: true });
    expect(results(world.asked[3])).toEqual(Array(3).fill("Noted: again"));
  });

  it("are aborted with the turn, and what was said is kept", async () => {
    const world = await langchainWorld();
    const closed = Promise.withResolvers<void>();
    world.script((response) => {
      response.on("close", closed.resolve);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const choices = [{ index: 0, delta: { role: "assistant", content: "I begin" }, finish_reason: null }];
      response.write(`data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices })}\n\n`);
    });
    const toolbox = await world.toolbox();
    const turn = toolbox.sessions.send("talk", "Tell me.", {
      agent: "langchain",
      model: "scripted",
      baseUrl: world.baseUrl,
    });
    for await (const event of turn) if (event.type === "message.delta") turn.abort();
    await closed.promise;
    expect(await turn.result).toMatchObject({ ok: true, text: "I begin", aborted: true });
    await world.send("And?");
    expect(world.asked.at(-1)?.messages.slice(1)).toMatchObject([
      { role: "user", content: "Tell me." },
      { role: "assistant", content: "I begin" },
      { role: "user", content: "And?" },
    ]);
  });
});

describe.skipIf(missing)("[G4] calls of LangChain's models", () => {
  const WRITE = `import { writeFileSync } from "node:fs";
export default {
  description: "Writes a file.",
  args: { path: { type: "string" }, text: { type: "string" } },
  access: () => [],
  execute: ({ path, text }, { directory }) => (writeFileSync(directory + "/" + path, text), "Written."),
};
`;

  it("with half of their arguments are not run", async () => {
    const world = await langchainWorld({ files: { "save.ts": WRITE } });
    world.script(
      chatChunks([rawCall("save", '{"path": "half.txt", "text": "The first ha')], "length"),
      { call: "save", input: { path: "whole.txt", text: "The first half and the second." } },
      { say: "Saved." },
    );
    const { result, events } = await world.send("Save it.");
    expect(result).toMatchObject({ ok: true, text: "Saved." });
    expect(existsSync(join(world.at.project, "half.txt"))).toBe(false);
    expect(existsSync(join(world.at.project, "whole.txt"))).toBe(true);
    expect(results(world.asked[1])).toEqual([
      expect.stringMatching(/^The arguments of this call are not valid JSON: .+\nThe input for "save" is not valid:\n/),
    ]);
    expect(events.filter(({ type }) => type === "tool.failed")).toMatchObject([
      { callID: "call_raw", tool: "save", result: { error: { code: "invalid_input" } } },
    ]);
  });

  it.each([
    ["garbage", "so this is it", /^The arguments of this call are not valid JSON: /],
    ["a list", "[1]", /^The input for "note" is not valid:\n/],
    ["null", "null", /^The input for "note" is not valid:\n/],
    ["nothing, which is no arguments", "", /^The input for "note" is not valid:\n- .*text/],
  ])("with %s as arguments are answered so that the model can correct them", async (_title, args, answer) => {
    const world = await langchainWorld();
    world.script(chatChunks([rawCall("note", args)], "tool_calls"), { say: "I see." });
    const { result } = await world.send("Note it.");
    expect(result).toMatchObject({ ok: true, text: "I see." });
    expect(results(world.asked[1])).toEqual([expect.stringMatching(answer)]);
    const before = JSON.stringify(world.asked[1]?.messages.at(-2)?.tool_calls);
    await world.send("Go on.");
    expect(JSON.stringify(world.asked[2]?.messages.at(2)?.tool_calls)).toBe(before);
  });

  it("without ids, or with the same id, are told apart", async () => {
    const world = await langchainWorld();
    const call = (index: number, text: string, more: object): object => ({
      ...{ index, type: "function", function: { name: "note", arguments: JSON.stringify({ text }) } },
      ...more,
    });
    const calls = [call(0, "a", { id: "same" }), call(1, "b", { id: "same" }), call(2, "c", { id: "" })];
    world.script(chatChunks([{ tool_calls: calls }], "tool_calls"), { say: "All." });
    await world.send("Note them.");
    expect(results(world.asked[1])).toEqual(["Noted: a", "Noted: b", "Noted: c"]);
    const ids = world.asked[1]?.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)) ?? [];
    expect(ids[0]).toBe("same");
    expect(new Set(ids).size).toBe(3);
    expect(world.asked[1]?.messages.flatMap(({ tool_call_id = [] }) => tool_call_id)).toEqual(ids);
  });

  it("of unknown tools fail, and the turn goes on", async () => {
    const world = await langchainWorld();
    world.script(chatChunks([rawCall("notes", '{"text": "x"}')], "tool_calls"), { say: "I see." });
    const { result } = await world.send("Note it.");
    expect(result).toMatchObject({ ok: true, text: "I see." });
    expect(results(world.asked[1])).toEqual([expect.stringContaining('"note"')]);
  });
});
