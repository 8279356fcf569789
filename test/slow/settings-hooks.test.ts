import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CodeHooks, outputOf, type ToolboxOptions, type ToolResult } from "../../src/index.ts";
import { ECHO_TOOL } from "../support/echo-tool.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { isRunning } from "../support/processes.ts";
import { open } from "../support/toolbox.ts";

const OTHER = `export default { description: "Another.", execute: () => "other" };`;

const userFile = (at: Sandbox): string => join(at.env.TOOLWRIGHT_HOME as string, "settings.json");
const projectFile = (at: Sandbox): string => join(at.project, ".toolwright/settings.json");

/** A project with hooks in the settings of the user and of the project. */
function made(hooks: object, projects?: object, more: object = {}): Sandbox {
  const at = sandbox({ "echo.ts": ECHO_TOOL, "other.js": OTHER });
  mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(userFile(at), JSON.stringify({ hooks, ...more }));
  if (projects) writeFileSync(projectFile(at), JSON.stringify({ hooks: projects }));
  return at;
}

/** The result of a call of "echo" with one hook. */
async function under(moment: "before" | "after", command: string | readonly string[], text = "hello") {
  const at = made({ [moment]: [{ tool: "echo", command }] });
  const { toolbox } = await open(at, { builtins: false });
  const result = await toolbox.call({ name: "echo", input: { text } }).result;
  return { at, result, code: result.ok ? "ok" : result.error.code, said: outputOf(result) };
}

const node = (code: string): readonly string[] => [process.execPath, "-e", code];
/** A program that reads the event, and prints the value of an expression. */
const answering = (expression: string): readonly string[] =>
  node(`const event = JSON.parse(require("node:fs").readFileSync(0)); console.log(JSON.stringify(${expression}));`);

describe("[P1] [K1] hooks of the settings, before a call", () => {
  it.each<[string, string | readonly string[], string, string]>([
    ["no answer lets the call pass", "true", "ok", "hello"],
    ["an empty object lets the call pass", "echo '{}'", "ok", "hello"],
    ["refused", `echo '{"refuse":"Not on Fridays."}'`, "denied", '"echo" was not allowed to run. Not on Fridays.'],
    ["refused by exit code 2", "echo 'Not today.' >&2; exit 2", "denied", '"echo" was not allowed to run. Not today.'],
    [
      "refused without a reason",
      "exit 2",
      "denied",
      '"echo" was not allowed to run. A hook refused it without a reason.',
    ],
    ["another input", answering(`({ input: { text: event.input.text + "!" } })`), "ok", "hello!"],
    [
      "another input is validated",
      answering("({ input: { text: 5 } })"),
      "invalid_input",
      'The input for "echo" is not valid:\n- /text: Invalid input: expected string, received number\nCorrect it and call the tool again.',
    ],
  ])("[P1] %s", async (_, command, code, said) => {
    expect(await under("before", command)).toMatchObject({ code, said });
  });

  it.each<[string, string | readonly string[], string]>([
    ["another exit code", "echo broken >&2; exit 1", "it exited with code 1: broken"],
    ["output that is not JSON", "echo yes", 'it wrote invalid JSON: "yes"'],
    ["output that is not an object", "echo true", 'it did not answer with an object with "refuse", "input"'],
    [
      "an unknown field",
      `echo '{"refused":"no"}'`,
      'it answered with the unknown field "refused". Known fields: "refuse", "input"',
    ],
    ["no reason", `echo '{"refuse":true}'`, '"refuse" in its answer is not a string'],
    ["no input", `echo '{"input":"x"}'`, '"input" in its answer is not an object'],
    [
      "a missing program",
      ["no-such-program-here"],
      '"no-such-program-here" cannot be started: it is not installed or not on PATH',
    ],
    ["an empty command", [], '"" cannot be started: '],
    ["ended by a signal", "kill -9 $$", "it was terminated by SIGKILL"],
    ["too much output", "head -c 1100000 /dev/zero | tr '\\0' ' '", "it wrote more than 1000000 bytes"],
  ])("[P1] a hook that fails refuses: %s", async (_, command, why) => {
    const { at, code, said } = await under("before", command);
    const words = typeof command === "string" ? command : command.join(" ");
    const start = `"echo" was not allowed to run. The hook ${JSON.stringify(words)} in ${userFile(at)} failed: ${why}`;
    expect(code).toBe("denied");
    expect(said.startsWith(start), said).toBe(true);
    expect(said.endsWith(". Correct the hook, or remove it."), said).toBe(true);
  });

  it("[P1] get the call, and run in the project with the environment of the toolbox", async () => {
    const at = made({ before: [{ tool: "ec*", command: 'cat > heard.json; echo "$COLOUR" > colour.txt' }] });
    const env = { ...at.env, COLOUR: "blue" };
    const sub = join(at.project, "sub");
    mkdirSync(sub);
    const { toolbox } = await open(at, { env, builtins: false, cwd: sub });
    const call = { name: "echo", input: { text: "x" }, callID: "c", sessionID: "s", agent: "build" };
    expect((await toolbox.call(call).result).ok).toBe(true);
    expect(await toolbox.call({ name: "other" }).result).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(join(at.project, "heard.json"), "utf8"))).toEqual({
      event: "before",
      tool: "echo",
      input: { text: "x" },
      callID: "c",
      sessionID: "s",
      agent: "build",
      directory: sub,
      worktree: at.project,
    });
    expect(readFileSync(join(at.project, "colour.txt"), "utf8")).toBe("blue\n");
  });

  it("[D7] [X1] run in the home folder while the project is not trusted", async () => {
    const at = made({ before: [{ tool: "echo", command: "pwd > ~/where.txt" }] });
    const tools = join(at.env.TOOLWRIGHT_HOME as string, "tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "echo.ts"), ECHO_TOOL);
    const { toolbox } = await open(at, { builtins: false, trust: false });
    expect(await toolbox.call({ name: "echo", input: { text: "x" } }).result).toMatchObject({ ok: true });
    expect(readFileSync(join(at.home, "where.txt"), "utf8")).toBe(`${at.home}\n`);
  });

  it("[P4] are killed if they exceed their time or that of the call", async () => {
    const at = made({ before: [{ tool: "echo", command: "sleep 60", timeoutMs: 300 }] });
    const { toolbox } = await open(at, { builtins: false });
    const result = await toolbox.call({ name: "echo", input: { text: "x" } }).result;
    expect(outputOf(result)).toBe(
      `"echo" was not allowed to run. The hook "sleep 60" in ${userFile(at)} failed: it did not answer within 0.3 s. Correct the hook, or remove it.`,
    );
    const slow = made({ before: [{ tool: "echo", command: "sleep 60" }] });
    const late = await open(slow, { builtins: false });
    const call = late.toolbox.call({ name: "echo", input: { text: "x" }, timeoutMs: 300 });
    expect(await call.result).toMatchObject({ ok: false, error: { code: "timeout" } });
  });

  it("[P4] are killed with a cancelled call, with the processes that they started", async () => {
    const at = made({ before: [{ tool: "echo", command: "sleep 60 & echo $! > pid.txt; wait" }] });
    const { toolbox } = await open(at, { builtins: false });
    const run = toolbox.call({ name: "echo", input: { text: "x" } });
    const file = join(at.project, "pid.txt");
    while (!existsSync(file) || readFileSync(file, "utf8") === "") await new Promise((tick) => setTimeout(tick, 20));
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(isRunning(Number(readFileSync(file, "utf8")))).toBe(false);
  });
});

