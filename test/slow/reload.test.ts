import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { sandbox, writeTool } from "../support/fixture.ts";
import { hosts } from "../support/processes.ts";
import { answering, begun, open } from "../support/toolbox.ts";

describe("[D6] reloading", () => {
  it("picks up changed code, new files and removed files", async () => {
    const { toolbox, at, say } = await open({ "a.ts": answering('"a1"'), "b.ts": answering('"b1"') });
    expect(await say("a")).toBe("a1");
    writeTool(at, "a.ts", answering('"a2"', "Changed."));
    writeTool(at, "c.ts", answering('"c1"'));
    rmSync(join(at.tools, "b.ts"));
    const report = await toolbox.reload();
    expect(report).toEqual({ tools: 2, problems: [] });
    expect(toolbox.list().map(({ name, description }) => [name, description])).toEqual([
      ["a", "Changed."],
      ["c", "Answers."],
    ]);
    expect([await say("a"), await say("c"), await say("b")]).toEqual([
      "a2",
      "c1",
      'There is no tool "b". List the tools to see all names.',
    ]);
  });

  it("picks up a changed import of an import", async () => {
    const { toolbox, at, say } = await open({
      "a.ts": 'import { one } from "./lib/one"; export default { description: "A.", execute: () => one() };',
      "b.ts": answering('"b"'),
    });
    const lib = join(at.tools, "lib");
    mkdirSync(lib);
    writeFileSync(join(lib, "one.ts"), 'import { two } from "./two.js"; export const one = () => "one " + two;');
    writeFileSync(join(lib, "two.ts"), 'export const two: string = "first";');
    await toolbox.reload();
    expect(await say("a")).toBe("one first");
    writeFileSync(join(lib, "two.ts"), 'export const two: string = "second";');
    await toolbox.reload();
    expect(await say("a")).toBe("one second");
    expect(await say("b")).toBe("b");
  });

  it("keeps the host, and its state, when nothing changed", async () => {
    const { toolbox, say } = await open({ "a.ts": `let n = 0;\n${answering("String(++n)")}` });
    expect(await say("a")).toBe("1");
    await toolbox.reload();
    expect(await say("a")).toBe("2");
  });

  it("lets a call in flight finish on the code it started with", async () => {
    const slow = (answer: string): string =>
      `export default { description: "Slow.", execute: async (_, { metadata }) => { metadata({ title: "begun" }); await new Promise((r) => setTimeout(r, 700)); return "${answer}"; } };`;
    const { toolbox, at, say } = await open({ "a.ts": slow("old") });
    const inFlight = toolbox.call({ name: "a" });
    await begun(inFlight);
    writeTool(at, "a.ts", slow("new"));
    await toolbox.reload();
    expect(await say("a")).toBe("new");
    expect(outputOf(await inFlight.result)).toBe("old");
    await expect.poll(() => hosts().length, { timeout: 20_000 }).toBe(1);
  });

  it("keeps the last working version of a file whose edit is broken, and reports the problem", async () => {
    const { toolbox, at, say } = await open({ "a.ts": answering('"works"'), "b.ts": answering('"b1"') });
    const file = writeTool(at, "a.ts", "export default {\n  description: ,\n};");
    const report = await toolbox.reload();
    expect(report.problems).toEqual([
      {
        file,
        line: 2,
        column: 16,
        code: "syntax",
        message: "Unexpected token. Correct it and save.",
        frame: "  1 | export default {\n> 2 |   description: ,\n    |                ^\n  3 | };",
      },
    ]);
    expect(await say("a")).toBe("works");
    writeTool(at, "b.ts", answering('"b2"'));
    await toolbox.reload();
    expect([await say("a"), await say("b")]).toEqual(["works", "b2"]);
    writeTool(at, "a.ts", answering('"works again"'));
    expect((await toolbox.reload()).problems).toEqual([]);
    expect(await say("a")).toBe("works again");
    await expect.poll(() => hosts().length, { timeout: 20_000 }).toBe(1);
  });

  it("keeps the last working version when other files are edited in between", async () => {
    const counted = `import { appendFileSync } from "node:fs"; appendFileSync(import.meta.dirname + "/imports", "x");\n`;
    const { toolbox, at, say } = await open({
      "a.ts": counted + answering('"works"'),
      "b.ts": answering('"b1"'),
    });
    writeTool(at, "b.ts", answering('"b2"'));
    await toolbox.reload();
    // The new host imports the unchanged file in the background.
    const imports = (): number => readFileSync(join(at.tools, "imports"), "utf8").length;
    await expect.poll(imports, { timeout: 20_000 }).toBe(2);
    await sleep(400);
    writeTool(at, "a.ts", "export default {");
    await toolbox.reload();
    expect([await say("a"), await say("b")]).toEqual(["works", "b2"]);
  });

  it("returns the file's problem after the host of the last working version has ended", async () => {
    const { toolbox, at, say } = await open({
      "a.ts": `export default { description: "A.", execute: () => "works" };
        export const dies = { description: "Dies.", execute: () => process.exit(3) };`,
    });
    const file = writeTool(at, "a.ts", "export default {");
    await toolbox.reload();
    expect(await say("a")).toBe("works");
    await say("a_dies");
    expect(await say("a")).toBe(`"a" cannot run. ${file}:1:17: Expected \`}\` but found \`EOF\`. Correct it and save.`);
  });

  it("loads a failed file again, even if it has not changed", async () => {
    const { toolbox, at, say } = await open({
      "a.ts":
        'import { existsSync } from "node:fs"; if (!existsSync(import.meta.dirname + "/ready")) throw new Error("not yet"); export default { description: "A.", execute: () => "ready" };',
    });
    expect(toolbox.problems()).toMatchObject([{ code: "import_failed", line: 1 }]);
    writeFileSync(join(at.tools, "ready"), "");
    expect(await toolbox.reload()).toEqual({ tools: 1, problems: [] });
    expect(await say("a")).toBe("ready");
  });

  it("follows the settings", async () => {
    const { toolbox, at, say } = await open({ "a.ts": answering('"a"') });
    const settings = join(at.project, ".toolwright/settings.json");
    writeFileSync(settings, '{ "tools": { "disabled": ["a"] } }');
    await toolbox.reload();
    expect(toolbox.list()).toMatchObject([{ name: "a", enabled: false }]);
    expect(await say("a")).toBe('"a" is disabled. To use it, take it out of "tools.disabled" in the settings.');
    rmSync(settings);
    await toolbox.reload();
    expect(await say("a")).toBe("a");
  });
});

