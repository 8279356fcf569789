import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { outputOf, type Run, type ToolResult, type Update } from "../../../src/index.ts";
import { openBuiltins } from "../../support/builtins.ts";
import { isRunning } from "../../support/processes.ts";
import { temporary } from "../../support/temporary.ts";

const ASKED = { callerIsAsked: true };
const run = (command: string, more: object = {}): object => ({ command, description: "Does something", ...more });

describe("bash", () => {
  it("[B1] returns the output of a command, both streams in order, and nothing else on success", async () => {
    const { call, say } = await openBuiltins({}, ASKED);
    const command = "echo one; echo two >&2; echo three; echo four >&2; printf five";
    expect(await call("bash", run(command))).toMatchObject({
      ok: true,
      content: [{ type: "text", text: "one\ntwo\nthree\nfour\nfive" }],
      data: { exit: 0, description: "Does something" },
      notes: { title: "Does something" },
    });
    expect(await say("bash", run("echo $BASH_VERSION"))).toMatch(/^\d+\./);
    expect(await say("bash", run('echo "$0 $#"; echo -e "a\\tb"'))).toMatch(/bash 0\na\tb\n$/);
    expect(await say("bash", run("-x"))).toMatch(/-x: command not found\n\[exit code 127\]$/);
  });

  it("[B1] distinguishes an exit code, a signal and a timeout, in the last line and as data", async () => {
    const { call } = await openBuiltins({}, ASKED);
    const end = async (command: string, more = {}): Promise<unknown[]> => {
      const result = await call("bash", run(command, more));
      return [result.ok, outputOf(result), result.data];
    };
    const description = "Does something";
    expect(await end("echo no >&2; exit 3")).toEqual([true, "no\n[exit code 3]", { exit: 3, description }]);
    expect(await end("printf no; exit 3")).toEqual([true, "no\n[exit code 3]", { exit: 3, description }]);
    expect(await end("true")).toEqual([true, "[no output]", { exit: 0, description }]);
    expect(await end("false")).toEqual([true, "[no output; exit code 1]", { exit: 1, description }]);
    expect(await end("echo a; kill -9 $$")).toEqual([
      true,
      "a\n[ended by signal SIGKILL]",
      { exit: null, signal: "SIGKILL", description },
    ]);
    expect(await end("echo begun; sleep 60", { timeout: 300 })).toEqual([
      true,
      'begun\n[timed out after 300 ms, the "timeout" of this call, and was ended with all processes that it had started; send a larger "timeout" (at most 600000), or start it in the background with its output in a file]',
      { exit: null, signal: "SIGTERM", timedOut: true, description },
    ]);
  });

  it("[B1] explains what is wrong with an input, and what to send instead", async () => {
    const { call, say } = await openBuiltins({ "a.txt": "" }, ASKED);
    expect(await say("bash", {})).toBe(
      'The input for "bash" is not valid:\n- /command: is required, expected string\n- /description: is required, expected string\nCorrect it and call the tool again.',
    );
    expect(await say("bash", run(" \n "))).toContain("- /command: Send the command to run.\n");
    expect(await say("bash", run("echo a\0b"))).toContain(
      "- /command: A command cannot hold a NUL byte. Leave it out.\n",
    );
    expect(await call("bash", run("true", { timeout: 0 }))).toMatchObject({ error: { code: "invalid_input" } });
    expect(await say("bash", run("true", { timeout: 600_001 }))).toBe(
      '"timeout" is 600001, and a command may run for at most 600000 ms. Send that or less. Start longer commands in the background with their output in a file: command > out.log 2>&1 &',
    );
    expect(await say("bash", run(`echo ${"x".repeat(100_000)}`))).toBe(
      "The command has 100005 bytes, and at most 100000 can be passed on. Write the long part to a file with write, and use that.",
    );
    expect(await say("bash", run("pwd", { workdir: "no/such" }))).toBe(
      'There is no folder "no/such". Send a "workdir" that exists, or leave it out to run in the current directory.',
    );
    expect(await call("bash", run("pwd", { workdir: "a.txt" }))).toMatchObject({
      ok: false,
      error: {
        code: "failed",
        message:
          '"a.txt" is not a folder. Send a "workdir" that exists, or leave it out to run in the current directory.',
      },
    });
  });

  it("[B1] runs in the directory of the call, or in a folder of the project", async () => {
    const { at, say } = await openBuiltins({ "sub/a.txt": "" }, ASKED);
    expect(await say("bash", run("pwd"))).toBe(`${at.project}\n`);
    expect(await say("bash", run("pwd", { workdir: "sub" }))).toBe(`${at.project}/sub\n`);
    expect(await say("bash", run("pwd", { workdir: join(at.project, "sub") }))).toBe(`${at.project}/sub\n`);
  });

  it("[B1] [B13] runs outside the project only if a rule names the folder", async () => {
    const outside = temporary();
    const { at, call, say } = await openBuiltins({}, ASKED);
    symlinkSync(outside, join(at.project, "link"));
    for (const workdir of [outside, "..", "link"]) {
      expect(await call("bash", run("pwd", { workdir }))).toMatchObject({ ok: false, error: { code: "denied" } });
    }
    expect(await say("bash", run("pwd", { workdir: outside }))).toContain(outside);
    const settings = { permissions: [{ tool: "bash", match: `${outside}/**`, action: "allow" }] };
    const named = await openBuiltins({}, { ...ASKED, settings });
    mkdirSync(join(outside, "in"));
    expect(await named.say("bash", run("pwd", { workdir: join(outside, "in") }))).toBe(`${outside}/in\n`);
  });

  it("[P3] does not start a command that a rule denies, or that needs approval if no person can be asked", async () => {
    const settings = { permissions: [{ tool: "bash", match: "rm *", action: "deny" }] };
    const { at, call, say } = await openBuiltins({ "a.txt": "kept" }, { ...ASKED, settings });
    expect(await call("bash", run("rm a.txt"))).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await say("bash", run("cat a.txt"))).toBe("kept");
    const alone = await openBuiltins({}, { callerIsAsked: false });
    expect(await alone.call("bash", run("touch made; true"))).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await say("bash", run(`ls ${join(alone.at.project)}; cat ${at.project}/a.txt`))).toBe("kept");
  });

  it("[P3] [X1] does not start a command that the wildcard of a rule does not cover", async () => {
    const settings = { permissions: [{ tool: "bash", match: "echo *", action: "allow" }] };
    const { call, say } = await openBuiltins({ "a.ts": "" }, { callerIsAsked: false, settings });
    for (const command of [
      "echo $" + "{x:=\\$\\(touch a\\)}$" + "{x@P}",
      "echo $" + "{a:=b[\\$\\(touch a\\)]}$[a]",
      "echo $" + "{a:=b[\\$\\(touch a\\)]}$" + "{!a}",
    ]) {
      expect(await call("bash", run(command))).toMatchObject({ ok: false, error: { code: "denied" } });
    }
    expect(await say("bash", run('echo *.* "$TERM"'))).toBe("a.ts dumb\n");
  });

  it("[B1] has no terminal, an empty stdin, and none of the user's start-up files", async () => {
    const { at, say } = await openBuiltins({}, { ...ASKED, variables: { SSH_CLIENT: "1 2 3", SHLVL: "0" } });
    for (const file of [".bashrc", ".profile", ".bash_profile"]) writeFileSync(join(at.home, file), "echo start-up");
    const env = { ...ASKED, variables: { BASH_ENV: join(at.home, ".bashrc"), ENV: join(at.home, ".bashrc") } };
    const other = await openBuiltins({}, env);
    expect(await say("bash", run("cat; echo end"))).toBe("end\n");
    expect(await say("bash", run("(echo > /dev/tty) 2> /dev/null || echo none; tty; echo $TERM"))).toBe(
      "none\nnot a tty\ndumb\n",
    );
    expect(await other.say("bash", run("printenv BASH_ENV ENV || echo none"))).toBe("none\n");
  });

  it("[B1] [X1] uses the default options of the shell, whatever the environment sets", async () => {
    const variables = { SHELLOPTS: "xtrace", BASHOPTS: "extglob:xpg_echo", PS4: "$(touch traced)" };
    const { say } = await openBuiltins({}, { ...ASKED, variables });
    expect(await say("bash", run("echo 'a\\tb'; ls; printenv PS4 || shopt -q extglob || echo none"))).toBe(
      "a\\tb\nnone\n",
    );
  });

  it("[B1] uses sh if there is no bash, and reports it when a command fails", async () => {
    const bin = temporary();
    for (const name of ["sh", "sleep"]) symlinkSync(`/bin/${name}`, join(bin, name));
    const { say } = await openBuiltins({}, { ...ASKED, variables: { PATH: bin } });
    expect(await say("bash", run("echo a; echo b >&2; echo $BASH_VERSION"))).toBe("a\nb\n\n");
    expect(await say("bash", run("exit 4"))).toBe("[no output; exit code 4; run by sh, since bash is not installed]");
  });
});

