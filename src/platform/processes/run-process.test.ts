import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isRunning } from "../../../test/support/processes.ts";
import { put, temporary } from "../../../test/support/temporary.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { type ProcessOptions, runProcess } from "./run-process.ts";

const cwd = process.cwd();
const node = (code: string, options: Partial<ProcessOptions> = {}): ReturnType<typeof runProcess> =>
  runProcess(process.execPath, ["-e", code], { cwd, ...options });
const sh = (script: string, options: Partial<ProcessOptions> = {}): ReturnType<typeof runProcess> =>
  runProcess("/bin/sh", ["-c", script], { cwd, ...options });

describe("running a program", () => {
  it("[A6] returns both streams and the exit code, with an empty stdin", async () => {
    expect(await sh("cat; echo out; echo err >&2; exit 3")).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      code: 3,
      signal: null,
      killed: false,
      timedOut: false,
      truncated: false,
      leftRunning: false,
    });
  });

  it.each([2 ** 31, 2 ** 53, Number.POSITIVE_INFINITY])(
    "[P4] a time limit of %d ms is not over at once",
    async (timeoutMs) => {
      expect(await sh("sleep 0.2; echo done", { timeoutMs })).toMatchObject({ stdout: "done\n", timedOut: false });
    },
  );

  it("[A6] passes input, folder and environment, and arguments without a shell", async () => {
    const folder = temporary();
    const options = { cwd: folder, input: "given", env: { ...process.env, A: "b" } };
    expect((await sh("cat; pwd; echo $A", options)).stdout).toBe(`given${folder}\nb\n`);
    expect((await runProcess("echo", ["$HOME", "*", "a;b"], { cwd })).stdout).toBe("$HOME * a;b\n");
    expect((await sh("exit 0", { input: "x".repeat(1_000_000) })).code).toBe(0);
  });

  it("[A6] reports why a program cannot be started", async () => {
    const file = put(`${temporary()}/script`, "echo");
    const run = (command: string, folder = cwd): Promise<unknown> => runProcess(command, [], { cwd: folder });
    await expect(run("no-such-program")).rejects.toThrow(
      '"no-such-program" cannot be started: it is not installed or not on PATH.',
    );
    await expect(run("ls", "/no/such")).rejects.toThrow('"ls" cannot be started: the folder /no/such does not exist.');
    await expect(run(file)).rejects.toThrow(
      `"${file}" cannot be started: it is not executable. Check its permissions.`,
    );
    await expect(runProcess("echo", ["x".repeat(3_000_000)], { cwd })).rejects.toThrow(
      '"echo" cannot be started: its arguments are too long.',
    );
    await expect(runProcess("echo", ["a\0b"], { cwd })).rejects.toThrow('"echo" cannot be started: ');
  });

  it("[P6] reports output as it arrives, in whole characters", async () => {
    const heard: string[] = [];
    const code = `const b = Buffer.from("aé"); process.stdout.write(b.subarray(0, 2));
      setTimeout(() => process.stdout.write(b.subarray(2)), 100)`;
    const { stdout } = await node(code, { onOutput: (text, stream) => heard.push(`${stream} ${text}`) });
    expect([stdout, heard]).toEqual(["aé", ["stdout a", "stdout é"]]);
    const half: string[] = [];
    await sh("printf '\\342\\202'", { onOutput: (text) => half.push(text) });
    expect(half).toEqual(["\ufffd"]);
  });

  it("[A6] keeps the beginning and the end of long output, with a notice", async () => {
    const code = 'process.stdout.write("a".repeat(1e6)); process.stdout.write("z".repeat(1e6))';
    const result = await node(code, { maxBytes: 10 });
    expect([result.stdout, result.truncated]).toEqual(["aaaaa\n[1999990 bytes left out here]\nzzzzz", true]);
  });

  it("[A6] cuts long output between characters", () => {
    const output = new BoundedOutput(7);
    for (const byte of Buffer.from("aéé€€b")) output.push(Buffer.from([byte]));
    expect(output.text()).toBe("aé\n[8 bytes left out here]\nb");
  });
});

