import { setTimeout as sleep } from "node:timers/promises";
import type { Terminal } from "@earendil-works/pi-tui";
import { expect, it, onTestFinished } from "vitest";
import type { FollowedEvent } from "../src/core/session-log.ts";
import type { SessionStore } from "../src/core/session-store.ts";
import type { Toolbox } from "../src/index.ts";
import { runChat } from "../src/surfaces/tui/chat.ts";
import { type CodeAgent, codeAgents, saying } from "./support/code-agent.ts";
import { open } from "./support/toolbox.ts";

/** A terminal without a screen, whose keys the test presses. */
class Keyboard implements Terminal {
  readonly columns = 100;
  readonly rows = 30;
  readonly kittyProtocolActive = false;
  readonly started = Promise.withResolvers<void>();
  press: (data: string) => void = () => {};
  start(onInput: (data: string) => void): void {
    this.press = onInput;
    this.started.resolve();
  }
  stop(): void {}
  async drainInput(): Promise<void> {}
  write(): void {}
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
  type(text: string): void {
    for (const character of text) this.press(character);
  }
}

const [ENTER, ESCAPE, CTRL_C] = ["\r", "\x1b", "\x03"];

interface Begun {
  readonly keyboard: Keyboard;
  readonly toolbox: Toolbox;
  /** Resolves with the first event of this type that is not in `events` yet. */
  readonly next: (type: FollowedEvent["type"]) => Promise<FollowedEvent>;
  readonly events: readonly FollowedEvent[];
}

async function firstSession(store: SessionStore): Promise<string> {
  for (;;) {
    const [first] = (await store.list()).sessions;
    if (first) return first.id;
    await sleep(10);
  }
}

/** Begins a chat with a prompt. The chat ends with the test. */
async function begin(agent: CodeAgent, prompt: string): Promise<Begun> {
  const { toolbox, at } = await open({}, { onlyGiven: true, tools: {}, agents: codeAgents({ code: agent }) });
  const keyboard = new Keyboard();
  const ended = runChat({
    toolbox,
    choices: { agent: "code", model: undefined, mode: undefined },
    turn: {},
    color: false,
    env: at.env,
    agents: async () => [],
    notices: [],
    terminal: keyboard,
  });
  const reading = new AbortController();
  onTestFinished(async () => {
    reading.abort();
    keyboard.press(CTRL_C);
    keyboard.press(CTRL_C);
    await ended;
  });
  await keyboard.started.promise;
  keyboard.type(prompt);
  keyboard.press(ENTER);
  const store = await toolbox.sessions.store();
  const iterator = store.follow(await firstSession(store), 0, reading.signal)[Symbol.asyncIterator]();
  const events: FollowedEvent[] = [];
  const next = async (type: FollowedEvent["type"]): Promise<FollowedEvent> => {
    for (;;) {
      const { value, done } = await iterator.next();
      if (done) throw new Error(`There is no ${type}.`);
      events.push(value);
      if (value.type === type) return value;
    }
  };
  return { keyboard, toolbox, next, events };
}

/** Asks whether it may paint, once `start` is resolved. */
function painter(start: Promise<void> = Promise.resolve()): CodeAgent {
  return {
    async *turn({ prompt, options, signal }) {
      await start;
      const access = [{ kind: "execute", target: "paint the wall" }] as const;
      const call = { callID: crypto.randomUUID(), tool: "Paint", input: {}, access, signal };
      const { allowed } = prompt === "paint" ? await options.permit(call) : { allowed: true };
      yield* saying(allowed ? `done: ${prompt}` : "refused");
    },
  };
}

it("[U2][P3] a question that comes while the user types is not answered by the next letter", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { keyboard, next, events } = await begin(painter(promise), "paint");
  await next("message.user");
  keyboard.type("please s");
  resolve();
  await next("question.asked");
  keyboard.type("ay");
  // Longer than the pause after which the question is shown, and than it ignores keys.
  await sleep(2_000);
  keyboard.type("n");
  expect(await next("question.answered")).toMatchObject({ allowed: false });
  await next("session.idle");
  keyboard.press(ENTER);
  expect(await next("message.user")).toMatchObject({ content: [{ type: "text", text: "please say" }] });
  expect(events.filter(({ type }) => type === "question.answered")).toHaveLength(1);
});

it("[U2] Escape at a question stops the turn, and gives waiting prompts back to the input", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { keyboard, next } = await begin(painter(promise), "paint");
  await next("message.user");
  keyboard.type("later");
  keyboard.press(ENTER);
  await sleep(20);
  resolve();
  await next("question.asked");
  await sleep(1_000);
  keyboard.press(ESCAPE);
  expect(await next("session.idle")).toMatchObject({ aborted: true });
  // The chat reads the same event, and puts the prompt into the input.
  await sleep(1_000);
  keyboard.type(" and more");
  keyboard.press(ENTER);
  expect(await next("message.user")).toMatchObject({ content: [{ type: "text", text: "later and more" }] });
});
