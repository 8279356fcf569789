import { describe, expect, it } from "vitest";
import type { FollowedEvent } from "../../core/session-log.ts";
import { SessionError, type SessionStore } from "../../core/session-store.ts";
import type { Invocation } from "./args/command.ts";
import { followSession } from "./follow-session.ts";

const idle = (position: number): FollowedEvent => ({ type: "session.idle", position, at: 0, v: 1 });
const delta = (text: string): FollowedEvent => ({ type: "message.delta", messageID: "m", text });

/** A store whose readers get these lists of events, one list per reader. A reader after whose list another follows is too slow. */
function storeOf(...readers: FollowedEvent[][]): SessionStore & { readonly began: number[] } {
  const began: number[] = [];
  async function* follow(_id: string, after: number): AsyncGenerator<FollowedEvent> {
    began.push(after);
    yield* readers[began.length - 1] ?? [];
    if (began.length < readers.length) throw new SessionError("reader_too_slow", "Too slow.");
  }
  return { follow, began } as unknown as SessionStore & { readonly began: number[] };
}

interface Printed {
  readonly out: string[];
  readonly status: string[];
}

async function printed(
  store: SessionStore,
  options: { limit?: number; json?: boolean; closeAfter?: number; isTTY?: boolean } = {},
): Promise<Printed> {
  const {
    limit = Number.POSITIVE_INFINITY,
    json = false,
    closeAfter = Number.POSITIVE_INFINITY,
    isTTY = false,
  } = options;
  const [out, status]: [string[], string[]] = [[], []];
  const output = (lines: string[]) => ({
    ...{ isTTY, columns: 80, colour: false, unread: 0 },
    get isClosed() {
      return lines.length >= closeAfter;
    },
    write: (text: string) => void lines.push(text),
    report: (text: string) => void lines.push(text),
  });
  const invocation = { values: {}, globals: { json }, terminal: { stdout: output(out), stderr: output(status) } };
  const { signal } = new AbortController();
  await followSession(store, "s", { after: 0, limit, signal }, invocation as unknown as Invocation);
  return { out, status };
}

const positions = ({ out }: Printed): string[] => out.map((text) => text.trim().split(" ")[0] ?? "");

describe("[U1] following a session at a terminal", () => {
  it("goes on after the last printed event if the terminal was too slow", async () => {
    const store = storeOf([idle(1), idle(2)], [idle(3)]);
    expect(positions(await printed(store))).toEqual(["1", "2", "3"]);
    expect(store.began).toEqual([0, 2]);
  });

  it("ends after a number of stored events, and when the output is closed", async () => {
    const events = [delta("a"), idle(1), idle(2), idle(3)];
    expect(positions(await printed(storeOf(events), { limit: 2 }))).toEqual(["1", "2"]);
    expect(positions(await printed(storeOf(events), { closeAfter: 1 }))).toEqual(["1"]);
  });

  it("prints every event as JSON, one per line", async () => {
    const { out } = await printed(storeOf([idle(1), delta("a\u009b")]), { json: true });
    expect(out).toEqual([
      '{"type":"session.idle","position":1,"at":0,"v":1}\n',
      '{"type":"message.delta","messageID":"m","text":"a\\u009b"}\n',
    ]);
  });

  it("shows on one line what is being streamed, on a terminal only", async () => {
    const call = { callID: "c", tool: "bash", messageID: "m", agent: "" };
    const events: FollowedEvent[] = [
      { type: "session.partial", messages: [{ messageID: "m", text: "so far", thinking: "" }], calls: [] },
      delta(" and\nmore"),
      { type: "thinking.delta", messageID: "m", text: "hm" },
      { type: "tool.update", ...call, title: "half" },
      { type: "session.partial", messages: [], calls: [{ ...call, title: "done" }] },
      idle(1),
    ];
    const { status } = await printed(storeOf(events), { isTTY: true });
    const shown = ["Model: so far", "Model: more", "Model is thinking …", "bash: half", "bash: done", ""];
    expect(status).toEqual(shown.map((text) => `\r\x1b[K${text}`));
    expect((await printed(storeOf(events))).status).toEqual([]);
  });

  it("rejects if the session is removed", async () => {
    const follow = (): AsyncIterable<FollowedEvent> => {
      throw new SessionError("session_removed", "Gone.");
    };
    await expect(printed({ follow } as unknown as SessionStore)).rejects.toThrow("Gone.");
  });
});
