import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { COUNTS, idleFixture as fixture, IDLE_MS, stays } from "../support/idle-host.ts";
import { isRunning } from "../support/processes.ts";

const GREET = JSON.stringify({
  name: "mine",
  tools: [
    {
      name: "greet",
      description: "Greets.",
      inputSchema: { type: "object" },
      handler: { type: "shell", command: "echo hi" },
    },
  ],
});
const tool = (body: string): string => `export default { description: "Runs.", execute: async () => { ${body} } };`;

describe("[P5] a host without work", () => {
  it("ends, is not counted as died, and the next call starts another", async () => {
    const { supervisor, file, ref, call, count, hasEnded } = fixture();
    const counts = ref(file("counts", COUNTS));
    expect([await call(counts), await call(counts)]).toEqual(["1", "2"]);
    expect(supervisor.loadedFiles()).toEqual([counts.file.file]);
    await hasEnded();
    expect(count()).toEqual({ alive: 0, started: 1, died: 0 });
    expect(supervisor.loadedFiles()).toEqual([]);
    expect(await call(counts)).toBe("1");
    expect(count()).toEqual({ alive: 1, started: 2, died: 0 });
  });

  it("ends after it has only loaded files", async () => {
    const { supervisor, file, ref, call, count, hasEnded } = fixture();
    const counts = file("counts", COUNTS);
    expect(await supervisor.load([counts])).toMatchObject([{ problems: [] }]);
    await hasEnded();
    expect(count()).toEqual({ alive: 0, started: 1, died: 0 });
    expect(await call(ref(counts))).toBe("1");
  });

  it("ends if it runs JSON tools", async () => {
    const { supervisor, file, ref, call, count, hasEnded } = fixture();
    const greet = ref(file("greet", GREET, { file: "greet.json", source: "plugin" }));
    await supervisor.load([greet.file]);
    expect(await call({ ...greet, codeVersion: supervisor.permanent })).toBe("hi\n");
    await hasEnded();
    expect(count("own")).toEqual({ alive: 0, started: 1, died: 0 });
    expect(await call({ ...greet, codeVersion: supervisor.permanent })).toBe("hi\n");
  });

  it("ends after the timer of a tool has fired", async () => {
    const { file, ref, call, count, hasEnded } = fixture();
    await call(ref(file("once", tool(`setTimeout(() => {}, ${2 * IDLE_MS}); return "set";`))));
    await hasEnded();
    expect(count()).toEqual({ alive: 0, started: 1, died: 0 });
  });

  it("loses no call that arrives while it ends", { timeout: 120_000 }, async () => {
    const { file, ref, call, count } = fixture(100);
    const counts = ref(file("counts", COUNTS));
    const results: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      results.push(await call(counts));
      await sleep(90 + round * 3);
    }
    expect(results.filter((text) => !/^\d+$/.test(text))).toEqual([]);
    expect(count()?.died).toBe(0);
    expect(count()?.started).toBeGreaterThan(1);
  });
});

