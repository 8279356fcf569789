import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Run } from "../src/calls/call.ts";
import type { RunEvent } from "../src/core/question.ts";
import { sandbox } from "./support/fixture.ts";
import { startedWith } from "./support/processes.ts";
import { answering, begun, open } from "./support/toolbox.ts";

const WAITS = `export default { description: "Waits.", execute: (_, { abort, metadata }) => new Promise((resolve, reject) => {
  metadata({ title: "begun" });
  abort.addEventListener("abort", () => reject(abort.reason)); }) };`;
const SALVAGES = `export default { description: "Saves what it can.", execute: (_, { abort, metadata }) => new Promise((resolve) => {
  metadata({ title: "begun" });
  abort.addEventListener("abort", () => resolve("half of it: " + abort.reason.message)); }) };`;

const CANCELLED = { ok: false, error: { code: "aborted", message: 'The call of "waits" was cancelled.' } };

async function types(run: Run): Promise<RunEvent["type"][]> {
  const seen: RunEvent["type"][] = [];
  for await (const event of run) seen.push(event.type);
  return seen;
}

describe("[P4] aborting a call", () => {
  it("before it starts: nothing runs", async () => {
    const { toolbox } = await open({ "waits.ts": WAITS });
    const signal = AbortSignal.abort();
    const run = toolbox.call({ name: "waits", signal });
    expect(await run.result).toMatchObject(CANCELLED);
    expect(await types(run)).toEqual(["tool.start", "tool.failed"]);
  });

  it("right after it was made", async () => {
    const { toolbox } = await open({ "waits.ts": WAITS });
    const run = toolbox.call({ name: "waits" });
    run.abort();
    expect(await run.result).toMatchObject(CANCELLED);
  });

  it("while it runs, by the run and by a signal", async () => {
    const { toolbox } = await open({ "waits.ts": WAITS });
    const controller = new AbortController();
    const runs = [toolbox.call({ name: "waits" }), toolbox.call({ name: "waits", signal: controller.signal })];
    await Promise.all(runs.map(begun));
    runs[0]?.abort();
    controller.abort();
    for (const run of runs) expect(await run.result).toMatchObject(CANCELLED);
  });

  it("twice has the same effect as once", async () => {
    const { toolbox } = await open({ "waits.ts": WAITS });
    const run = toolbox.call({ name: "waits" });
    await begun(run);
    run.abort();
    run.abort();
    expect(await run.result).toMatchObject(CANCELLED);
    run.abort();
  });

  it("when it has finished changes nothing", async () => {
    const { toolbox, say } = await open({ "quick.ts": answering('"done"') });
    const run = toolbox.call({ name: "quick" });
    const result = await run.result;
    run.abort();
    expect(result).toMatchObject({ ok: true, content: [{ type: "text", text: "done" }] });
    expect(await run.result).toBe(result);
    expect(await say("quick")).toBe("done");
  });

  it("while it waits for permission", async () => {
    let asked = false;
    let gone = false;
    const { toolbox } = await open(
      { "waits.ts": WAITS },
      {
        callerIsAsked: false,
        approve: (_question, signal) => {
          asked = true;
          return new Promise(() => signal.addEventListener("abort", () => (gone = true)));
        },
      },
    );
    const run = toolbox.call({ name: "waits" });
    while (!asked) await sleep(10);
    run.abort();
    expect(await run.result).toMatchObject(CANCELLED);
    expect(gone).toBe(true);
  });

  it("keeps the content that the tool returns on abort", async () => {
    const { toolbox } = await open({ "salvages.ts": SALVAGES });
    const run = toolbox.call({ name: "salvages" });
    await begun(run);
    run.abort();
    expect(await run.result).toMatchObject({
      ok: false,
      error: { code: "aborted" },
      content: [{ type: "text", text: "half of it: The call was cancelled." }],
    });
  });

  it("informs the tool that its timeout has passed", async () => {
    const { toolbox } = await open({ "salvages.ts": SALVAGES });
    const run = toolbox.call({ name: "salvages", timeoutMs: 100 });
    expect(await run.result).toMatchObject({
      ok: false,
      error: {
        code: "timeout",
        message:
          '"salvages" was stopped after 0.1 s, the time limit that this call set. Ask it for less, or give it more time ("timeoutMs" of the call, --timeout of toolwright run).',
      },
      content: [{ type: "text", text: "half of it: The call took longer than its time limit." }],
    });
  });

  it("stops the clock while a question is open", async () => {
    const asks = `export default { description: "Asks.", async execute(_, ctx) {
      await ctx.ask({ permission: "go", patterns: [] }); return "went"; } };`;
    const approve = (): Promise<{ allowed: true }> => sleep(700, { allowed: true });
    const { toolbox } = await open({ "asks.ts": asks }, { approve });
    const run = toolbox.call({ name: "asks", timeoutMs: 400 });
    expect(await run.result).toMatchObject({ ok: true, content: [{ text: "went" }] });
  });
});

