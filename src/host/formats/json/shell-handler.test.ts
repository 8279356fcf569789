import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, jsonTool } from "../../../../test/support/json-tool.ts";
import { isRunning } from "../../../../test/support/processes.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { truncate } from "../../output/truncate.ts";

const shell = (command: string, more: object = {}): object => ({ type: "shell", command, ...more });
const failed = (text: string, details: object): object => ({
  content: [{ type: "text", text }],
  details,
  isError: true,
});

describe("the output of a command", () => {
  it("[A6] is its stdout, run in the project or in cwd", async () => {
    const folder = temporary();
    put(join(folder, "sub", "a.txt"), "hello");
    const here = await jsonTool(folder, shell("cat sub/a.txt"));
    expect(await callTool(here, {}, folder)).toEqual({ output: "hello", metadata: { exit: 0 } });
    const there = await jsonTool(folder, shell("cat a.txt | cat", { cwd: "sub" }));
    expect(await callTool(there, {}, folder)).toEqual({ output: "hello", metadata: { exit: 0 } });
  });

  it("[A6] of a failed command has both streams and the exit code", async () => {
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

  it("[A6] [P6] is shown while it runs and kept after a timeout, which ends all its processes", async () => {
    const folder = temporary();
    const shown: unknown[] = [];
    const tool = await jsonTool(folder, shell("sleep 60 & echo $!; wait", { timeout: 1000 }));
    const result = await callTool(tool, {}, folder, { metadata: (update) => shown.push(update) });
    const { output } = (shown[0] as { metadata: { output: string } }).metadata;
    expect(result).toEqual(
      failed(
        `The command did not end within 1000 ms and was stopped. Request less, or ask the author of the tool to raise handler.timeout.\nstdout:\n${output.trim()}\nstderr: (empty)`,
        { exit: null, signal: "SIGTERM" },
      ),
    );
    expect(isRunning(Number(output))).toBe(false);
  });

  it("[A6] [P4] ends when the call is cancelled", async () => {
    const folder = temporary();
    const controller = new AbortController();
    const tool = await jsonTool(folder, shell("echo started; sleep 60"));
    const context = { abort: controller.signal, metadata: () => controller.abort() };
    expect(await callTool(tool, {}, folder, context)).toMatchObject({ isError: true, details: { exit: null } });
  });

  it("[P4] a handler timeout above the default extends the limit of the call", async () => {
    const folder = temporary();
    expect((await jsonTool(folder, shell("a"))).limits).toEqual({});
    expect((await jsonTool(folder, shell("a", { timeout: 600_000 }))).limits).toEqual({ timeoutMs: 605_000 });
  });
});

describe("values for a command that begin with a dash", () => {
  const ADVICE =
    'Send a value that does not. For a file, put ./ before it. The author of the tool can allow it: write -- before {{x}} in "command", or set "allowDash": true.';
  const REFUSED = `"x" starts with "-", so the command could read it as an option. ${ADVICE}`;
  const outcome = async (command: string, input: object, more: object = {}, schema?: object): Promise<string> => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell(command, more), ["x", "a", "b"], schema && { inputSchema: schema });
    const output = callTool(tool, input, folder).then((result) => (result as { output: string }).output);
    const said = await output.catch((error: Error) => error.message);
    if (said.includes('"allowDash"')) expect(() => tool.access?.(input, { cwd: folder })).toThrow(said);
    return said;
  };

  it.each([
    "echo {{x}}",
    "echo '{{x}}'",
    'echo "{{x}}"',
    "echo ''{{x}}",
    'echo ""\'\'"{{x}}"',
    "echo {{x}} | cat",
    "true | echo '{{x}}'",
    'echo "$(echo {{x}})"',
    'echo "$(echo "{{x}}")"',
    "echo -C {{x}}",
    "echo {{x}}.ts",
    'echo "{{x}} and more"',
    // The text before the value in the same shell word may be empty.
    "echo $NONE{{x}}",
    "echo $" + "{NONE}{{x}}",
    'echo "$NONE{{x}}"',
    "echo $(true){{x}}",
    "echo `true`{{x}}",
    "echo {a,{{x}}}",
    "echo {{{x}},a}",
    "echo {,a}{{x}}",
    // The text that the shell inserts before the value may end with a blank, so the value begins a new shell word.
    "p='a '; echo b$p{{x}}",
    "echo a$(echo b ){{x}}",
    // These "--" do not end the options of the program that gets the value.
    "find -- {{x}}",
    "find a -- '{{x}}'",
    "echo -- a | echo {{x}}",
    "echo -- a; echo {{x}}",
    "echo -- $(echo {{x}})",
    "echo {{x}} --",
    "echo --- {{x}}",
    "env -- echo {{x}}",
    "env -u A -- echo {{x}}",
    "command -- echo {{x}}",
    "true | xargs -- echo {{x}}",
    "sh -c 'echo \"$1\"' -- {{x}}",
    "sh -c 'echo \"$1\"' sh {{x}}",
    "test -- {{x}}",
    "case {{x}} in *) echo a;; esac",
    "for i in '{{x}}'; do echo $i; done",
  ])("[A6] [X1] are refused: %s", async (command) => {
    expect(await outcome(command, { x: "-rf" })).toBe(REFUSED);
  });

  it.each([
    ["echo a -- {{x}}", "a -- -rf\n"],
    ["echo a '--' b '{{x}}' c", "a -- b -rf c\n"],
    ["echo a | cat - | echo -- {{x}}", "-- -rf\n"],
    ["env echo -- {{x}}", "-- -rf\n"],
    ["echo --x={{x}}", "--x=-rf\n"],
    ['p=a; echo $p/{{x}} "b$p{{x}}"', "a/-rf ba-rf\n"],
    ["echo -x{{x}}", "-x-rf\n"],
    ["echo x'{{x}}'", "x-rf\n"],
    ['A={{x}}; echo "a$A"', "a-rf\n"],
  ])("[A6] are allowed where they cannot be an option: %s", async (command, expected) => {
    expect(await outcome(command, { x: "-rf" })).toBe(expected);
  });

  it.each(["-", "--", "--output=/etc/passwd", "-1abc", "-0x1", "-Infinity", "-5\n", "-5 -rf", "-٣"])(
    "[A6] [X1] are refused: %j",
    async (x) => {
      expect(await outcome('echo "{{x}}"', { x })).toBe(REFUSED);
      expect(await outcome("echo {{x}}", { x: ["a", x] })).toBe(REFUSED);
      expect(await outcome('echo "{{x}}"', { x: [x, "a"] })).toBe(REFUSED);
    },
  );

  it.each([
    [-5, "-5\n"],
    ["-5", "-5\n"],
    ["-5e3", "-5e3\n"],
    ["-.5e3", "-.5e3\n"],
    [-5e-7, "-5e-7\n"],
    ["–rf", "–rf\n"],
    ["−5a", "−5a\n"],
    [" -rf", " -rf\n"],
    ["\n-rf", "\n-rf\n"],
    ["a-b", "a-b\n"],
    [false, "false\n"],
    [["a", "-5"], "a -5\n"],
    [[["-rf"]], '["-rf"]\n'],
    [{ "-rf": 1 }, '{"-rf":1}\n'],
  ])("[A6] negative numbers and other dashes are allowed: %j", async (x, expected) => {
    expect(await outcome('echo "{{x}}"', { x })).toBe(expected);
    expect(await outcome("echo {{x}}", { x })).toBe(expected);
  });

  it("[A6] [X1] are checked together if a shell word has several", async () => {
    const word = "echo '{{x}}{{a}}'";
    expect(await outcome(word, { x: "b", a: "-rf" })).toBe("b-rf\n");
    expect(await outcome(word, { x: "", a: "-rf" })).toBe(
      REFUSED.replaceAll(/"x"|\{\{x/g, (name) => name.replace("x", "a")),
    );
    expect(await outcome(word, { a: "-rf" })).toBe(REFUSED.replaceAll(/"x"|\{\{x/g, (name) => name.replace("x", "a")));
    expect(await outcome(word, { x: "-5", a: "6" })).toBe("-56\n");
    expect(await outcome(word, { x: "-5", a: "c" })).toBe(REFUSED);
    expect(await outcome('echo "{{x}}"', { x: ["a", "-rf"] })).toBe("a -rf\n");
    // The author wrote the dash; the caller sends the text after it.
    expect(await outcome("echo '{{x}}-{{a}}'", { x: "b", a: "rf" })).toBe("b-rf\n");
    expect(await outcome("echo '{{x}}-{{a}}'", { x: "", a: "rf" })).toBe(
      `"x" is empty, so the command could read the following text as an option. ${ADVICE.replace("Send a value that does not. For a file, put ./ before it.", "Send a value for it.")}`,
    );
    expect(await outcome("echo '{{x}}- item'", {})).toBe('- item\n["x" was not sent and is empty in the command.]');
  });

  it("[A6] are allowed with allowDash", async () => {
    for (const command of ["echo {{x}}", 'echo "{{x}}" | cat', "env -- echo {{x}}"]) {
      expect(await outcome(command, { x: "-rf" }, { allowDash: true })).toBe("-rf\n");
    }
    const schema = { type: "object", properties: { x: { default: "-la" }, a: { default: ["-1"] } } };
    expect(await outcome('echo "{{x}}" {{a}}', {}, {}, schema)).toBe("-la -1\n");
    expect(await outcome("echo {{x}}", { x: "-la" }, {}, schema)).toBe("-la\n");
    expect(await outcome("echo {{x}}", { x: "-rf" }, {}, schema)).toBe(REFUSED);
  });

  it("[A6] [X1] never reach an option of printf or test that bash evaluates", async () => {
    const evaluated = (name: string): string =>
      `"x" starts with "-", and some shells run code in options of "${name}". Send a value that does not start with "-".`;
    const x = "-va[$(touch made)]";
    for (const command of ["printf {{x}} hi | cat", "true; printf '{{x}}' hi"]) {
      expect(await outcome(command, { x }, { allowDash: true })).toBe(evaluated("printf"));
      expect(await outcome(command, { x: "-- item" }, { allowDash: true })).toBe(evaluated("printf"));
    }
    expect(await outcome("test {{x}} && true", { x: ["-v", "a[$(touch made)]"] }, { allowDash: true })).toBe(
      evaluated("test"),
    );
    expect(await outcome("[ {{x}} ] && true", { x: ["a", "-o", "-v", "b"] }, { allowDash: true })).toBe(evaluated("["));
    expect(await outcome("printf '%s\\n' {{x}} | cat", { x: "- item" }, { allowDash: true })).toBe("- item\n");
    expect(await outcome("printf -- {{x}} | cat", { x: "- item\\n" })).toBe("- item\n");
  });

  it("[A6] [X1] do not make git write a file", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell('git log -1 "{{ref}}"'), ["ref"]);
    const written = join(folder, "written");
    await expect(callTool(tool, { ref: `--output=${written}` }, folder)).rejects.toThrow(
      '"ref" starts with "-", so the command could read it as an option.',
    );
    expect(existsSync(written)).toBe(false);
  });
});

describe("values for a command", () => {
  it("[A6] [X1] with NUL, or too long, are refused", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("echo '{{x}}' || true"), ["x"]);
    await expect(callTool(tool, { x: "a\0b" }, folder)).rejects.toThrow(
      '"x" contains a NUL byte, which commands do not accept. Remove it.',
    );
    await expect(callTool(tool, { x: "a".repeat(10_001) }, folder)).rejects.toThrow(
      '"x" has 10001 characters. At most 10000 are allowed. Send fewer.',
    );
    expect(await callTool(tool, { x: "a".repeat(10_000) }, folder)).toMatchObject({ metadata: { exit: 0 } });
  });

  it("[A6] with metacharacters are harmless, and logged without the value", async () => {
    const folder = temporary();
    const logged: string[] = [];
    const tool = await jsonTool(folder, shell("echo {{x}} {{y}}"), ["x", "y"], { logged });
    expect(await callTool(tool, { x: "a; $(id)", y: "plain" }, folder)).toMatchObject({ output: "a; $(id) plain\n" });
    expect(logged).toEqual([
      'warn "it": the value of "x" contains shell metacharacters. They were passed as plain text.',
    ]);
  });

  it("[A6] that are missing get the default of the schema; null, lists and objects are converted", async () => {
    const folder = temporary();
    const inputSchema = { type: "object", properties: { x: { default: "given" }, y: {}, z: {} } };
    const tool = await jsonTool(folder, shell("echo {{x}} {{y}} '{{z}}'"), [], { inputSchema });
    expect(await callTool(tool, {}, folder)).toEqual({
      output:
        'given \n["y" was not sent and was left out of the command. "z" was not sent and is empty in the command.]',
      metadata: { exit: 0, omitted: ["y", "z"] },
    });
    expect(await callTool(tool, { x: null, y: ["a", 1], z: { b: true } }, folder)).toMatchObject({
      output: 'a 1 {"b":true}\n["x" was not sent and was left out of the command.]',
    });
  });

  it.each([
    ["echo a{{x}}b c", 'c\n["x" was not sent and was left out of the command.]'],
    ['echo "a{{x}}b"', 'ab\n["x" was not sent and is empty in the command.]'],
    ["true {{x}} {{x}}", '[no output. "x" was not sent and was left out of the command.]'],
    ["printf done", "done"],
  ])("[A6] that are missing are named in the output: %s", async (command, output) => {
    const folder = temporary();
    const titles: unknown[] = [];
    const tool = await jsonTool(folder, shell(command), ["x"]);
    const context = { metadata: ({ title }: { title?: string }) => void (title && titles.push(title)) };
    expect(await callTool(tool, {}, folder, context)).toMatchObject({ output });
    expect(titles).toEqual(output === "done" ? [] : [/"x" [^\]]*/.exec(output)?.[0]]);
  });

  it.each<[string, string | undefined, unknown?]>([
    ["(default: TODO)", "string", "TODO"],
    ["Where to search (defaults to src).", "string", "src"],
    ["(Default is `a b`)", "string", "a b"],
    ['(default "x")', "string", "x"],
    ["(default: 5)", "integer", 5],
    ["(default: -1.5)", "number", -1.5],
    ["(default: true)", "boolean", true],
    ["(default: current directory)", "string"],
    ["(default: none)", "string"],
    ["(default: unlimited)", "integer"],
    ["the default: TODO", "string"],
    ["(default: TODO)", undefined],
  ])(
    "[A6] that are missing get the default that a description states: %s of the type %s",
    async (text, type, value) => {
      const folder = temporary();
      const properties = { x: { description: text, ...(type === undefined ? {} : { type }) } };
      const tool = await jsonTool(folder, shell("printf %s '{{x}}'"), [], {
        inputSchema: { type: "object", properties },
      });
      const missing = '[no output. "x" was not sent and is empty in the command.]';
      expect(await callTool(tool, {}, folder)).toMatchObject({ output: value === undefined ? missing : String(value) });
      const required = { type: "object", properties: { ...properties, x: { ...properties.x, default: "own" } } };
      const own = await jsonTool(folder, shell("printf %s '{{x}}'"), [], {
        inputSchema: { ...required, type: "object" },
      });
      if (type === "string") expect(await callTool(own, {}, folder)).toMatchObject({ output: "own" });
    },
  );

  it.each(["head", "tail", "both"] as const)(
    "[A6] [P7] that are missing are named in output that is cut: %s",
    async (keep) => {
      const folder = temporary();
      const note = '["x" was not sent and is empty in the command.]';
      for (const command of ["seq 1 500; : '{{x}}'", "head -c 99999 /dev/zero | tr '\\0' a; : '{{x}}'"]) {
        const tool = await jsonTool(folder, shell(command), ["x"]);
        const limits = { timeoutMs: 10_000, maxLines: 100, maxBytes: 2_000, keep, own: {} };
        const { output } = (await callTool(tool, {}, folder, { limits })) as { output: string };
        const { text, truncated } = truncate(output, limits, { open: () => undefined });
        expect([truncated !== undefined, text.split("\n").includes(note)]).toEqual([true, true]);
      }
      const failing = await jsonTool(folder, shell("seq 1 500; false '{{x}}'"), ["x"]);
      const limits = { timeoutMs: 10_000, maxLines: 100, maxBytes: 2_000, keep, own: {} };
      const { content } = (await callTool(failing, {}, folder, { limits })) as { content: { text: string }[] };
      const { text } = truncate(content[0]?.text ?? "", limits, { open: () => undefined });
      expect(text).toContain('The command failed with exit code 1. "x" was not sent and is empty in the command.');
    },
  );

  it("[A6] that are missing are named in the message of a failure, and a program cannot be missing", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("false {{x}}"), ["x"]);
    expect(await callTool(tool, {}, folder)).toEqual(
      failed(
        'The command failed with exit code 1. "x" was not sent and was left out of the command.\nstdout: (empty)\nstderr: (empty)',
        { exit: 1, omitted: ["x"] },
      ),
    );
    const program = await jsonTool(folder, shell("{{x}} a"), ["x"]);
    await expect(callTool(program, {}, folder)).rejects.toThrow(
      'The command cannot be run without "x". Send a value for it.',
    );
  });

  it("[P3] are part of the declared command", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("grep -rn '{{p}}' {{d}} || true"), ["p", "d"]);
    expect(tool.access?.({ p: "it's", d: "a b" }, { cwd: folder })).toEqual([
      { kind: "execute", target: "grep -rn 'it'\\''s' 'a b' || true" },
    ]);
  });

  it("[A6] braces that are not a placeholder are kept", async () => {
    const folder = temporary();
    const tool = await jsonTool(folder, shell("echo '{{.Names}} {{json .}}' {{ x }}"), ["x"]);
    expect(await callTool(tool, { x: "a" }, folder)).toMatchObject({ output: "{{.Names}} {{json .}} a\n" });
  });
});
