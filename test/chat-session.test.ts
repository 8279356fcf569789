import { expect, it, onTestFinished } from "vitest";
import type { FollowedEvent } from "../src/core/session-log.ts";
import { type Toolbox, type ToolboxOptions, tool } from "../src/index.ts";
import { createMemoryStore } from "../src/sessions/store/memory-store.ts";
import type { NoticeKind } from "../src/surfaces/tui/chat-actions.ts";
import { type ChatChoices, ChatSession } from "../src/surfaces/tui/chat-session.ts";
import { type CodeAgent, codeAgents, saying } from "./support/code-agent.ts";
import { open } from "./support/toolbox.ts";

const GREET = tool({ description: "Greets.", execute: () => "Hello!" });
const ASKING = tool({
  description: "Asks.",
  async execute(_, { ask }) {
    await ask({ permission: "paint", patterns: ["the fence"], always: [], metadata: {} });
    return "painted";
  },
});

const ECHO: CodeAgent = {
  async *turn({ prompt }) {
    yield* saying(`You said: ${prompt}`);
  },
};
/** Ends only when it is aborted. */
const ENDLESS: CodeAgent = {
  async *turn({ signal }) {
    yield { type: "message.delta", messageID: "m", text: "Wait" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
};
/** Ends after the first prompt when `release` is called. */
function held(): { readonly agent: CodeAgent; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    release: resolve,
    agent: {
      async *turn({ prompt }) {
        await promise;
        yield* saying(`You said: ${prompt}`);
      },
    },
  };
}

class Shown {
  readonly events: FollowedEvent[] = [];
  readonly notices: [string, NoticeKind][] = [];
  opens = 0;
  /** The prompts that were not sent when another session was shown. */
  readonly returned: string[] = [];
  #changed = Promise.withResolvers<void>();
  event(event: FollowedEvent): void {
    this.events.push(event);
    this.changed();
  }
  notice(text: string, kind: NoticeKind): void {
    this.notices.push([text, kind]);
    this.changed();
  }
  opened(waiting: readonly string[]): void {
    this.opens += 1;
    this.returned.push(...waiting);
  }
  changed(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#changed.promise;
  }
  get texts(): string[] {
    return this.events.flatMap((event) =>
      event.type === "message.complete" || event.type === "message.user"
        ? event.content.map((part) => (part.type === "text" ? part.text : part.type))
        : [],
    );
  }
}

async function chat(
  agents: Readonly<Record<string, CodeAgent>>,
  { choices = {}, ...options }: { readonly choices?: Partial<ChatChoices> } & ToolboxOptions = {},
): Promise<{ toolbox: Toolbox; session: ChatSession; shown: Shown }> {
  const tools = { greet: GREET, asking: ASKING };
  const { toolbox } = await open({}, { onlyGiven: true, tools, agents: codeAgents(agents), ...options });
  const shown = new Shown();
  const [agent] = Object.keys(agents);
  const session = new ChatSession(toolbox, shown, { agent, model: undefined, mode: undefined, ...choices });
  onTestFinished(() => session.close());
  return { toolbox, session, shown };
}

it("[U2] sends a prompt, and shows the events of the session", async () => {
  const { session, shown } = await chat({ echo: ECHO });
  expect(session).toMatchObject({ agent: "echo", isRunning: false, info: undefined });
  session.send("Hi");
  expect(session.isRunning).toBe(true);
  await shown.until(() => !session.isRunning);
  expect(shown.texts).toEqual(["Hi", "You said: Hi"]);
  expect(session.info).toMatchObject({ id: session.sessionID, title: "Hi", turn: "idle", agent: "echo" });
});

it("[U2] a prompt waits while a turn runs; stopping gives it back", async () => {
  const { agent, release } = held();
  const { session, shown } = await chat({ held: agent });
  session.send("One");
  session.send("Two");
  expect(session.waiting).toEqual(["Two"]);
  release();
  await shown.until(() => shown.texts.length === 4 && !session.isRunning);
  expect(shown.texts).toEqual(["One", "You said: One", "Two", "You said: Two"]);

  const other = await chat({ endless: ENDLESS });
  other.session.send("One");
  other.session.send("Two");
  expect(other.session.takeWaiting()).toEqual(["Two"]);
  await other.shown.until(() => other.shown.events.some(({ type }) => type === "message.delta"));
  await other.session.stop();
  await other.shown.until(() => !other.session.isRunning);
  expect(other.shown.texts).toEqual(["One", "Wait"]);
});

it("[U2] a turn that fails is in the log; one that could not begin is a notice", async () => {
  const { toolbox, session, shown } = await chat({ echo: ECHO }, { choices: { agent: "eco" } });
  session.send("Hi");
  await shown.until(() => shown.events.some(({ type }) => type === "session.error"));
  expect(shown.notices).toEqual([]);
  await toolbox.sessions.stop(0);
  session.send("Hi");
  await shown.until(() => shown.notices.length === 1);
  expect(shown.notices).toEqual([[expect.stringContaining("is stopping"), "error"]]);
});

it("[U2] a call of the user runs without a question, and a question of the tool is answered here", async () => {
  const { session, shown } = await chat({ echo: ECHO });
  await session.call("greet", {});
  await shown.until(() => shown.events.some(({ type }) => type === "tool.complete"));
  const asking = session.call("asking", {});
  await shown.until(() => session.questions.length === 1);
  expect(session.questions[0]).toMatchObject({ kind: "permission", tool: "asking" });
  await session.answer(session.questions[0]?.questionID ?? "", { allowed: true });
  await asking;
  await shown.until(() => session.questions.length === 0);
  await session.call("gret", {});
  expect(shown.notices).toEqual([[expect.stringContaining('"gret"'), "error"]]);
});

it("[U2] a session that another toolbox runs is shown, stopped and continued", async () => {
  const store = createMemoryStore({ project: "/project" });
  onTestFinished(() => store.close());
  const owner = await chat({ endless: ENDLESS }, { sessions: store });
  owner.session.send("Run");
  await owner.shown.until(() => owner.shown.texts.length === 1);
  const { session, shown } = await chat({ endless: ECHO }, { sessions: store, choices: { agent: undefined } });
  await session.open(owner.session.sessionID);
  await shown.until(() => session.info?.turn === "running");
  expect(session).toMatchObject({ agent: "endless", isRunning: true });
  session.send("Next");
  expect(session.waiting).toEqual(["Next"]);
  await session.stop();
  await shown.until(() => shown.texts.includes("You said: Next"));
  await owner.shown.until(() => !owner.session.isRunning);
});

it("[U2] another session replaces the shown one; a new one keeps agent and mode", async () => {
  const { session, shown } = await chat({ echo: ECHO, other: ECHO }, { choices: { mode: "plan" } });
  session.send("First");
  await shown.until(() => !session.isRunning);
  const first = session.sessionID;
  session.choose({ agent: "other", model: "m1" });
  session.begin();
  expect(session).toMatchObject({ agent: "other", model: "m1", mode: "plan", info: undefined });
  expect(session.sessionID).not.toBe(first);
  await session.open(first);
  await shown.until(() => session.info !== undefined);
  expect(session).toMatchObject({ sessionID: first, agent: "echo", model: undefined, mode: "plan" });
  expect(shown.opens).toBe(2);
  await expect(session.open("none")).rejects.toMatchObject({ code: "session_not_found" });
  expect(session.sessionID).toBe(first);
});

it("[U2] prompts that wait are given back when another session is shown", async () => {
  const { session, shown } = await chat({ endless: ENDLESS });
  session.send("One");
  session.send("Two");
  session.send("Three");
  session.begin();
  expect(shown.returned).toEqual(["Two", "Three"]);
  expect(session.waiting).toEqual([]);
});

it("[U2] a call of the user belongs to the session that was shown when it began", async () => {
  const { session, shown } = await chat({ echo: ECHO });
  const asking = session.call("asking", {});
  await shown.until(() => session.questions.length === 1);
  const [first, [question]] = [session.sessionID, session.questions];
  session.begin();
  expect(session).toMatchObject({ isRunning: false, questions: [] });
  await session.stop();
  expect(shown.notices).toEqual([]);
  await session.open(first);
  await shown.until(() => session.questions.length === 1);
  expect(session.isRunning).toBe(true);
  expect(await session.answer(question?.questionID ?? "", { allowed: true })).toBe(true);
  await asking;
  expect(session.isRunning).toBe(false);
});

it("[U2] an answer that is not taken is reported", async () => {
  const { session, shown } = await chat({ echo: ECHO });
  expect(await session.answer("none", { allowed: true })).toBe(false);
  expect(shown.notices).toEqual([[expect.stringContaining("question"), "error"]]);
});

it("[U2] after the shown session was removed, the next prompt begins another one", async () => {
  const { toolbox, session, shown } = await chat({ echo: ECHO });
  session.send("First");
  await shown.until(() => !session.isRunning && session.info?.turn === "idle");
  const removed = session.sessionID;
  await toolbox.sessions.remove(removed);
  await shown.until(() => shown.notices.length === 1);
  expect(shown.notices).toEqual([["The session was removed. The next prompt begins a new one.", "warning"]]);
  expect(session).toMatchObject({ agent: "echo", info: undefined });
  expect(session.sessionID).not.toBe(removed);
  session.send("Second");
  await shown.until(() => shown.texts.includes("You said: Second"));
});

it("[U2] prompts of two chats that wait for the same turn are all sent", async () => {
  const store = createMemoryStore({ project: "/project" });
  onTestFinished(() => store.close());
  const { agent, release } = held();
  const first = await chat({ held: agent }, { sessions: store });
  first.session.send("One");
  await first.shown.until(() => first.shown.texts.length === 1);
  const second = await chat({ held: agent }, { sessions: store, choices: { agent: undefined } });
  await second.session.open(first.session.sessionID);
  await second.shown.until(() => second.session.isTurnRunning);
  for (const number of [1, 2, 3]) {
    first.session.send(`first ${number}`);
    second.session.send(`second ${number}`);
  }
  release();
  await first.shown.until(() => first.shown.texts.length === 14);
  await second.shown.until(() => second.shown.texts.length === 14);
  const sentBy = (name: string): string[] => first.shown.texts.filter((text) => text.startsWith(name));
  expect(sentBy("first")).toEqual(["first 1", "first 2", "first 3"]);
  expect(sentBy("second")).toEqual(["second 1", "second 2", "second 3"]);
  expect([...first.shown.notices, ...second.shown.notices]).toEqual([]);
});