describe("[P1] [K1] hooks of the settings, after a call", () => {
  it.each<[string, string | readonly string[], string, object]>([
    ["no output changes nothing", "true", "hello", { ok: true, data: { length: 5 } }],
    [
      "another output",
      answering("({ output: event.result.output.toUpperCase() })"),
      "hello",
      { ok: true, content: [{ type: "text", text: "HELLO" }], data: { length: 5 } },
    ],
    [
      "other content and data",
      answering(
        `({ content: [{ type: "text", text: "a" }, { type: "image", data: "AAAA", mimeType: "image/png" }], data: { x: 1 } })`,
      ),
      "hello",
      {
        content: [
          { type: "text", text: "a" },
          { type: "image", data: "AAAA", mimeType: "image/png" },
        ],
        data: { x: 1 },
      },
    ],
    ["the data removed", answering("({ data: null })"), "hello", { ok: true, content: [{ text: "hello" }] }],
    [
      "a failure",
      `echo '{"error":"It was too loud."}'`,
      "hello",
      { ok: false, error: { code: "failed", message: "It was too loud." } },
    ],
    [
      "a failure by exit code 2",
      "echo 'It was too loud.' >&2; exit 2",
      "hello",
      { ok: false, error: { code: "failed", message: "It was too loud." } },
    ],
    [
      "another message of a failed call",
      answering("({ output: event.result.ok + ': ' + event.result.error.message })"),
      "fail",
      { ok: false, error: { code: "failed", message: "false: failed as asked" }, content: [] },
    ],
  ])("[P1] %s", async (_, command, text, expected) => {
    expect((await under("after", command, text)).result).toMatchObject(expected);
  });

  it("[P1] can remove the data", async () => {
    expect((await under("after", answering("({ data: null })"))).result).not.toHaveProperty("data");
  });

  it("[P7] are subject to the output limits", async () => {
    const { said } = await under("after", answering(`({ output: "x\\n".repeat(3000) })`));
    expect(said).toMatch(/\n\[truncated: 1000 lines omitted; full output: .*\]$/);
  });

  it.each<[string, string, string]>([
    ["another exit code", "exit 3", "it exited with code 3"],
    ["output that is not JSON", "cat", "it answered with "],
    ["an unknown field", `echo '{"text":"x"}'`, 'it answered with the unknown field "text". Known fields: '],
  ])("[P1] a result that no hook has checked is not shown: %s", async (_, command, why) => {
    const { at, result, said } = await under("after", command);
    expect(result).toMatchObject({ ok: false, error: { code: "failed" }, content: [] });
    expect(said).toContain(
      `"echo" has run, but the hook ${JSON.stringify(command)} in ${userFile(at)} failed on its result, which is therefore not shown: ${why}`,
    );
    expect(said).toMatch(/\. Try again only if the tool is safe to repeat\.$/);
    expect(said).not.toContain("hello");
  });

  it("[P4] withhold the partial output of a stopped call, which no hook has seen", async () => {
    const slow = `export default { description: "Slow.", execute: (_, { metadata }) => {
      metadata({ metadata: { output: "secret" } });
      return new Promise(() => {});
    } };`;
    const call = async (hooks: object, files: Record<string, string> = {}): Promise<ToolResult> => {
      const at = made(hooks);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(at.project, path, ".."), { recursive: true });
        writeFileSync(join(at.project, path), text);
      }
      writeFileSync(join(at.tools, "slow.js"), slow);
      const { toolbox } = await open(at, { builtins: false });
      return toolbox.call({ name: "slow", timeoutMs: 1_000 }).result;
    };
    expect(await call({})).toMatchObject({ error: { code: "timeout" }, content: [{ text: "secret" }] });
    const file = { ".pi/extensions/guard.ts": `export default (pi) => pi.on("tool_result", () => {});` };
    expect(await call({}, file)).toMatchObject({ error: { code: "timeout" }, content: [] });
    expect(await call({ after: [{ tool: "slow", command: "true" }] })).toMatchObject({
      error: { code: "timeout" },
      content: [],
    });
  });

  it("[P1] do not run if the input was invalid", async () => {
    const at = made({ after: [{ tool: "*", command: "touch asked" }] });
    const { toolbox } = await open(at, { builtins: false });
    expect(await toolbox.call({ name: "echo", input: {} }).result).toMatchObject({ error: { code: "invalid_input" } });
    expect(existsSync(join(at.project, "asked"))).toBe(false);
  });
});

