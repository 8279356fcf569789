import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/calls/permission-question.ts";
import { outputOf } from "../../src/core/result.ts";
import { sandbox, writeTool } from "../support/fixture.ts";
import { hosts } from "../support/processes.ts";
import { answering, open } from "../support/toolbox.ts";

const BUSY = (ms: number): string =>
  `export default { description: "Busy.", execute() { const end = Date.now() + ${ms}; while (Date.now() < end); return "done"; } };`;

describe("[P5] concurrent calls", () => {
  it("a call that may have started is never repeated", async () => {
    const at = sandbox({
      "big.ts":
        'export default { description: "Big.", execute: () => ({ content: [{ type: "image", mimeType: "image/png", data: "A".repeat(15_000_000) }] }) };',
      "pay.ts": `import { appendFileSync } from "node:fs";
        export default { description: "Pays.", execute(_, { directory }) { appendFileSync(directory + "/paid", "x"); process.kill(process.pid, "SIGKILL"); return new Promise(() => {}); } };`,
    });
    const { toolbox } = await open(at);
    const big = toolbox.call({ name: "big" });
    const pay = toolbox.call({ name: "pay" });
    expect(await pay.result).toMatchObject({ ok: false, error: { code: "crashed" } });
    await big.result;
    expect(readFileSync(join(at.project, "paid"), "utf8")).toBe("x");
  });

  it("a first call does not wait for another tool that is busy, and its file is not blamed for that", async () => {
    const files = { "busy.ts": BUSY(3000), "other.ts": answering('"other"') };
    const at = sandbox(files);
    await (await open(at)).toolbox.close();
    const { toolbox, say } = await open(at, { limits: { importMs: 1000 } });
    const busy = say("busy");
    await sleep(400);
    const first = await Promise.race([say("other"), busy]);
    expect(first).toBe("other");
    expect(await busy).toBe("done");
    expect(toolbox.problems()).toEqual([]);
  });

  it("a call that must be validated first does not wait for a busy tool", async () => {
    const declares = `export default { description: "Declares.", access: () => [], execute: () => "declared" };`;
    const { say } = await open({ "busy.ts": BUSY(3000), "declares.ts": declares });
    const busy = say("busy");
    await sleep(100);
    expect(await Promise.race([say("declares"), busy])).toBe("declared");
    await busy;
  });

  it("a call does not wait for a tool that has returned and left a loop running", async () => {
    const leaves = `export default { description: "Leaves a loop.", execute() { setTimeout(() => { while (true) {} }, 5); return "left"; } };`;
    const { say } = await open(
      { "leaves.ts": leaves, "other.ts": answering('"other"') },
      { limits: { timeoutMs: 5000 } },
    );
    expect(await say("leaves")).toBe("left");
    await sleep(20);
    expect(await say("other")).toBe("other");
  });

  it("a call that waits for approval runs the code it was approved for, and no host is left behind", async () => {
    const asked = Promise.withResolvers<void>();
    const approval = Promise.withResolvers<Answer>();
    const { toolbox, at } = await open(
      { "a.ts": answering('"old"') },
      {
        callerIsAsked: false,
        approve: () => {
          asked.resolve();
          return approval.promise;
        },
      },
    );
    const run = toolbox.call({ name: "a" });
    await asked.promise;
    writeTool(at, "a.ts", answering('"new"'));
    await toolbox.reload();
    approval.resolve({ allowed: true });
    expect(outputOf(await run.result)).toBe("old");
    expect(outputOf(await toolbox.call({ name: "a" }).result)).toBe("new");
    await expect.poll(() => hosts().length, { timeout: 20_000 }).toBe(1);
  });

  it("after close() no call runs and no process starts", async () => {
    const { toolbox, at } = await open({
      "a.ts": `await new Promise((r) => setTimeout(r, 300)); ${answering('new Promise((r) => setTimeout(r, 10_000, "ran"))')}`,
    });
    await toolbox.watch();
    const run = toolbox.call({ name: "a" });
    await toolbox.close();
    expect((await run.result).ok).toBe(false);
    writeTool(at, "a.ts", answering('"again"'));
    await sleep(300);
    expect(hosts()).toEqual([]);
    expect(outputOf(await toolbox.call({ name: "a" }).result)).toBe(
      '"a" was not called: the toolbox is closed. Open a new one.',
    );
    const log = readFileSync(join(at.env.TOOLWRIGHT_HOME as string, "audit.log"), "utf8");
    expect(log.trim().split("\n")).toHaveLength(1);
  });

  it("no host is left behind if a reload happens while a file is loaded for a session event", async () => {
    const at = sandbox({
      "other.ts": answering('"other"'),
      "slow.ts": `await new Promise((resolve) => setTimeout(resolve, 500));
        export default (pi) => { pi.on("session_tree", () => {}); };`,
    });
    await (await open(at)).toolbox.close();
    const { toolbox, say } = await open(at);
    expect(await say("other")).toBe("other");
    const told = toolbox.sessions.tell("s", { reason: "tree" });
    await sleep(100);
    writeTool(at, "other.ts", answering('"another"'));
    await toolbox.reload();
    await told;
    expect(await say("other")).toBe("another");
    await expect.poll(() => hosts().length, { timeout: 5_000 }).toBe(1);
  });

  it("a question is withdrawn when the call that asked it dies", async () => {
    const withdrawn = Promise.withResolvers<void>();
    const asks = `export default { description: "Asks and dies.", async execute(_, ctx) { ctx.ask({ permission: "go" }); setTimeout(() => process.exit(3), 100); return new Promise(() => {}); } };`;
    const { toolbox } = await open(
      { "asks.ts": asks },
      {
        approve: (_question, signal) => {
          signal.addEventListener("abort", () => withdrawn.resolve());
          return new Promise(() => {});
        },
      },
    );
    expect(await toolbox.call({ name: "asks" }).result).toMatchObject({ error: { code: "crashed" } });
    await withdrawn.promise;
  });
});

