import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, jsonTool } from "../../../test/support/json-tool.ts";
import { isRunning } from "../../../test/support/processes.ts";
import { put, temporary } from "../../../test/support/temporary.ts";

const shell = (command: string, more: object = {}): object => ({ type: "shell", command, ...more });
const failed = (text: string, details: object): object => ({
  content: [{ type: "text", text }],
  details,
  isError: true,
});

describe("the output of a command", () => {
  it("[A6] is what it printed, in the project, or in cwd", async () => {
    const folder = temporary();
    put(join(folder, "sub", "a.txt"), "hello");
    const here = await jsonTool(folder, shell("cat sub/a.txt"));
    expect(await callTool(here, {}, folder)).toEqual({ output: "hello", metadata: { exit: 0 } });
    const there = await jsonTool(folder, shell("cat a.txt | cat", { cwd: "sub" }));
    expect(await callTool(there, {}, folder)).toEqual({ output: "hello", metadata: { exit: 0 } });
  });

  it("[A6] of a failure has both streams and the code", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("echo out; echo {{x}} >&2; exit {{code}}"), ["x", "code"]);
    expect(await callTool(tool, { x: "err", code: 3 }, folder)).toEqual(
      failed("The command failed with exit code 3.\nstdout:\nout\nstderr:\nerr", { exit: 3 }),
    );
    const silent = await jsonTool(folder, shell("false"));
    expect(await callTool(silent, {}, folder)).toEqual(
      failed("The command failed with exit code 1.\nstdout: (empty)\nstderr: (empty)", { exit: 1 }),
    );
    const killed = await jsonTool(folder, shell("kill -9 $$"));
    expect(await callTool(killed, {}, folder)).toEqual(
      failed("The command was ended by SIGKILL.\nstdout: (empty)\nstderr: (empty)", { exit: null, signal: "SIGKILL" }),
    );
    const missing = await jsonTool(folder, shell("no-such-program a"));
    await expect(callTool(missing, {}, folder)).rejects.toThrow(
      '"no-such-program" cannot be started: it is not installed or not on PATH.',
    );
  });

  it("[A6] [P6] is shown while it runs, and kept when its time is over; the whole tree ends", async () => {
    const folder = temporary();
    const shown: unknown[] = [];
    const tool = await jsonTool(folder, shell("sleep 60 & echo $!; wait", { timeout: 1000 }));
    const result = await callTool(tool, {}, folder, { metadata: (update) => shown.push(update) });
    const { output } = (shown[0] as { metadata: { output: string } }).metadata;
    expect(result).toEqual(
      failed(
        `The command did not end within 1000 ms and was stopped. Ask for less, or have handler.timeout raised.\nstdout:\n${output.trim()}\nstderr: (empty)`,
        { exit: null, signal: "SIGTERM" },
      ),
    );
    expect(isRunning(Number(output))).toBe(false);
  });

  it("[A6] [P4] ends with the call that asked for it", async () => {
    const folder = temporary();
    const controller = new AbortController();
    const tool = await jsonTool(folder, shell("echo started; sleep 60"));
    const context = { abort: controller.signal, metadata: () => controller.abort() };
    expect(await callTool(tool, {}, folder, context)).toMatchObject({ isError: true, details: { exit: null } });
  });

  it("[P4] a limit of its own that is longer than usual is not cut short", async () => {
    const folder = temporary();
    expect((await jsonTool(folder, shell("a"))).limits).toEqual({});
    expect((await jsonTool(folder, shell("a", { timeout: 600_000 }))).limits).toEqual({ timeoutMs: 605_000 });
  });
});

describe("values for a command", () => {
  const DASH =
    '"x" starts with "-", so the command could take it for an option. Send a value that does not; for a file, put ./ before it.';
  it.each([
    ["echo {{x}}", {}, DASH],
    ["echo {{x}} | cat", {}, DASH],
    ['echo "$(echo {{x}})"', {}, DASH],
    ["echo ''{{x}}", {}, DASH],
    ["echo {{x}}", { allowDash: true }, "-rf\n"],
    ["echo a -- {{x}}", {}, "a -- -rf\n"],
    ["echo '{{x}}'", {}, "-rf\n"],
    ["echo --x={{x}}", {}, "--x=-rf\n"],
  ])("[A6] [X1] that begin with a dash: %s %j", async (command, more, expected) => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell(command, more), ["x"]);
    const output = callTool(tool, { x: "-rf" }, folder).then((result) => (result as { output: string }).output);
    expect(await output.catch((error: Error) => error.message)).toBe(expected);
    if (expected === DASH) expect(() => tool.access?.({ x: "-rf" }, { cwd: folder })).toThrow(DASH);
  });

  it.each([[-5], ["-5"], ["-.5e3"]])("[A6] that are negative numbers pass: %j", async (x) => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("echo {{x}}"), ["x"]);
    expect(await callTool(tool, { x }, folder)).toMatchObject({ output: `${x}\n` });
  });

  it("[A6] [X1] with NUL, or too long, are refused", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("echo '{{x}}' || true"), ["x"]);
    await expect(callTool(tool, { x: "a\0b" }, folder)).rejects.toThrow(
      '"x" contains a NUL byte, which no command can take. Leave it out.',
    );
    await expect(callTool(tool, { x: "a".repeat(10_001) }, folder)).rejects.toThrow(
      '"x" has 10001 characters. A command takes at most 10000: send less.',
    );
    expect(await callTool(tool, { x: "a".repeat(10_000) }, folder)).toMatchObject({ metadata: { exit: 0 } });
  });

  it("[A6] with metacharacters are harmless, and logged without the value", async () => {
    const folder = temporary();
    const logged: string[] = [];
    const tool = await jsonTool(folder, shell("echo {{x}} {{y}}"), ["x", "y"], { logged });
    expect(await callTool(tool, { x: "a; $(id)", y: "plain" }, folder)).toMatchObject({ output: "a; $(id) plain\n" });
    expect(logged).toEqual([
      'warn "it": the value of "x" has shell metacharacters in it. They were passed on as plain text.',
    ]);
  });

  it("[A6] that are missing take the default of their schema, also null, lists and objects have a form", async () => {
    const folder = temporary();
    const inputSchema = { type: "object", properties: { x: { default: "given" }, y: {}, z: {} } };
    const tool = await jsonTool(folder, shell("echo {{x}} {{y}} '{{z}}'"), [], { inputSchema });
    expect(await callTool(tool, {}, folder)).toMatchObject({ output: "given \n" });
    expect(await callTool(tool, { x: null, y: ["a", 1], z: { b: true } }, folder)).toMatchObject({
      output: 'a 1 {"b":true}\n',
    });
  });

  it("[P3] are in what the call says it will run", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("grep -rn '{{p}}' {{d}} || true"), ["p", "d"]);
    expect(tool.access?.({ p: "it's", d: "a b" }, { cwd: folder })).toEqual([
      { kind: "execute", target: "grep -rn 'it'\\''s' 'a b' || true" },
    ]);
  });

  it("[A6] braces that are no placeholder stay as they are", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("echo '{{.Names}} {{json .}}' {{ x }}"), ["x"]);
    expect(await callTool(tool, { x: "a" }, folder)).toMatchObject({ output: "{{.Names}} {{json .}} a\n" });
  });
});