describe("[P1] [D7] the order of hooks", () => {
  const mark = (word: string): object => ({
    tool: "echo",
    command: answering(
      `event.result ? { output: event.result.output + " ${word}" } : { input: { text: event.input.text + " ${word}" } }`,
    ),
  });
  const both = (word: string): object => ({ before: [mark(`${word}1`), mark(`${word}2`)], after: [mark(word)] });
  const code: CodeHooks = {
    before: ({ input }) => ({ input: { text: `${(input as { text: string }).text} code` } }),
    after: (_call, result) => ({ output: `${outputOf(result)} CODE` }),
  };
  const FILE = `export default (pi) => {
    pi.on("tool_call", (event) => { event.input.text += " file"; });
    pi.on("tool_result", (event) => ({ content: [{ type: "text", text: event.content[0].text + " FILE" }] }));
  };`;

  it("[P1] code encloses the user's settings, those the project's, and those the files", async () => {
    const at = made(both("user"), both("project"));
    mkdirSync(join(at.project, ".pi/extensions"), { recursive: true });
    writeFileSync(join(at.project, ".pi/extensions/hooks.ts"), FILE);
    const { say } = await open(at, { builtins: false, hooks: code });
    expect(await say("echo", { text: "x" })).toBe("x code user1 user2 project1 project2 file FILE project user CODE");
  });

  it.each([
    ["a file", { after: [] }, 'pi.on("tool_result", () => process.exit(5));'],
    ["the settings", { after: [{ tool: "*", command: "exit 3" }] }, ""],
  ])("[P1] hooks around %s that failed are asked about the result that is shown", async (_name, hooks, file) => {
    const at = made(hooks);
    mkdirSync(join(at.project, ".pi/extensions"), { recursive: true });
    writeFileSync(join(at.project, ".pi/extensions/hooks.ts"), `export default (pi) => { ${file} };`);
    const seen: string[] = [];
    const { say } = await open(at, {
      builtins: false,
      hooks: { after: (_call, result) => void seen.push(outputOf(result)) },
    });
    const said = await say("echo", { text: "secret" });
    expect(seen).toEqual([said]);
    expect(said).toMatch(/^"echo" has run, but the hook .* failed on its result, which is therefore not shown: /);
  });

  it("[D7] the hooks of a project that is not trusted do not run", async () => {
    const at = made({}, { before: [{ tool: "*", command: "touch ran" }] });
    const { toolbox } = await open(at, {
      trust: false,
      tools: { given: { description: "d", execute: () => "given" } },
    });
    expect(outputOf(await toolbox.call({ name: "given" }).result)).toBe("given");
    expect(existsSync(join(at.project, "ran"))).toBe(false);
  });

  it("[P1] after a refusal no other hook runs, and the tool does not run", async () => {
    const touch = { tool: "*", command: "touch asked" };
    const at = made({ before: [{ tool: "*", command: "exit 2" }, touch], after: [touch] });
    const { toolbox } = await open(at, { builtins: false });
    expect(await toolbox.call({ name: "other" }).result).toMatchObject({ error: { code: "denied" } });
    expect(existsSync(join(at.project, "asked"))).toBe(false);
  });

  it("[P3] the rules apply to an input that a hook changed", async () => {
    const at = made({ before: [mark("change")] }, undefined, {
      permissions: [{ tool: "run", match: "rm *", action: "deny" }],
    });
    const run = {
      description: "Runs.",
      args: { command: { type: "string" } },
      access: ({ command }: { command: string }) => [{ kind: "execute", target: command }],
      execute: () => "ran",
    };
    const hooks: CodeHooks = { before: () => ({ input: { command: "rm -rf x" } }) };
    const { say } = await open(at, { tools: { run }, hooks, builtins: false });
    expect(await say("run", { command: "ls" })).toContain('running "rm -rf x" is denied by the user\'s rule');
  });
});

