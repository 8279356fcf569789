import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTimeLimit } from "../src/builtins/web/time-limit.ts";
import { Clock } from "../src/calls/clock.ts";
import { readMcpEntry } from "../src/catalog/discovery/mcp-entry.ts";
import { createToolbox } from "../src/index.ts";
import { within } from "../src/platform/waiting/within.ts";
import { project } from "./support/fixture.ts";

/** Longer than the time after which a timer fires that has too long a delay. */
const A_MOMENT = 50;
const DELAYS = [2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 1e15, Number.POSITIVE_INFINITY];

/** What waits for a delay that a file, an argument or a client chose. Each returns whether the time was over after a moment. */
const WAITS: Readonly<Record<string, (ms: number) => Promise<boolean>>> = {
  "a time limit of work": async (ms) => (await within(ms, sleep(A_MOMENT, "done"), () => "late")) === "late",
  "the clock of a call": async (ms) => {
    let isOver = false;
    const clock = new Clock({ ms, waitMs: 1_000 }, () => {
      isOver = true;
    });
    await clock.countFrom(async (started) => {
      started();
      await sleep(A_MOMENT);
    });
    clock.close();
    return isOver;
  },
  "the wait of a call for a host": async (ms) => {
    let isOver = false;
    const clock = new Clock({ ms: 1_000, waitMs: ms }, () => {
      isOver = true;
    });
    await clock.countFrom(() => sleep(A_MOMENT));
    clock.close();
    return isOver;
  },
  "the timeout of webfetch, also after a question": async (ms) => {
    const limit = startTimeLimit(ms);
    await limit.pausedFor(() => sleep(1));
    await sleep(A_MOMENT);
    limit.end();
    return limit.signal.aborted;
  },
};

describe("[P5] a delay that is too long for a timer", () => {
  it.each(Object.entries(WAITS).flatMap(([name, wait]) => DELAYS.map((ms) => ({ name, ms, wait }))))(
    "does not end $name at once: $ms ms",
    async ({ ms, wait }) => {
      expect(await wait(ms)).toBe(false);
    },
  );

  it.each(DELAYS)("does not end the requests to an MCP server at once: %s ms", (timeout) => {
    const from = { env: {}, home: "/home", folder: "/home", cwd: undefined } as never;
    const entry = readMcpEntry("s", { command: "server", timeout }, from);
    expect(entry).toMatchObject({ server: { timeoutMs: 2 ** 31 - 1 } });
  });

  it("does not end calls and imports at once if the settings have the longest one", async () => {
    const at = project({
      ".toolwright/tools/greet.ts": 'export default { description: "Greets.", execute: () => "Hi!" };',
    });
    const home = at.env.TOOLWRIGHT_HOME as string;
    mkdirSync(home, { recursive: true });
    const limits = { importMs: 2 ** 31 - 1, timeoutMs: 2 ** 31 - 1 };
    writeFileSync(join(home, "settings.json"), JSON.stringify({ limits }));
    const toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
    onTestFinished(() => toolbox.close());
    expect(await toolbox.call({ name: "greet", timeoutMs: 1e15 }).result).toMatchObject({ ok: true });
  });
});