describe("ending a program", () => {
  it("[A6] ends all its descendants, also orphans, however they handle signals", async () => {
    const script = "trap '' TERM; (sleep 61 & echo $!); sleep 60 & echo $!; echo $$; wait; sleep 60";
    const controller = new AbortController();
    let heard = "";
    const onOutput = (text: string): void => {
      heard += text;
      if (heard.trim().split("\n").length === 3) controller.abort();
    };
    expect(await sh(script, { signal: controller.signal, onOutput })).toMatchObject({
      code: null,
      signal: "SIGKILL",
      killed: true,
      timedOut: false,
    });
    expect(heard.trim().split("\n").map(Number).filter(isRunning)).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")(
    "[A6] ends descendants that left its group, its parent and its environment",
    async () => {
      const script = `(setsid sh -c 'trap "" TERM; echo $$; env -i sleep 61; :' &); env -i setsid sh -c 'echo $$; sleep 62'`;
      const controller = new AbortController();
      let heard = "";
      const onOutput = (text: string): void => {
        heard += text;
        if (heard.trim().split("\n").length === 2) controller.abort();
      };
      expect(await sh(script, { signal: controller.signal, onOutput })).toMatchObject({ code: null, killed: true });
      expect(heard.trim().split("\n").map(Number).filter(isRunning)).toEqual([]);
    },
  );

  it("[A6] starts none of the programs that still wait for their turn", async () => {
    const controller = new AbortController();
    const folder = temporary();
    const runs = Array.from({ length: 50 }, (_, index) =>
      sh(`touch ${index}`, { cwd: folder, signal: controller.signal }),
    );
    controller.abort();
    expect((await Promise.all(runs)).every(({ killed, code }) => killed && code === null)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("[A6] happens at its timeout", async () => {
    expect(await sh("echo a; sleep 60", { timeoutMs: 200 })).toMatchObject({
      code: null,
      signal: "SIGTERM",
      killed: true,
      timedOut: true,
    });
  });

  it("[A6] is never reported as success", async () => {
    const controller = new AbortController();
    const onOutput = (): void => controller.abort();
    const polite = 'process.on("SIGTERM", () => process.exit(0)); console.log("ready"); setInterval(() => {}, 1000)';
    expect(await node(polite, { signal: controller.signal, onOutput })).toMatchObject({
      code: null,
      signal: "SIGTERM",
      killed: true,
      timedOut: false,
    });
    expect(await sh("echo no", { signal: controller.signal })).toMatchObject({ stdout: "", code: null, killed: true });
    expect(await sh("kill -9 $$")).toMatchObject({ code: null, signal: "SIGKILL", killed: true, timedOut: false });
  });

  it("[A6] [P4] returns soon after an abort, and ends a descendant that keeps writing after the process has ended", async () => {
    const controller = new AbortController();
    const onOutput = (text: string): void => {
      if (text.includes("after")) controller.abort();
    };
    const script =
      "(while kill -0 $$; do sleep 0.01; done 2> /dev/null; while echo after; do sleep 0.05; done) & echo before";
    expect(await sh(script, { signal: controller.signal, onOutput })).toMatchObject({
      stdout: expect.stringMatching(/^before\n(after\n)*$/),
      code: 0,
      killed: false,
      leftRunning: false,
    });
  });

  it("[A6] neither waits for background processes after a normal exit, nor ends them", async () => {
    const result = await sh("echo before; sleep 60 & echo $!");
    const [before, pid] = result.stdout.trim().split("\n");
    expect([before, result.code, result.leftRunning]).toEqual(["before", 0, true]);
    expect(isRunning(Number(pid))).toBe(true);
    process.kill(Number(pid));
    while (isRunning(Number(pid))) await sleep(10);
    expect(await sh("yes & echo before")).toMatchObject({ code: 0, leftRunning: true });
  });
});