describe("[P1] hooks from code", () => {
  const under = async (hooks: CodeHooks, more: ToolboxOptions = {}): Promise<ToolResult> => {
    const echo = {
      description: "Echoes.",
      args: { text: { type: "string" } },
      execute: ({ text }: { text: string }) => text,
    };
    const { toolbox } = await open({}, { tools: { echo }, hooks, builtins: false, ...more });
    return toolbox.call({ name: "echo", input: { text: "hello" }, timeoutMs: 500, agent: "build" }).result;
  };
  const said = async (hooks: CodeHooks): Promise<string> => outputOf(await under(hooks));

  it("[P1] pass, refuse, change the input, change the result", async () => {
    expect(await said({})).toBe("hello");
    expect(await said({ before: () => undefined, after: async () => undefined })).toBe("hello");
    expect(await said({ before: async () => ({ refuse: "Not now." }) })).toBe(
      '"echo" was not allowed to run. Not now.',
    );
    expect(await said({ before: () => ({ input: { text: "bye" } }) })).toBe("bye");
    expect(await said({ after: (_call, result) => ({ output: `${outputOf(result)}!` }) })).toBe("hello!");
    expect(await under({ after: () => ({ error: "No." }) })).toMatchObject({ ok: false, error: { message: "No." } });
  });

  it("[P1] run in order, each with the changes of those before it", async () => {
    const add = (word: string): CodeHooks & object => ({
      before: ({ input }) => ({ input: { text: `${(input as { text: string }).text} ${word}` } }),
    });
    expect(await said([add("a"), add("b")] as CodeHooks)).toBe("hello a b");
  });

  it("[P1] may return undefined fields", async () => {
    const before = (): object => ({ input: undefined, refuse: undefined });
    expect(await said({ before, after: (): object => ({ output: undefined }) })).toBe("hello");
  });

  it("[P1] get a copy of the result", async () => {
    const spoil: CodeHooks = {
      after: (_call, { content }) => {
        (content as object[]).push({ type: "text", text: "more" });
        return undefined;
      },
    };
    expect(await said(spoil)).toBe("hello");
  });

  it("[P1] get a copy of the call: changes to it have no effect", async () => {
    const seen: unknown[] = [];
    const spoil: CodeHooks = {
      before: (call) => {
        const { signal, callID, ...rest } = call;
        seen.push(structuredClone(rest));
        (call.input as { text: string }).text = "spoilt";
        return undefined;
      },
    };
    expect(await said(spoil)).toBe("hello");
    expect(seen).toMatchObject([{ tool: "echo", input: { text: "hello" }, sessionID: "default", agent: "build" }]);
  });

  it("[P1] that throw an error refuse the call, and hide the result", async () => {
    const boom = (): never => {
      throw new Error("boom");
    };
    expect(await said({ before: boom })).toBe(
      '"echo" was not allowed to run. The hook passed in code failed: boom. Correct the hook, or remove it.',
    );
    expect(await said({ after: async () => boom() })).toBe(
      '"echo" has run, but the hook passed in code failed on its result, which is therefore not shown: boom. Try again only if the tool is safe to repeat.',
    );
  });

  it("[P4] that never return are abandoned when the call ends", async () => {
    const never = (): Promise<undefined> => new Promise(() => {});
    expect(await under({ before: never })).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(await under({ after: never })).toMatchObject({ ok: false, error: { code: "timeout" } });
  });
});