describe("[P4] [P5] more concurrent calls", () => {
  it("a call that is cancelled before its host starts it does not run, and affects no other", async () => {
    const at = sandbox({
      "busy.ts": `export default { description: "Busy, then waits.", async execute() { const end = Date.now() + 400; while (Date.now() < end); await new Promise((r) => setTimeout(r, 1500)); return "done"; } };`,
      "nice.ts": `import { appendFileSync } from "node:fs"; export default { description: "Nice.", execute(_, { directory, abort }) { appendFileSync(directory + "/began", abort.aborted ? "a" : "x"); return new Promise((resolve) => abort.addEventListener("abort", () => resolve("told"))); } };`,
    });
    const { toolbox, say } = await open(at);
    await say("nope");
    const busy = say("busy");
    await sleep(150);
    const nice = toolbox.call({ name: "nice" });
    await sleep(100);
    nice.abort();
    expect(await nice.result).toMatchObject({ error: { code: "aborted" } });
    expect(await busy).toBe("done");
  });

  it("the result of a call arrives even if another tool blocks right after it", async () => {
    const waits = `let go;
      const signal = new Promise((resolve) => { go = resolve; });
      export const quick = { description: "Quick.", execute: () => signal.then(() => "quick") };
      export const busy = { description: "Busy.", async execute() {
        for (let turn = 0; turn < 50; turn += 1) await signal;
        const end = Date.now() + 3000;
        while (Date.now() < end);
        return "busy";
      } };
      export const begin = { description: "Begins.", execute() { setTimeout(go, 50); return "begun"; } };`;
    const { say } = await open({ "waits.ts": waits });
    const [busy, quick] = [say("waits_busy"), say("waits_quick")];
    expect(await say("waits_begin")).toBe("begun");
    expect(await Promise.race([busy, quick])).toBe("quick");
    expect(await busy).toBe("busy");
  });

  it("calls that wait long for a host all run, once each", async () => {
    const at = sandbox({
      "counts.ts": `import { appendFileSync } from "node:fs"; export default { description: "Counts.", execute(_, { directory }) { appendFileSync(directory + "/count", "x"); const end = performance.now() + 1; while (performance.now() < end); return "ok"; } };`,
    });
    const { say } = await open(at);
    const said = await Promise.all(Array.from({ length: 4000 }, () => say("counts")));
    expect(said.filter((text) => text !== "ok")).toEqual([]);
    expect(readFileSync(join(at.project, "count"), "utf8")).toHaveLength(4000);
  });

  it("tools whose files take long to import all return when they are called at once", async () => {
    const slow = (name: string): string =>
      `const end = Date.now() + 600; while (Date.now() < end); ${answering(JSON.stringify(name))}`;
    const names = ["a", "b", "c", "d", "e", "f"];
    const at = sandbox(Object.fromEntries(names.map((name) => [`${name}.ts`, slow(name)])));
    await (await open(at)).toolbox.close();
    const { say } = await open(at);
    expect(await Promise.all(names.map((name) => say(name)))).toEqual(names);
  });
});

