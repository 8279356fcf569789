import { spawn } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { BAD, type Case, GOOD, LIMITS, PROBLEMS, REFUSED } from "../support/cases.ts";
import { makeFixture } from "../support/fixture.ts";
import { startedWith } from "../support/processes.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

describe("a folder of tools, good and bad, through the built command line", () => {
  const fixture = makeFixture({ limits: LIMITS });
  afterAll(fixture.remove);

  function toolwright(...args: string[]): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [CLI, ...args, "--cwd", fixture.project, "--trust", "--json"], {
        env: fixture.env,
        stdio: ["ignore", "pipe", "ignore"],
      });
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
      });
      child.on("error", reject).on("close", (code) => resolve({ code, stdout }));
    });
  }

  async function run({ tool, input = {}, says, code, timeoutMs }: Case): Promise<void> {
    const limit = timeoutMs === undefined ? [] : ["--timeout", String(timeoutMs)];
    const ended = await toolwright("run", tool, "--input", JSON.stringify(input), ...limit);
    const answer = JSON.parse(ended.stdout);
    expect(answer.output).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says);
    expect(answer.ok).toBe(code === undefined);
    expect(answer.error?.code).toBe(code);
    expect(
      Object.keys(answer).filter((key) => !["ok", "output", "content", "data", "error", "notes"].includes(key)),
    ).toEqual([]);
    expect(ended.code).toBe(exitCode(code));
    await expect.poll(() => startedWith(fixture.home)).toEqual([]);
  }

  it("[D5] [U1] list reports every problem and exits 0", async () => {
    // check waits for every import and caches the result; list waits 3 s at the longest.
    await toolwright("check");
    const ended = await toolwright("list");
    const { tools, problems, shadowed, blocked, ...rest } = JSON.parse(ended.stdout);
    expect([ended.code, shadowed, blocked, rest]).toEqual([0, [], [], { loading: [], misplaced: [], warnings: [] }]);
    expect(problems.map((problem: { file: string; code: string }) => [basename(problem.file), problem.code])).toEqual(
      PROBLEMS.map(([file, , problem]) => [file, problem]),
    );
    expect(tools.map(({ name }: { name: string }) => name)).toContain("greet_loudly");
  });

  it.each([...GOOD])("[U1] $tool $input returns its result", run);
  it.each([...REFUSED])("[U1] [P2] $tool $input is refused before it runs", run);
  it.each([...BAD])("[P4] [P5] $tool fails in time and leaves no process behind", run);
});

function exitCode(code: Case["code"]): number {
  if (code === undefined) return 0;
  return code === "invalid_input" || code === "unknown_tool" ? 2 : 1;
}
