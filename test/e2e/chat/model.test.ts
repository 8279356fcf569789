import type { ServerResponse } from "node:http";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CHAT } from "../../support/agents/chat-wire.ts";
import { serveModel } from "../../support/agents/scripted-model.ts";
import { startPromptedModel } from "../../support/coding-agents/prompted-model.ts";
import { installed, MODULES } from "../../support/installed.ts";
import { CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { type Chat, chatProject } from "../../support/terminal/chat-world.ts";
import { missing as noTmux } from "../../support/terminal/tmux.ts";

const missing = noTmux ?? (await installed("langchain"));
const skipped = missing === undefined ? "" : ` (${missing})`;

/** A chat of LangChain's agent with a model at this address. */
function opened(origin: string): Promise<Chat> {
  const settings = { ...QUIET_SETTINGS, agents: { modules: dirname(MODULES.langchain) } };
  return chatProject({ files: CHAT_TOOLS, settings }).open({
    args: ["--agent", "langchain", "--model", "scripted", "--base-url", `${origin}/v1`],
    env: { OPENAI_API_KEY: "dummy" },
  });
}

describe.skipIf(missing !== undefined)(`[U2] a chat with a model${skipped}`, () => {
  it("[U2] shows model and tokens in the status line; the reason of a no reaches the model", async () => {
    const model = await startPromptedModel(CHAT);
    onTestFinished(() => model.close());
    model.script("Leave a mark", [{ call: "mark", input: { text: "one" } }, { say: "Then I shall not." }]);
    const chat = await opened(model.origin);
    expect(await chat.status()).toBe("langchain · scripted · default");
    await chat.submit("Leave a mark");
    await chat.until("Yes, once");
    await chat.answer("r");
    await chat.until("What should the model know?");
    await chat.type("The wall is freshly painted.");
    await chat.until("The wall is freshly painted.");
    await chat.keys("Enter");
    await chat.until("Then I shall not.");
    await chat.idle();
    const [answer] = model.asked("Leave a mark").at(-1)?.answers ?? [];
    expect(answer?.text).toBe('"mark" was not allowed to run. The user said: The wall is freshly painted.');
    expect(await chat.status()).toMatch(/^langchain · scripted · default · Leave a mark +20 in · 10 out$/);
    expect(await chat.shown("Leave a mark")).toMatchInlineSnapshot(`
      "❯ Leave a mark

      ✗ mark one TIME
        "mark" was not allowed to run. The user said: The wall is freshly painted.
      ? mark: The tool "mark" writing "PROJECT/marks.txt" needs approval: no rule …
        Refused: The wall is freshly painted.

      Then I shall not.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      langchain · scripted · default · Leave a mark                                         20 in · 10 out"
    `);
  });

  it("[U2] shows tokens as they arrive, takes keys meanwhile, and Esc ends the stream", async () => {
    let isClosed = false;
    const model = await serveModel(CHAT, (_, response) => void stream(response).finally(() => (isClosed = true)));
    onTestFinished(() => model.close());
    const chat = await opened(model.origin);
    await chat.submit("Count for a long time");
    await chat.until("word-50");
    await chat.type("typed meanwhile");
    await chat.until("typed meanwhile");
    const [last = ""] = (await chat.screen()).match(/word-\d+(?!.*word-)/s) ?? [];
    await chat.until((screen) => Number(/word-(\d+)(?!.*word-)/s.exec(screen)?.[1]) > Number(last.slice(5)));
    await chat.keys("Escape");
    await chat.until((screen) => !screen.includes("Esc stops"));
    expect(await chat.input()).toBe("typed meanwhile");
    await expect.poll(() => isClosed).toBe(true);
  });

  it("[U2] shows what the API of the model says when it fails, and goes on", async () => {
    const model = await startPromptedModel(CHAT);
    onTestFinished(() => model.close());
    model.script("Fail", [{ status: 401, message: "The key is wrong \x1b]2;hacked\x07 here." }]);
    model.script("Work", [{ say: "Working again." }]);
    const chat = await opened(model.origin);
    const { title } = await chat.modes();
    await chat.submit("Fail");
    await chat.until("The key is wrong");
    await chat.idle();
    expect(await chat.title()).toBe(title);
    await chat.submit("Work");
    await chat.until("Working again.");
  });
});

/** Writes a word every two ms until the client goes. */
async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const write = (delta: object): boolean =>
    response.write(
      `data: ${JSON.stringify({ id: "m", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
    );
  write({ role: "assistant", content: "" });
  for (let word = 1; !response.destroyed; word++) {
    write({ content: `word-${word} ` });
    await new Promise((done) => setTimeout(done, 2));
  }
}