describe("[X1] unexpected data of a tool or a caller", () => {
  it.each([
    [
      "an invalid question",
      "ctx.ask(null)",
      "ask() needs { permission: string, patterns: string[] } to say what it asks for.",
    ],
    [
      "a question with a function in it",
      'ctx.ask({ permission: "x", metadata: { f() {} } })',
      '"odd" asks for permission: x. No person can be asked here, so it was refused. Find another way, or tell the user.',
    ],
  ])("%s affects no other call", async (_name, expression, message) => {
    const { say } = await open({
      "odd.ts": `export default { description: "Odd.", execute: (_, ctx) => ${expression} };`,
    });
    expect(await say("odd")).toBe(message);
    expect(await say("odd")).toBe(message);
  });

  it("unknown fields of an access are ignored", async () => {
    const odd =
      'export default { description: "Odd.", access: (_, { cwd }) => [{ kind: "read", target: cwd, note() {} }], execute: () => "read" };';
    const { say } = await open({ "odd.ts": odd });
    expect(await say("odd")).toBe("read");
  });

  it("an input that cannot be serialized is refused, and the host stays free", async () => {
    const { toolbox, say } = await open({ "a.ts": answering('"a"') });
    expect(await say("a", { run: () => 1 })).toBe(
      'The input for "a" is not valid:\n- input: holds something that is not plain data (a function, say). Pass JSON values only.\nCorrect it and call the tool again.',
    );
    expect(await say("a")).toBe("a");
    await toolbox.close();
    expect(hosts()).toEqual([]);
  });

  it("a response of the user interface that cannot be serialized is ignored", async () => {
    const asks = `import type { ExtensionAPI } from "toolwright"; export default (pi) => ({ name: "asks", description: "Asks.", parameters: { type: "object" },
      async execute() { return { content: [{ type: "text", text: String(await pi.ui.input("Who?")) }] }; } });`;
    const { toolbox, say } = await open({ "asks.ts": asks });
    let answer: unknown = "ada";
    toolbox.setUIContext({ input: async () => answer });
    expect(await say("asks")).toBe("ada");
    for (let depth = 1; depth < 20_000; depth += 1) {
      answer = [answer];
      if (depth % 1000 === 0) await say("asks");
    }
    answer = "bob";
    expect(await say("asks")).toBe("bob");
  });

  it("several large images at once fit into the memory of a host", async () => {
    const large =
      'export default { description: "Large.", execute: () => ({ content: [{ type: "image", mimeType: "image/png", data: "A".repeat(19_000_000) }] }) };';
    const { toolbox } = await open({ "large.ts": large });
    const results = await Promise.all(Array.from({ length: 8 }, () => toolbox.call({ name: "large" }).result));
    expect(results.map(({ ok }) => ok)).toEqual(Array(8).fill(true));
  });

  it("titles and images have size limits", async () => {
    const huge =
      'export default { description: "Huge.", execute: () => ({ title: "t".repeat(5_000_000), output: "x", attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64," + "A".repeat(24_000_000) }] }) };';
    const { toolbox } = await open({ "huge.ts": huge });
    const result = await toolbox.call({ name: "huge" }).result;
    expect(result.notes.title).toHaveLength(1000);
    expect(result.content).toMatchObject([
      { type: "text" },
      { type: "file", mimeType: "image/png", url: expect.any(String) },
    ]);
  });
});

