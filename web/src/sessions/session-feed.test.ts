import { describe, expect, it } from "vitest";
import type { ApiSessionEvent } from "../../../src/core/api-sessions.ts";
import { RequestRefused } from "../../../src/surfaces/http/client/index.ts";
import { type OpenEvents, SessionFeed } from "./session-feed.ts";

const user = (id: number): ApiSessionEvent => ({
  event: "message",
  id,
  data: { at: id, role: "user", messageID: `m${id}`, content: [{ type: "text", text: `${id}` }] },
});

/** Yields the events, then stays open until the signal aborts. */
async function* held(
  events: readonly ApiSessionEvent[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ApiSessionEvent> {
  yield* events;
  await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
}

function until(feed: SessionFeed, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isTrue()) return;
      stop();
      resolve();
    };
    const stop = feed.subscribe(check);
    check();
  });
}

const frame = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe("the feed of a session", () => {
  it("[U4] resumes a broken stream after the last stored event, without a double", async () => {
    const opened: number[] = [];
    let controller = new AbortController();
    const open: OpenEvents = async function* ({ after, signal, onConnection }) {
      opened.push(after);
      onConnection?.("open");
      if (opened.length === 1) {
        yield user(1);
        yield user(2);
        yield { event: "message_delta", data: { messageID: "m", text: "Half" } };
        // The client opens a lost connection again by itself.
        onConnection?.("lost");
        onConnection?.("open");
      }
      yield* held([user(2), user(3), user(opened.length + 3)], signal);
    };
    const feed = new SessionFeed(open, frame);
    const states: string[] = [];
    feed.subscribe(() => states.at(-1) !== feed.state.kind && states.push(feed.state.kind));
    const followed = feed.follow(controller.signal);
    await until(feed, () => feed.transcript.position === 4 && feed.state.kind === "live");
    controller.abort();
    await followed;
    // The page was disconnected.
    feed.disconnected();
    controller = new AbortController();
    const again = feed.follow(controller.signal);
    await until(feed, () => feed.transcript.position === 5 && feed.state.kind === "live");
    controller.abort();
    await again;
    expect(opened).toEqual([0, 4]);
    expect(feed.transcript.items.map(({ position }) => position)).toEqual([1, 2, 0, 3, 4, 5]);
    expect(states).toEqual(["live", "reconnecting", "live", "reconnecting", "live"]);
  });

  it("[U4] says why the server refuses, and does not ask again", async () => {
    let opened = 0;
    const open = (): never => {
      opened += 1;
      throw new RequestRefused(404, { code: "not_found", message: "There is no session x." });
    };
    const feed = new SessionFeed(open, frame);
    await feed.follow(new AbortController().signal);
    expect(feed.state).toMatchObject({ kind: "refused", error: { message: "There is no session x." } });
    expect(opened).toBe(1);
  });

  it("[U4] draws a frame between parts of a long session, and tells readers once a frame", async () => {
    const controller = new AbortController();
    let frames = 0;
    let told = 0;
    const events = Array.from({ length: 20_000 }, (_, n) => user(n + 1));
    const nextFrame = (): Promise<void> => {
      frames += 1;
      return frame();
    };
    const feed = new SessionFeed(({ signal }) => held(events, signal), nextFrame);
    feed.subscribe(() => {
      told += 1;
    });
    const followed = feed.follow(controller.signal);
    await until(feed, () => feed.transcript.position === 20_000);
    expect(told).toBeLessThan(frames + 20);
    expect(feed.transcript.items).toHaveLength(20_000);
    controller.abort();
    await followed;
  });
});
