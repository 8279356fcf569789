import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputOf, type ToolResult } from "../src/core/result.ts";
import { createToolbox } from "../src/index.ts";
import type { Toolbox } from "../src/toolbox/toolbox.ts";
import { BAD, type Case, GOOD, LIMITS, PROBLEMS, REFUSED } from "./support/cases.ts";
import { makeFixture } from "./support/fixture.ts";
import { hosts } from "./support/processes.ts";

describe("a folder of tools, good and bad, through the library", () => {
  // The first call of a good tool may import a schema library on a busy machine.
  const toolLimits = Object.fromEntries([...GOOD].map(({ tool }) => [tool, { timeoutMs: 10_000 }]));
  const fixture = makeFixture({ limits: LIMITS, toolLimits });
  let toolbox: Toolbox;

  beforeAll(async () => {
    toolbox = await createToolbox({ cwd: fixture.project, env: fixture.env, trust: true });
  });
  afterAll(async () => {
    await toolbox.close();
    expect(hosts()).toEqual([]);
    fixture.remove();
  });

  const call = (tool: string, input?: unknown, limits: { timeoutMs?: number } = {}): Promise<ToolResult> =>
    toolbox.call({ name: tool, input, ...limits }).result;

  it("[D5] reports every bad file with its line, its code and a remedy, and no other file", () => {
    const found = toolbox.problems().map(({ file, line, code, message }) => [basename(file), line, code, message]);
    expect(found).toEqual(
      PROBLEMS.map(([file, line, code, message]) => [
        file,
        line,
        code,
        message instanceof RegExp ? expect.stringMatching(message) : message,
      ]),
    );
  });

  it.each([...GOOD])("[A1] [A2] [A4] [A9] $tool $input returns its result", async ({ tool, input, says }) => {
    const result = await call(tool, input);
    expect(outputOf(result)).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says);
    expect(result.ok).toBe(true);
  });

  it.each([...REFUSED])("[P1] [P2] $tool $input is refused before it runs", async ({ tool, input, code, says }) => {
    const result = await call(tool, input);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(outputOf(result)).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says);
  });

  it.each([...BAD])("[P4] [P5] $tool fails in time, and the other tools keep working", async (row) => {
    await expectContained(row);
  });

  async function expectContained({ tool, input, code, says, timeoutMs }: Case): Promise<void> {
    const startedAt = performance.now();
    const bad = call(tool, input, timeoutMs === undefined ? {} : { timeoutMs });
    await sleep(20);
    const neighbours = Promise.all([call("greet", { name: "A" }), call("whole-object", { path: "b" })]);
    const result = await bad;
    expect(performance.now() - startedAt).toBeLessThan((timeoutMs ?? LIMITS.timeoutMs) + 2000);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(outputOf(result)).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says);
    for (const neighbour of await neighbours) {
      // A concurrent call in the same process may fail too, with that reason; it never hangs and never gets a wrong result.
      if (!neighbour.ok) expect(neighbour.error.code).toBe("crashed");
    }
    expect(outputOf(await call("greet"))).toBe("Hello, world!");
    expect(outputOf(await call("siblings"))).toBe("one two three four five true");
  }

  it("[P4] keeps the output of an unresponsive tool that is ended", async () => {
    const result = await call("deaf");
    expect(result).toMatchObject({
      ok: false,
      content: [{ type: "text", text: expect.stringMatching(/^(still here\n)+/) }],
    });
  });

  it("[P5] leaves no process behind except the serving one", async () => {
    await call("greet");
    await expect.poll(() => hosts().length, { timeout: 20_000 }).toBe(1);
  });
});
