import { describe, expect, it } from "vitest";
import type { ClaudeQuery } from "./claude-query.ts";
import type { SdkMessage } from "./claude-sdk.ts";
import { ClaudeSession, type ClaudeSetup } from "./claude-session.ts";

const PROMPT = [{ type: "text", text: "Hello" }] as const;
const RESULT = { type: "result", subtype: "success", session_id: "s" } as unknown as SdkMessage;

/** A session whose processes answer each prompt at once, and that waits for a changed list of tools. */
function opened(): { session: ClaudeSession; prompts: string[]; listed: PromiseWithResolvers<void> } {
  const prompts: string[] = [];
  const listed = Promise.withResolvers<void>();
  let count = 0;
  const open = (): ClaudeQuery => {
    const name = `process ${++count}`;
    const ask = async function* (): AsyncGenerator<SdkMessage> {
      prompts.push(name);
      yield RESULT;
    };
    const query: Pick<ClaudeQuery, "isOpen" | "ask" | "interrupt" | "close"> = {
      isOpen: true,
      ask,
      interrupt: async () => {},
      close: async () => true,
    };
    return query as ClaudeQuery;
  };
  const setup: ClaudeSetup = {
    open,
    tools: { hasNew: false, listed: () => listed.promise, close: async () => {} },
    baseUrl: undefined,
    history: { get: () => undefined, set: async () => {} },
  };
  return { session: new ClaudeSession(setup, "s"), prompts, listed };
}

async function run(session: ClaudeSession): Promise<void> {
  for await (const _ of session.send(PROMPT));
}

describe("[G1] [G7] a turn of Claude that ends before its prompt is sent", () => {
  it.each(["abort", "close"] as const)("by %s: neither the prompt is sent nor a process started", async (how) => {
    const { session, prompts, listed } = opened();
    await run(session);
    const turn = run(session);
    await session[how]();
    listed.resolve();
    await turn;
    expect(prompts).toEqual(["process 1"]);
    if (how === "abort") await run(session);
    expect(prompts).toEqual(how === "abort" ? ["process 1", "process 2"] : ["process 1"]);
  });
});
