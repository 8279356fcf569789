import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputOf } from "../src/core/result.ts";
import { sandbox, writeTool } from "./support/fixture.ts";
import { hosts, isRunning } from "./support/processes.ts";
import { put } from "./support/temporary.ts";
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

  it("[D2] without tools is a problem only in a folder of JSON tools, unless a tool file imports it", async () => {
    const files = { "package.json": '{ "name": "x" }', "notes.json": "[1, 2]", "broken.json": "{ not json" };
    const alone = await open(files);
    expect(alone.toolbox.problems()).toEqual([]);
    const beside = await open({
      ...files,
      "mine.json": plugin(ECHO),
      "data.json": '{ "words": [] }',
      "words.ts": `import data from "./data.json" with { type: "json" };\n${answering("data.words.length")}`,
    });
    expect(beside.toolbox.problems().map(({ file, code, message }) => [basename(file), code, message])).toEqual([
      ["broken.json", "syntax", "This is not valid JSON: invalid symbol. Correct it."],
      ["notes.json", "not_a_tool", "The file holds a list. Write an object with name and tools."],
    ]);
    expect(await beside.say("words")).toBe("0");
    expect(beside.toolbox.has("echo")).toBe(true);
    rmSync(join(beside.at.tools, "mine.json"));
    await beside.toolbox.reload();
    expect(beside.toolbox.problems()).toEqual([]);
    writeTool(beside.at, "later.json", plugin(ECHO));
    await beside.toolbox.reload();
    expect(beside.toolbox.problems().map(({ code }) => code)).toEqual(["syntax", "not_a_tool"]);
  });

  const definitions = [ECHO];
  const NOT_KNOWN = 'is not a known key. Did you mean "tools"?';
  const MISTAKES: [string, object, string, number?][] = [
    ["tool", { name: "x", tool: definitions }, `tools is missing, and "tool" ${NOT_KNOWN}`, 3],
    ["Tools", { name: "x", Tools: definitions }, `tools is missing, and "Tools" ${NOT_KNOWN}`, 3],
    ["another name", { name: "x", commands: definitions }, `tools is missing, and "commands" ${NOT_KNOWN}`, 3],
    ["an object", { name: "x", tools: { echo: ECHO } }, "tools is an object. Write a list of tools.", 3],
    ["a list", definitions, "The file holds a list. Write an object with name and tools."],
    ["one tool", ECHO, 'The file holds a single tool. Put it into a list: { "name": "my-tools", "tools": [ … ] }.'],
  ];

  it.each(MISTAKES)("[D2] [A6] whose tools are not in `tools` is a problem: %s", async (_, content, message, line) => {
    const { toolbox, at } = await open({ "mine.json": JSON.stringify(content, undefined, 1) });
    const file = join(at.tools, "mine.json");
    expect(toolbox.problems()).toEqual([
      { file, code: "bad_definition", message, ...(line === undefined ? { line: 1 } : { line }) },
    ]);
  });

  it.each<[string, string, string]>([
    ["without tools", '{ "name": "x" }', "tools is missing. Write a list of tools."],
    ["with a misspelt key", '{ "name": "x", "tols": [] }', `tools is missing, and "tols" ${NOT_KNOWN}`],
    ["that is a list", "[]", "The file holds a list. Write an object with name and tools."],
    ["that is empty", "", "This is not valid JSON: value expected. Correct it."],
    ["that does not parse", "{", "This is not valid JSON: close brace expected. Correct it."],
  ])("[D2] [A6] %s is a problem in a folder of aynd, and if it is named", async (_, text, message) => {
    const at = sandbox();
    put(join(at.home, ".config/aynd/tools/mine.json"), text);
    const ofAynd = await open(at);
    expect(ofAynd.toolbox.problems()).toMatchObject([{ message }]);
    const named = sandbox({ "mine.json": text });
    const inFolder = await open(named);
    expect(inFolder.toolbox.problems()).toEqual([]);
    for (const path of [".toolwright/tools/mine.json", join(named.tools, "mine.json")]) {
      const { toolbox } = await open(named, { toolsPaths: [path] });
      expect(toolbox.problems()).toMatchObject([{ file: join(named.tools, "mine.json"), message }]);
    }
    const checked = await open(named, { onlyFiles: [join(named.tools, "mine.json")] });
    expect(checked.toolbox.problems()).toMatchObject([{ message }]);
    const folder = await open(named, { onlyFiles: [named.tools] });
    expect(folder.toolbox.problems()).toEqual([]);
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