describe("the output of bash", () => {
  it("[B1] is text for any bytes that a command writes, without colours and redrawn lines", async () => {
    const { say } = await openBuiltins({}, ASKED);
    expect(
      await say("bash", run("printf '\\033[1;31mred\\033[0m \\033]0;title\\007\\033]8;;http://a\\033\\\\link'")),
    ).toBe("red link");
    expect(await say("bash", run("printf '10%%\\r50%%\\r100%%\\ndone\\r\\nnext\\r'"))).toBe("100%\ndone\r\nnext\r");
    expect(await say("bash", run("printf 'a\\xff\\xc3'; printf '\\xa9\\n' >&2; printf '\\xe2\\x82'"))).toBe(
      "a\ufffdé\n\ufffd",
    );
    expect(await say("bash", run("printf '\\xe2'; sleep 0.2; printf '\\x82'; sleep 0.2; printf '\\xac'"))).toBe("€");
  });

  it("[B1] [P7] is cut at 30,000 bytes with both ends shown, and the full output is on disk", async () => {
    const { call } = await openBuiltins({}, ASKED);
    const result = await call("bash", run("seq 1 20000; exit 7"));
    const whole = `${Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("")}[exit code 7]`;
    const text = outputOf(result);
    const file = result.notes.truncated?.fullOutput ?? "";
    const omitted = whole.length - 30_000;
    expect(text.startsWith("1\n2\n3\n")).toBe(true);
    expect(text).toContain(`\n[... ${omitted} bytes omitted here ...]\n`);
    expect(text.endsWith(`\n20000\n[exit code 7]\n[truncated: ${omitted} bytes omitted; full output: ${file}]`)).toBe(
      true,
    );
    expect(readFileSync(file, "utf8")).toBe(whole);
  });

  it("[B1] [P5] [P7] may be half a gigabyte: the full output is on disk, and the host process survives", async () => {
    const { call } = await openBuiltins({}, ASKED);
    const result = await call("bash", run("echo first; yes | head -c 500000000; echo last"));
    expect(outputOf(result)).toMatch(/^first\ny\ny\n[\s\S]*\ny\nlast\n\[truncated: /);
    expect(statSync(result.notes.truncated?.fullOutput ?? "").size).toBe(500_000_011);
    expect(outputOf(await call("bash", run("echo $PPID")))).toMatch(/^\d+\n$/);
  }, 60_000);

  it("[B1] [P6] is shown while the command runs", async () => {
    const { toolbox } = await openBuiltins({}, ASKED);
    const going = toolbox.call({ name: "bash", input: run("echo first; sleep 0.5; echo second >&2; sleep 0.5") });
    const shown = await updatesOf(going);
    expect(shown[0]).toMatchObject({ title: "Does something", metadata: { description: "Does something" } });
    expect(shown.find(({ metadata }) => metadata?.output)).toMatchObject({ metadata: { output: "first\n" } });
    expect(shown.at(-1)).toMatchObject({ metadata: { output: "first\nsecond\n", description: "Does something" } });
  });

  it("[B1] [P6] includes an unfinished line, and the last state of a redrawn line", async () => {
    const { toolbox } = await openBuiltins({}, ASKED);
    const command =
      "echo begin; printf '10%%'; sleep 0.2; printf '\\r20%%'; sleep 0.2; printf '\\r100%%\\n'; printf 'ready? '";
    const going = toolbox.call({ name: "bash", input: run(command) });
    const outputs = (await updatesOf(going)).map(({ metadata }) => metadata?.output);
    expect(outputs).toEqual(expect.arrayContaining(["begin\n10%", "begin\n20%"]));
    expect(outputOf(await going.result)).toBe("begin\n100%\nready? ");
  });

  it("[B1] has limits that can be set", async () => {
    const toolLimits = { bash: { defaultMs: 300, mostMs: 500, commandBytes: 50 } };
    const { say } = await openBuiltins({}, { ...ASKED, settings: { toolLimits } });
    expect(await say("bash", run("echo a; sleep 9"))).toMatch(
      /^a\n\[timed out after 300 ms, the default in the settings \("defaultMs"\), and was ended .* \(at most 500\), /,
    );
    expect(await say("bash", run("echo a; sleep 9", { timeout: 500 }))).toBe(
      'a\n[timed out after 500 ms, the "timeout" of this call, and was ended with all processes that it had started; start it in the background with its output in a file]',
    );
    expect(await say("bash", run("true", { timeout: 501 }))).toMatch(/at most 500 ms/);
    expect(await say("bash", run(`echo ${"x".repeat(50)}`))).toMatch(/^The command has 55 bytes, and at most 50 /);
    const short = await openBuiltins({}, { ...ASKED, settings: { toolLimits: { bash: { maxBytes: 10 } } } });
    expect(await short.say("bash", run("echo 123456789; echo 123456789"))).toMatch(
      /^12345\n\[\.\.\. 10 bytes omitted here \.\.\.\]\n6789\n\[truncated: /,
    );
  });
});

describe("processes that bash started", () => {
  it("[B1] [P4] end with the call, including grandchildren that ignore signals or left the group", async () => {
    const { toolbox } = await openBuiltins({}, ASKED);
    const command = `echo $$; trap '' TERM; (trap '' TERM; sleep 61 & echo $!; sleep 62) &
      setsid sh -c 'echo $$; trap "" TERM; sleep 63; sleep 63' & (setsid sleep 64 & echo $!); echo ready; sleep 65`;
    const going = toolbox.call({ name: "bash", input: run(command) });
    const heard = await heardUntil(going, /^(?:(?:\d+|ready)\n){5}$/);
    going.abort();
    const result = await going.result;
    expect(result).toMatchObject({
      ok: false,
      error: { code: "aborted", message: 'The call of "bash" was cancelled.' },
    });
    expect(textIn(result)).toBe(`${heard}[stopped before it ended]`);
    const pids = heard
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
    expect(pids).toHaveLength(4);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("[B1] [P4] end at the timeout of the command, and at that of the call", async () => {
    const command = "trap '' TERM; sleep 61 & echo $! $$; wait; sleep 62";
    const { say } = await openBuiltins({}, ASKED);
    const own = await say("bash", run(command, { timeout: 500 }));
    expect(own).toMatch(/^\d+ \d+\n\[timed out after 500 ms, /);
    const limited = await openBuiltins({}, { ...ASKED, settings: { toolLimits: { bash: { timeoutMs: 3_000 } } } });
    const result = await limited.call("bash", run(command));
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(textIn(result)).toMatch(/^\d+ \d+\n\[stopped before it ended\]$/);
    const pids = `${own} ${textIn(result)}`.match(/\d+ \d+\n/g)?.flatMap((pair) => pair.trim().split(" ").map(Number));
    expect(pids).toHaveLength(4);
    expect(pids?.filter(isRunning)).toEqual([]);
  });

  it("[B1] in the background are not waited for, and continue", async () => {
    const { at, call, say } = await openBuiltins({}, ASKED);
    const result = await call("bash", run("sleep 60 & echo $!"));
    expect(outputOf(result)).toMatch(
      /^\d+\n\[a process that it started is still running, and its further output is lost; to see it, start it with its output in a file: command > out.log 2>&1 &\]$/,
    );
    expect(result.data).toMatchObject({ exit: 0, leftRunning: true });
    const pid = Number.parseInt(outputOf(result), 10);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
    const quiet = await call("bash", run("(echo begun; sleep 0.5; echo done) > out.log 2>&1 &"));
    expect([outputOf(quiet), quiet.data]).toEqual(["[no output]", { exit: 0, description: "Does something" }]);
    while (readFileSync(join(at.project, "out.log"), "utf8") !== "begun\ndone\n") await sleep(50);
    expect(await say("bash", run("sleep 60 & echo $!; exit 5"))).toMatch(
      /^(\d+)\n\[exit code 5; a process that it started /,
    );
  });

  it("[B1] end when the toolbox closes", async () => {
    const { toolbox, say } = await openBuiltins({}, ASKED);
    const pids = [
      await say("bash", run("sleep 60 > /dev/null 2>&1 & echo $!")),
      await say("bash", run("setsid sleep 60 > /dev/null 2>&1 & echo $!")),
    ].map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await toolbox.close();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it("[B1] [P5] end when their host dies, wherever they moved", async () => {
    const { toolbox, call } = await openBuiltins({}, ASKED);
    const command = "echo $PPID; (setsid sleep 64 & echo $!); sleep 65";
    const going = toolbox.call({ name: "bash", input: run(command) });
    const [host = 0, left = 0] = (await heardUntil(going, /^\d+\n\d+\n$/)).split("\n").map(Number);
    process.kill(host, "SIGKILL");
    expect(await going.result).toMatchObject({ ok: false, error: { code: "crashed" } });
    await expect.poll(() => isRunning(left)).toBe(false);
    expect((await call("bash", run("true"))).ok).toBe(true);
  });

  it("[B1] are not started if the call is cancelled before", async () => {
    const { at, toolbox } = await openBuiltins({}, ASKED);
    const going = toolbox.call({ name: "bash", input: run("touch made") });
    going.abort();
    expect(await going.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(() => readFileSync(join(at.project, "made"))).toThrow();
  });
});

function textIn(result: ToolResult): string {
  return result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

async function updatesOf(going: Run): Promise<Update[]> {
  const updates: Update[] = [];
  for await (const event of going) if (event.type === "tool.update") updates.push(event);
  return updates;
}

/** Returns the shown output of a call as soon as it matches. */
async function heardUntil(going: Run, words: RegExp): Promise<string> {
  for await (const event of going) {
    const shown = event.type === "tool.update" ? String(event.metadata?.output) : "";
    if (words.test(shown)) return shown;
  }
  return "";
}