describe("[D6] the dependencies of a file", () => {
  it("include imports while it runs", async () => {
    const at = sandbox({
      "a.ts": 'export default { description: "A.", execute: async () => (await import("./lib/late")).value };',
    });
    mkdirSync(join(at.tools, "lib"));
    writeFileSync(join(at.tools, "lib/late.ts"), 'export const value = "first";');
    const { toolbox, say } = await open(at);
    expect(await say("a")).toBe("first");
    writeFileSync(join(at.tools, "lib/late.ts"), 'export const value = "second";');
    await toolbox.reload();
    expect(await say("a")).toBe("second");
  });

  it("are not confused with an older version that a host read", async () => {
    const version = (description: string): string =>
      `export default { description: "${description}", execute: async () => (await import("./lib/late")).value };`;
    const at = sandbox({ "a.ts": version("The first.") });
    mkdirSync(join(at.tools, "lib"));
    writeFileSync(join(at.tools, "lib/late.ts"), 'export const value = "late";');
    await (await open(at)).toolbox.close();
    const { toolbox, say } = await open(at);
    writeTool(at, "a.ts", version("The second, longer one."));
    expect(await say("a")).toBe("late");
    await toolbox.reload();
    expect(toolbox.get("a")?.description).toBe("The second, longer one.");
  });

  it("include the description file in the version that was read", async () => {
    const at = sandbox({
      "d.ts": `import { Tool } from "toolwright";
        export const D = Tool.define("d", async () => ({
          parameters: { type: "object", properties: {} },
          execute: async () => ({ title: "", metadata: {}, output: (await import("./lib/late")).value }),
        }));`,
      "d.txt": "The first text.",
    });
    mkdirSync(join(at.tools, "lib"));
    writeFileSync(join(at.tools, "lib/late.ts"), 'export const value = "late";');
    const { toolbox, say } = await open(at);
    writeTool(at, "d.txt", "The second, longer text.");
    expect(await say("d")).toBe("late");
    await toolbox.reload();
    expect(toolbox.get("d")?.description).toBe("The second, longer text.");
  });

  it("include the working directory: a function that ends the process there may work elsewhere", async () => {
    const at = sandbox();
    const elsewhere = join(at.root, "elsewhere");
    mkdirSync(join(elsewhere, ".git"), { recursive: true });
    mkdirSync(join(at.home, ".toolwright/tools"), { recursive: true });
    writeFileSync(
      join(at.home, ".toolwright/tools/made.ts"),
      `import type { ExtensionAPI } from "toolwright"; export default (pi) => pi.cwd.endsWith("elsewhere") ? process.exit(4) : {
        name: "made", description: "Made.", parameters: { type: "object", properties: {} }, execute: async () => "made" };`,
    );
    for (const [cwd, names] of [
      [at.project, ["made"]],
      [elsewhere, []],
      [at.project, ["made"]],
    ] as const) {
      const { toolbox } = await open(at, { cwd });
      expect(toolbox.list().map(({ name }) => name)).toEqual(names);
      await toolbox.close();
    }
  });

  it.each([
    ["a sibling", 'import { value } from "./lib/absent";', "lib/absent.ts"],
    ["a package", 'import { value } from "absent";', "node_modules/absent/index.js"],
  ])("include %s that does not exist yet", async (_name, source, path) => {
    const at = sandbox({ "a.ts": `${source} export default { description: "A.", execute: () => value };` });
    const first = await open(at);
    expect(first.toolbox.problems()).toMatchObject([{ code: "import_failed" }]);
    await first.toolbox.close();
    mkdirSync(join(at.tools, path, ".."), { recursive: true });
    writeFileSync(
      join(at.tools, path),
      path.endsWith(".js") ? 'exports.value = "there";' : 'export const value = "there";',
    );
    const { toolbox, say } = await open(at);
    expect(toolbox.problems()).toEqual([]);
    expect(await say("a")).toBe("there");
  });

  it("include the targets of links, of the file itself and of a package", async () => {
    const at = sandbox({ "p.ts": 'import { v } from "pkg"; export default { description: "P.", execute: () => v };' });
    const put = (path: string, text: string): void => {
      mkdirSync(join(at.root, path, ".."), { recursive: true });
      writeFileSync(join(at.root, path), text);
    };
    const link = (path: string, target: string): void => {
      rmSync(join(at.tools, path), { force: true });
      mkdirSync(join(at.tools, path, ".."), { recursive: true });
      symlinkSync(join(at.root, target), join(at.tools, path));
    };
    for (const version of ["1", "2"]) {
      put(`store/pkg@${version}/index.js`, `exports.v = "pkg ${version}";`);
      put(`store/f${version}.ts`, answering(`"file ${version}"`));
    }
    link("node_modules/pkg", "store/pkg@1");
    link("f.ts", "store/f1.ts");
    const { toolbox, say } = await open(at);
    expect([await say("f"), await say("p")]).toEqual(["file 1", "pkg 1"]);
    link("node_modules/pkg", "store/pkg@2");
    link("f.ts", "store/f2.ts");
    await toolbox.reload();
    expect([await say("f"), await say("p")]).toEqual(["file 2", "pkg 2"]);
  });

  it("keep the last working version if each file has its own process", async () => {
    const { toolbox, at, say } = await open({ "a.ts": answering('"works"') }, { isolation: "file" });
    expect(await say("a")).toBe("works");
    writeTool(at, "a.ts", "export default {");
    await toolbox.reload();
    expect(await say("a")).toBe("works");
  });
});

describe("[D4] override", () => {
  it("assigns the name to the second of two files in one folder", async () => {
    const at = sandbox({ "lint.js": answering('"js"'), "lint.ts": answering('"ts"') });
    mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
    writeFileSync(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), '{ "tools": { "override": ["lint"] } }');
    const { toolbox, say } = await open(at);
    expect(await say("lint")).toBe("ts");
    expect([toolbox.problems(), toolbox.status.warnings]).toEqual([[], []]);
    expect(toolbox.status.shadowed).toEqual([
      { name: "lint", file: join(at.tools, "lint.js"), by: join(at.tools, "lint.ts") },
    ]);
  });
});
