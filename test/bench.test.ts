import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cpuOf, timeNode } from "../bench/child.ts";
import { type Contender, judge, measure, timesPeer } from "../bench/harness.ts";
import { cleanEnvironment } from "../bench/places.ts";
import { goalText, reportLines } from "../bench/report.ts";
import { median, percentile, ratioOf, shuffled, spreadOf } from "../bench/statistics.ts";

describe("bench statistics", () => {
  it("computes the median of odd and even counts in any order", () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it("interpolates percentiles linearly", () => {
    const values = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110];
    expect(percentile(values, 0)).toBe(10);
    expect(percentile(values, 0.1)).toBe(20);
    expect(percentile(values, 0.95)).toBe(105);
    expect(percentile(values, 1)).toBe(110);
  });

  it("computes the spread of values", () => {
    expect(spreadOf([1, 2, 3])).toEqual({ value: 2, low: 1.2, high: 2.8 });
  });

  it("computes the ratio of medians and the spread of ratios per round", () => {
    // In the last round the machine was ten times slower for both.
    const ratio = ratioOf([20, 22, 200], [10, 11, 100]);
    expect(ratio).toEqual({ value: 2, low: 2, high: 2 });
  });

  it("shuffles a copy of the list", () => {
    const values = [1, 2, 3, 4];
    expect(shuffled(values, () => 0)).toEqual([1, 2, 3, 4]);
    expect(shuffled(values, () => 0.999)).toEqual([4, 3, 2, 1]);
    expect(values).toEqual([1, 2, 3, 4]);
  });
});

describe("bench harness", () => {
  function contender(name: string, order: string[], values: number[]): Contender {
    return {
      name,
      async run() {
        order.push(name);
        return { wall: values.shift() ?? 0 };
      },
    };
  }

  it("runs every contender once per round in random order and drops the warm-up rounds", async () => {
    const order: string[] = [];
    const numbers = [0, 0, 0.9, 0, 0, 0];
    const bench = {
      contenders: [contender("a", order, [100, 2, 4]), contender("b", order, [100, 1, 2])],
      goals: [{ of: "a", measure: "wall", against: "b", atMost: 1.5 }],
      rounds: 2,
      warmUp: 1,
    };
    const outcome = await measure(bench, () => numbers.shift() ?? 0);
    expect(order).toEqual(["a", "b", "b", "a", "a", "b"]);
    expect(outcome.samples).toEqual({ a: [{ wall: 2 }, { wall: 4 }], b: [{ wall: 1 }, { wall: 2 }] });
    expect(outcome.verdicts).toEqual([{ goal: bench.goals[0], measured: { value: 2, low: 2, high: 2 }, met: false }]);
  });

  it("judges relative and absolute goals, and never accepts a missing measurement", () => {
    const samples = { a: [{ wall: 3, perSecond: 5000 }], b: [{ wall: 2 }] };
    expect(judge({ of: "a", measure: "wall", against: "b", atMost: 1.5 }, samples).met).toBe(true);
    expect(judge({ of: "a", measure: "wall", against: "b", atMost: 1.49 }, samples).met).toBe(false);
    expect(judge({ of: "a", measure: "perSecond", atLeast: 5000, unit: "calls/s" }, samples).met).toBe(true);
    expect(judge({ of: "a", measure: "wall", atMost: 2, unit: "ms" }, samples).met).toBe(false);
    expect(judge({ of: "a", measure: "cpu", against: "b", atMost: 1.5 }, samples).met).toBe(false);
    expect(judge({ of: "missing", measure: "wall", atMost: 1, unit: "ms" }, samples).met).toBe(false);
  });

  it("prints the measurements and the goals", async () => {
    const bench = {
      contenders: [contender("ours", [], [123.4]), contender("peer", [], [0.01234])],
      goals: [...timesPeer("ours", "peer", 3).slice(0, 1), { of: "ours", measure: "wall", atMost: 200, unit: "ms" }],
      rounds: 1,
      warmUp: 0,
    };
    expect(reportLines(await measure(bench))).toEqual([
      "      measure  median  p10     p90",
      "ours  wall        123     123     123",
      "peer  wall     0.0123  0.0123  0.0123",
      "",
      "goal                   measured  p10    p90",
      "ours: wall ≤ 3 × peer     10000  10000  10000  MISSED",
      "ours: wall ≤ 200 ms         123    123    123  met",
    ]);
    expect(goalText({ of: "call", measure: "perSecond", atLeast: 5000, unit: "calls/s" })).toBe(
      "call: perSecond ≥ 5000 calls/s",
    );
  });

  it("meets a goal with a margin by the ratio or by the difference", () => {
    const goal = { of: "ours", measure: "wall", against: "peer", atMost: 1.15, orPlus: 10 } as const;
    const met = (ours: number, peer: number): boolean =>
      judge(goal, { ours: [{ wall: ours }], peer: [{ wall: peer }] }).met;
    expect([met(1_100, 1_000), met(15, 5), met(16, 5), met(1_200, 1_000)]).toEqual([true, true, false, false]);
    expect(goalText(goal)).toBe("ours: wall ≤ 1.15 × peer or + 10");
  });
});

describe("bench processes", () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "bench-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("reads the CPU time that the shell prints", () => {
    expect(cpuOf("0.120 0.030\n")).toBeCloseTo(150);
    expect(cpuOf("")).toBeNaN();
  });

  it("includes the CPU time of grandchildren and separates stdout from stderr", async () => {
    const busy = "while (process.cpuUsage().user < 200_000); console.error('noise');";
    const program = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}], { stdio: "inherit" }); console.log("done");`;
    const { sample, stdout } = await timeNode(["-e", program], { cwd: folder, env: cleanEnvironment(folder) });
    expect(stdout).toBe("done\n");
    expect(sample.wall).toBeGreaterThan(150);
    expect(sample.cpu).toBeGreaterThan(150);
  });

  it("rejects with the exit code and stderr of a failed process", async () => {
    const failing = timeNode(["-e", "console.error('out of luck'); process.exit(3)"], { cwd: folder, env: {} });
    await expect(failing).rejects.toThrow("ended with 3: out of luck");
  });

  it("does not pass the developer's environment to measured processes", async () => {
    const program = "console.log(JSON.stringify(Object.keys(process.env).sort()))";
    const { stdout } = await timeNode(["-e", program], { cwd: folder, env: cleanEnvironment(folder) });
    const setByShell = ["PWD", "SHLVL", "_"];
    expect(JSON.parse(stdout)).toEqual(["HOME", "PATH", ...setByShell.slice(0, 2), "TMPDIR", "TOOLWRIGHT_HOME", "_"]);
  });
});
