import { afterEach, describe, expect, it } from "vitest";
import type { ApiPageEvent, PageRequests } from "../../src/surfaces/http/client/index.ts";
import { RequestRefused } from "../../src/surfaces/http/client/index.ts";
import { createLive, type Live, type LiveState, type TabChange } from "./live.ts";

const TIMES = { backoff: [1, 1, 1], hidden: 10, silence: 60_000 };
const HELLO = { event: "hello", data: { server: "1", version: "0.1.0" } } as const;

const UNAUTHORIZED = new RequestRefused(401, { code: "unauthorized", message: "Wrong token." });

/** A server whose streams a test opens, fills and ends. */
class Streams implements Pick<PageRequests, "events" | "login"> {
  opened = 0;
  /** The tokens with which the page has logged in. */
  readonly logins: string[] = [];
  /** What the first event says beside the version. */
  hello: { renewal?: string } = {};
  /** Thrown instead of opening a stream. */
  refusal: Error | undefined;
  #wake: (() => void) | undefined;
  #queue: (ApiPageEvent | "end")[] = [];

  send(...events: (ApiPageEvent | "end")[]): void {
    this.#queue.push(...events);
    this.#wake?.();
  }

  async login(token: string): Promise<void> {
    this.logins.push(token);
    if (token !== "right") throw UNAUTHORIZED;
    this.refusal = undefined;
  }

  async *events({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncGenerator<ApiPageEvent> {
    this.opened++;
    if (this.refusal) throw this.refusal;
    this.#queue = [{ ...HELLO, data: { ...HELLO.data, ...this.hello } }];
    for (;;) {
      if (signal?.aborted) throw signal.reason;
      const next = this.#queue.shift();
      if (next === "end") return;
      if (next) yield next;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          signal?.addEventListener("abort", () => resolve());
        });
    }
  }
}

/** What happens to the tab. */
let tab: (change: TabChange) => void = () => {};
const watch = (changed: (change: TabChange) => void): (() => void) => {
  tab = changed;
  return () => {};
};

let live: Live | undefined;
afterEach(() => live?.stop());

/** The first state of a kind. */
function reached(kind: LiveState["kind"]): Promise<LiveState> {
  return new Promise((resolve) => {
    const check = (): void => {
      const state = live?.state();
      if (state?.kind !== kind) return;
      stop?.();
      resolve(state);
    };
    const stop = live?.subscribe(check);
    check();
  });
}

describe("the live connection", () => {
  it("passes events on and reconnects when the stream ends", async () => {
    const streams = new Streams();
    live = createLive(streams, TIMES, watch);
    const heard: string[] = [];
    live.on(({ event }) => heard.push(event));
    live.start();
    expect(await reached("live")).toEqual({ kind: "live", version: "0.1.0" });
    streams.send({ event: "tools", data: {} }, "end");
    await reached("reconnecting");
    await reached("live");
    expect(heard).toEqual(["hello", "tools", "hello"]);
    expect(live.generation()).toBe(2);
  });

  it("says that the server has stopped after three failures, and goes on trying", async () => {
    const streams = new Streams();
    streams.refusal = new Error("No server answered.");
    live = createLive(streams, TIMES, watch);
    live.start();
    expect(await reached("stopped")).toEqual({ kind: "stopped", message: "No server answered." });
    streams.refusal = undefined;
    await reached("live");
    expect(streams.opened).toBeGreaterThan(3);
  });

  it("asks for a new token, and connects after it", async () => {
    const streams = new Streams();
    streams.refusal = new RequestRefused(401, { code: "unauthorized", message: "Wrong token." });
    live = createLive(streams, TIMES, watch);
    live.start();
    await reached("unauthorized");
    const { opened } = streams;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(streams.opened).toBe(opened);
    streams.refusal = undefined;
    live.retry();
    await reached("live");
  });

  it("logs in again by itself if another server of this host has replaced the cookie", async () => {
    const streams = new Streams();
    streams.hello = { renewal: "right" };
    live = createLive(streams, TIMES, watch);
    live.start();
    await reached("live");
    for (const _ of [1, 2]) {
      const { opened } = streams;
      streams.refusal = UNAUTHORIZED;
      streams.send("end");
      await expect.poll(() => streams.opened).toBeGreaterThan(opened + 1);
      await reached("live");
    }
    expect(streams.logins).toEqual(["right", "right"]);
    live.unauthorized();
    await reached("live");
    expect(streams.logins).toHaveLength(3);
  });

  it.each(["wrong", undefined])("asks for a token if it cannot log in again: %s", async (renewal) => {
    const streams = new Streams();
    if (renewal !== undefined) streams.hello = { renewal };
    live = createLive(streams, TIMES, watch);
    live.start();
    await reached("live");
    streams.refusal = UNAUTHORIZED;
    streams.send("end");
    await reached("unauthorized");
    expect(streams.logins).toEqual(renewal === undefined ? [] : ["wrong"]);
  });

  it("does not log in again after a person has logged out", async () => {
    const streams = new Streams();
    streams.hello = { renewal: "right" };
    live = createLive(streams, TIMES, watch);
    live.start();
    await reached("live");
    live.forgetLogin();
    live.unauthorized();
    await reached("unauthorized");
    expect(streams.logins).toEqual([]);
  });

  it("reconnects when the server is silent", async () => {
    const streams = new Streams();
    live = createLive(streams, { ...TIMES, silence: 20 }, watch);
    live.start();
    await reached("live");
    await reached("reconnecting");
    await reached("live");
  });

  it("keeps no stream in a hidden tab, and reads all again when it is shown", async () => {
    const streams = new Streams();
    live = createLive(streams, TIMES, watch);
    live.start();
    await reached("live");
    tab("hidden");
    await reached("paused");
    expect([streams.opened, live.generation()]).toEqual([1, 1]);
    tab("shown");
    await reached("live");
    expect(live.generation()).toBe(2);
  });

  it("keeps the stream of a tab that is hidden for a moment", async () => {
    const streams = new Streams();
    live = createLive(streams, TIMES, watch);
    live.start();
    await reached("live");
    tab("hidden");
    tab("shown");
    tab("online");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([streams.opened, live.state().kind]).toEqual([1, "live"]);
  });

  it("ends when it is stopped", async () => {
    const streams = new Streams();
    live = createLive(streams, TIMES, watch);
    live.start();
    await reached("live");
    live.stop();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(streams.opened).toBe(1);
  });
});