describe("[P5] a host stays", () => {
  it("while a call runs", async () => {
    const { file, ref, call, count } = fixture();
    const body = `await new Promise((resolve) => setTimeout(resolve, ${5 * IDLE_MS})); return "slept";`;
    expect(await call(ref(file("sleeps", tool(body))))).toBe("slept");
    expect(count()).toEqual({ alive: 1, started: 1, died: 0 });
  });

  it("while a call only waits for a response of the serving process", async () => {
    const { file, ref, call, count } = fixture();
    const source = `export default { description: "Asks.", execute: async (_, { ask }) => {
      await ask({ permission: "x", patterns: [] }); return "asked"; } };`;
    expect(await call(ref(file("asks", source)))).toBe("asked");
    expect(count()).toEqual({ alive: 1, started: 1, died: 0 });
  });

  it.each([
    ["an interval", "setInterval(() => {}, 50);"],
    [
      "a server",
      'await new Promise((done) => process.getBuiltinModule("node:http").createServer().listen(0, "127.0.0.1", done));',
    ],
    ["a child process", 'process.getBuiltinModule("node:child_process").spawn("sleep", ["60"]);'],
  ])("while a tool has %s", async (_, body) => {
    const { file, ref, call, count } = fixture();
    const keeps = ref(
      file(
        "keeps",
        `let calls = 0; export default { description: "Keeps.", execute: async () => { calls += 1; ${body} return String(calls); } };`,
      ),
    );
    expect(await call(keeps)).toBe("1");
    await stays();
    expect(await call(keeps)).toBe("2");
    expect(count()).toEqual({ alive: 1, started: 1, died: 0 });
  });

  it.skipIf(process.platform === "win32")("while a program that a command left in the background runs", async () => {
    const { supervisor, file, ref, call, count, hasEnded } = fixture();
    const command = "sleep 60 > /dev/null 2>&1 & echo $!";
    const tools = [
      { name: "leaves", description: "Leaves.", inputSchema: { type: "object" }, handler: { type: "shell", command } },
    ];
    const leaves = ref(
      file("leaves", JSON.stringify({ name: "mine", tools }), { file: "leaves.json", source: "plugin" }),
    );
    const pid = Number(await call({ ...leaves, codeVersion: supervisor.permanent }));
    await stays();
    expect(isRunning(pid)).toBe(true);
    expect(count("own")).toEqual({ alive: 1, started: 1, died: 0 });
    process.kill(pid);
    await hasEnded();
  });

  const EXTENSION = `export default (pi) => {
    pi.on("session_start", () => {});
    pi.registerTool({ name: "extends", description: "Extends.", parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [{ type: "text", text: "extended" }] }) });
  };`;

  it("if a file handles session events and received one", async () => {
    const { file, ref, call, count } = fixture();
    const extension = ref(file("extends", EXTENSION, { system: "pi" }));
    expect(await call(extension)).toBe("extended");
    await stays();
    expect(count()).toEqual({ alive: 1, started: 1, died: 0 });
  });

  it("if a file has registered tools while it ran", async () => {
    const { file, ref, call, count } = fixture();
    const source = `export default (pi) => {
      const parameters = { type: "object", properties: {} };
      const say = (text) => async () => ({ content: [{ type: "text", text }] });
      pi.registerTool({ name: "registers", description: "Registers.", parameters, execute: async () => {
        pi.registerTool({ name: "later", description: "Later.", parameters, execute: say("later") });
        return say("registered")();
      } });
    };`;
    expect(await call(ref(file("registers", source, { system: "pi" })))).toBe("registered");
    await stays();
    expect(count()).toEqual({ alive: 1, started: 1, died: 0 });
  });

  it("if a preview waits in it", async () => {
    const { supervisor, file, ref, call, count, hasEnded } = fixture();
    const source = `export default (pi) => [{ name: "preview", label: "Preview", description: "Prepares.", parameters: { type: "object", properties: {} },
      async execute() {
        pi.pushPendingAction({ label: "x", sourceToolName: "preview", apply: async () => ({ content: [] }) });
        return { content: [{ type: "text", text: "waits" }] };
      } }];`;
    expect(await call(ref(file("preview", source, { system: "omp" })))).toBe("waits");
    expect(supervisor.previewsIn("s")).toBe(1);
    await stays();
    expect([supervisor.previewsIn("s"), count()]).toEqual([1, { alive: 1, started: 1, died: 0 }]);
    supervisor.discardPreviews("s");
    await hasEnded();
  });

  it("if it serves an older version of a file", async () => {
    const { supervisor, file, ref, call, count } = fixture();
    const counts = ref(file("counts", COUNTS));
    expect(await call(counts)).toBe("1");
    supervisor.retain(counts.codeVersion);
    supervisor.startVersion();
    file("counts", "export default oops(");
    await stays();
    expect(await call(counts)).toBe("2");
    expect(count()).toEqual({ alive: 1, started: 1, died: 0 });
  });

  it("if it serves the tools of a JSON file that is broken now", async () => {
    const { supervisor, file, ref, call, count } = fixture();
    const greet = {
      ...ref(file("greet", GREET, { file: "greet.json", source: "plugin" })),
      codeVersion: supervisor.permanent,
    };
    await supervisor.load([greet.file]);
    expect(await call(greet)).toBe("hi\n");
    file("greet", '{ "name": ', { file: "greet.json" });
    await supervisor.load([greet.file]);
    await stays();
    expect(await call(greet)).toBe("hi\n");
    expect(count("own")).toEqual({ alive: 1, started: 1, died: 0 });
  });
});