describe("[P5] a host that does not answer", () => {
  const LOOPS = 'export default { description: "Loops.", execute() { while (true) {} } };';

  it("gets no new calls: another host answers them at once", async () => {
    const at = sandbox({ "loops.ts": LOOPS, "pid.ts": answering("String(process.pid)") });
    const { toolbox, say } = await open(at, { limits: { timeoutMs: 4000 } });
    const before = await say("pid");
    const loop = toolbox.call({ name: "loops" });
    await sleep(50);
    // The call goes to the looping host first, and is moved when that host has been silent for half a second.
    const early = await say("pid");
    const late = await say("pid");
    expect(early).not.toBe(before);
    expect(late).toBe(early);
    const finished = await Promise.race([loop.result.then(() => "loop"), sleep(0).then(() => "others")]);
    expect(finished).toBe("others");
    expect(await loop.result).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(await say("pid")).toBe(early);
  });

  it("never runs a moved call twice", async () => {
    const at = sandbox({
      "blocks.ts":
        'export default { description: "Blocks for two seconds.", execute() { const end = Date.now() + 2000; while (Date.now() < end); return "awake"; } };',
      "counts.ts":
        'import { appendFileSync } from "node:fs"; export default { description: "Counts.", execute: (_, { directory }) => { appendFileSync(directory + "/count", "x"); return "counted"; } };',
    });
    const { toolbox, say } = await open(at);
    await say("counts");
    const blocked = toolbox.call({ name: "blocks" });
    const results = await Promise.all([say("counts"), say("counts"), say("counts")]);
    expect(results).toEqual(["counted", "counted", "counted"]);
    expect(await blocked.result).toMatchObject({ ok: true, content: [{ text: "awake" }] });
    await sleep(300);
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(`${at.project}/count`, "utf8")).toBe("xxxx");
  });
});

describe("[P5] when the serving process is killed", () => {
  const SERVES = `import { createToolbox } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const toolbox = await createToolbox({ cwd: process.argv[1], trust: true });
    toolbox.call({ name: "loops" });`;

  it.each([
    ["while a tool loops", 'export default { description: "Loops.", execute() { while (true) {} } };'],
    ["while a file blocks its import", "while (true) {}"],
  ])("its hosts exit, even %s", async (_name, source) => {
    const at = sandbox({ "loops.ts": source });
    const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", SERVES, at.project];
    const server = spawn(process.execPath, args, { env: at.env, stdio: "ignore" });
    const running = (): string[] => startedWith(at.home).filter((line) => /host\/process\/child/.test(line));
    while (running().length === 0) await sleep(20);
    await sleep(500);
    server.kill("SIGKILL");
    for (let tries = 0; running().length > 0 && tries < 100; tries += 1) await sleep(50);
    expect(startedWith(at.home)).toEqual([]);
  });
});
