import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputOf } from "../src/core/result.ts";
import { sandbox, writeTool } from "./support/fixture.ts";
import { hosts, isRunning } from "./support/processes.ts";
import { answering, open } from "./support/toolbox.ts";

const shell = (name: string, command: string, properties: object = {}): object => ({
  name,
  description: `Runs ${name}.`,
  inputSchema: { type: "object", properties },
  handler: { type: "shell", command },
});

const plugin = (...tools: object[]): string => JSON.stringify({ name: "my-tools", version: "1.2.0", tools });
const ECHO = shell("echo", "echo {{text}}", { text: { type: "string" } });

describe("[A6] a file of JSON tools", () => {
  it("[R1] is listed as a plugin, next to tools in code", async () => {
    const { toolbox, say } = await open({ "mine.json": plugin(ECHO), "other.ts": answering('"code"') });
    expect(toolbox.list().map(({ name, source, format }) => [name, source, format])).toEqual([
      ["echo", "plugin", "json"],
      ["other", "custom", "tool"],
    ]);
    expect(toolbox.get("echo")).toMatchObject({ pluginName: "my-tools", pluginVersion: "1.2.0", place: "project" });
    expect(await say("echo", { text: "hello" })).toBe("hello\n");
  });

  it("[D2] of another shape is ignored; invalid JSON is a problem only in a folder of JSON tools", async () => {
    const files = { "package.json": '{ "name": "x" }', "notes.json": "[1, 2]", "broken.json": "{ not json" };
    const alone = await open(files);
    expect(alone.toolbox.problems()).toEqual([]);
    const beside = await open({ ...files, "mine.json": plugin(ECHO) });
    expect(beside.toolbox.problems()).toMatchObject([{ code: "syntax", line: 1 }]);
    expect(beside.toolbox.has("echo")).toBe(true);
  });

  it("[D5] with one invalid tool serves the others", async () => {
    const { toolbox } = await open({ "mine.json": plugin(ECHO, shell("bad name", "true")) });
    expect(toolbox.list().map(({ name }) => name)).toEqual(["echo"]);
    expect(toolbox.problems()).toMatchObject([{ code: "bad_name", tool: "bad name" }]);
  });

  it("[D6] is read again when it changes, and an invalid edit keeps the last valid tools, in the same process", async () => {
    const at = sandbox({ "mine.json": plugin(ECHO), "code.ts": answering("process.pid") });
    const { toolbox, say } = await open(at);
    const pid = await say("code");
    expect(await say("echo", { text: "a" })).toBe("a\n");
    const before = hosts();
    writeTool(at, "mine.json", plugin(shell("echo", "echo changed {{text}}", { text: { type: "string" } })));
    await toolbox.reload();
    expect(await say("echo", { text: "b" })).toBe("changed b\n");
    writeTool(at, "mine.json", "{ broken");
    await toolbox.reload();
    expect(toolbox.problems()).toMatchObject([{ code: "syntax" }]);
    expect(await say("echo", { text: "c" })).toBe("changed c\n");
    expect([await say("code"), hosts()]).toEqual([pid, before]);
    rmSync(join(at.tools, "mine.json"));
    await toolbox.reload();
    expect(await say("echo", { text: "d" })).toMatch(/^There is no tool "echo"/);
  });

  it("[D7] of an untrusted project does not run", async () => {
    const { toolbox, say } = await open({ "mine.json": plugin(ECHO) }, { trust: false });
    expect(toolbox.list()).toEqual([]);
    expect(await say("echo")).toMatch(/^There is no tool "echo"\. This project is not trusted/);
  });

  it("[P4] leaves no process behind after a timeout", async () => {
    const pids = "sleep 300 & echo $! > pids; sleep 300 & echo $! >> pids; wait";
    const { toolbox, at } = await open({ "mine.json": plugin(shell("sleeps", pids)) });
    const result = await toolbox.call({ name: "sleeps", timeoutMs: 500 }).result;
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
    const started = readFileSync(join(at.project, "pids"), "utf8").trim().split("\n").map(Number);
    expect(started).toHaveLength(2);
    expect(started.filter(isRunning)).toEqual([]);
  });

  it("[P3] declares its command, so that rules can match it", async () => {
    const at = sandbox({ "mine.json": plugin(ECHO) });
    writeFileSync(
      join(at.project, ".toolwright/settings.json"),
      JSON.stringify({ permissions: [{ tool: "echo", match: "echo secret*", action: "deny" }] }),
    );
    const { toolbox } = await open(at);
    expect(outputOf(await toolbox.call({ name: "echo", input: { text: "fine" } }).result)).toBe("fine\n");
    expect(await toolbox.call({ name: "echo", input: { text: "secret" } }).result).toMatchObject({
      ok: false,
      error: { code: "denied" },
    });
  });
});