describe("[D6] watching", () => {
  async function until(toolbox: Toolbox, name: string, output: string): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      if (outputOf(await toolbox.call({ name }).result) === output) return;
      await sleep(50);
    }
    expect.fail(`"${name}" never answered "${output}"`);
  }

  it("reloads on save: a tool, an import, a new folder, an atomic replace", async () => {
    const at = sandbox({});
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    const { toolbox } = await open(at);
    let changes = 0;
    toolbox.on("change", () => (changes += 1));
    const stop = await toolbox.watch();
    mkdirSync(at.tools, { recursive: true });
    writeTool(at, "a.ts", answering('"first"'));
    await until(toolbox, "a", "first");
    writeTool(
      at,
      "a.ts",
      'import { value } from "./lib/deep.ts"; export default { description: "A.", execute: () => value };',
    );
    mkdirSync(join(at.tools, "lib"));
    writeFileSync(join(at.tools, "lib/deep.ts"), 'export const value = "second";');
    await until(toolbox, "a", "second");
    writeFileSync(join(at.tools, "lib/deep.ts"), 'export const value = "third";');
    await until(toolbox, "a", "third");
    writeFileSync(join(at.tools, ".a.swp"), answering('"fourth"'));
    renameSync(join(at.tools, ".a.swp"), join(at.tools, "a.ts"));
    await until(toolbox, "a", "fourth");
    expect(changes).toBeGreaterThan(1);
    await stop();
    writeTool(at, "a.ts", answering('"fifth"'));
    await sleep(300);
    await until(toolbox, "a", "fourth");
  });
});

describe("[R4] the tools of a session", () => {
  it("never run another tool under a listed name, and follow edits of the same one", async () => {
    const { toolbox, at } = await open({ "lint.ts": answering('"project"') });
    const inner = { ...at, tools: join(at.project, ".opencode/tools") };
    mkdirSync(inner.tools, { recursive: true });
    const call = async (name: string, sessionID: string): Promise<string> =>
      outputOf(await toolbox.call({ name, sessionID }).result);
    await toolbox.sessions.start("one");
    expect(await call("lint", "one")).toBe("project");
    writeTool(at, "lint.ts", answering('"edited"'));
    await toolbox.reload();
    expect(await call("lint", "one")).toBe("edited");
    writeTool(inner, "lint.ts", answering('"another"'));
    rmSync(join(at.tools, "lint.ts"));
    await toolbox.reload();
    expect(await call("lint", "one")).toBe(
      '"lint" is a different tool than when this session began. List the tools again, or start a new session.',
    );
    await toolbox.sessions.start("two");
    expect(await call("lint", "two")).toBe("another");
    rmSync(inner.tools, { recursive: true });
    await toolbox.reload();
    expect(await call("lint", "two")).toBe(
      '"lint" has been removed since this session began. List the tools again, or start a new session.',
    );
  });
});
