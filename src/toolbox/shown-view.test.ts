import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Clock } from "../calls/clock.ts";
import type { ViewRequest } from "../host/protocol/messages.ts";
import { ShownView } from "./shown-view.ts";
import { ViewRequests } from "./view-requests.ts";

const opened = (): ShownView => new ShownView({ kind: "open", overlay: false });

describe("[U5] [P5] a component between user interface and host", () => {
  it("events are sent in order, one for each request of the host", async () => {
    const view = opened();
    const waiting = view.next(undefined);
    view.input("a");
    const drawing = view.render(20, 5);
    view.input("b");
    expect(await waiting).toEqual({ kind: "input", data: "a" });
    expect(await view.next(undefined)).toEqual({ kind: "draw", id: 1, width: 20, rows: 5 });
    expect(await view.next({ id: 1, lines: ["x"] })).toEqual({ kind: "input", data: "b" });
    expect(await drawing).toEqual(["x"]);
  });

  it("a late drawing is empty, and asked for again once", async () => {
    const view = opened();
    let changes = 0;
    view.onChange(() => {
      changes += 1;
    });
    expect(await view.render(20)).toEqual([]);
    void view.next({ id: 1, lines: ["x"] });
    expect(changes).toBe(1);
    expect(await view.render(20)).toEqual([]);
    void view.next({ id: 2, lines: ["x"] });
    expect(changes).toBe(1);
  });

  it("closing ends drawings and requests, and is reported once", async () => {
    const view = opened();
    let changes = 0;
    const stop = view.onChange(() => {
      changes += 1;
    });
    const drawing = view.render(20);
    await view.next(undefined);
    const waiting = view.next(undefined);
    view.close();
    view.close();
    await view.closed;
    expect([await drawing, await waiting, await view.next(undefined), await view.render(20)]).toEqual([
      ...[[], undefined, undefined, []],
    ]);
    expect(changes).toBe(1);
    stop();
    view.changed();
    expect(changes).toBe(1);
  });

  it("a host that does not answer gets at most 1,000 events later", async () => {
    const view = opened();
    for (let count = 0; count < 5_000; count += 1) view.input(String(count));
    for (let count = 0; count < 1_000; count += 1) {
      expect(await view.next(undefined)).toEqual({ kind: "input", data: String(count) });
    }
    view.input("new");
    expect(await view.next(undefined)).toEqual({ kind: "input", data: "new" });
  });
});

describe("[U5] [P5] requests of hosts about components", () => {
  const owner = (): { signal: AbortSignal; abort: () => void; atEnd: (() => void)[] } => {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort(), atEnd: [] };
  };
  const open = { kind: "open", overlay: false } as const;
  const ask = (views: ViewRequests, request: ViewRequest, by: Parameters<ViewRequests["answer"]>[2], show = () => {}) =>
    views.answer({ method: "custom", args: [], dialogID: "d" }, request, by, show);

  it("a component needs an owner that runs, a user interface, and an id of its own", async () => {
    const views = new ViewRequests();
    const aborted = owner();
    aborted.abort();
    expect(await ask(views, open, undefined)).toBe(false);
    expect(await ask(views, open, aborted)).toBe(false);
    expect(await views.answer({ method: "custom", args: [] }, open, owner(), undefined)).toBe(false);
    expect(await ask(views, { kind: "next" }, owner())).toBeUndefined();
    expect(await ask(views, open, owner())).toBe(true);
    expect(await ask(views, open, owner())).toBe(false);
  });

  it.each(["abort", "end", "close", "failure to show it"] as const)(
    "closes at %s, and the clock runs again",
    async (end) => {
      const views = new ViewRequests();
      let isOver = false;
      const clock = new Clock({ ms: 100, waitMs: 1_000 }, () => {
        isOver = true;
      });
      clock.start();
      const by = { ...owner(), clock };
      const show = (): void => {
        if (end === "failure to show it") throw new Error("no screen");
      };
      expect(await ask(views, open, by, show)).toBe(true);
      const next = ask(views, { kind: "next" }, by);
      if (end !== "failure to show it") await sleep(300);
      expect(isOver).toBe(false);
      if (end === "abort") by.abort();
      if (end === "end") for (const finish of by.atEnd) finish();
      if (end === "close") await ask(views, { kind: "close" }, by);
      expect(await next).toBeUndefined();
      await sleep(300);
      expect(isOver).toBe(true);
    },
  );
});
