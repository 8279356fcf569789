import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs the suite of coding agents several times, one agent at a time, and prints a table:
 * `node test/coding-agent-rounds.mjs claude langchain 10`. With `--load`, every processor is kept busy meanwhile.
 */
const args = process.argv.slice(2);
const isLoaded = args.includes("--load");
const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? process.env.ROUNDS ?? 10);
const agents = args.filter((arg) => !/^\d+$/.test(arg) && arg !== "--load");
if (agents.length === 0) throw new Error("Name the agents: node test/coding-agent-rounds.mjs claude 10");

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolwright-rounds-"));
const output = join(folder, "report.json");
const busy = isLoaded ? Array.from({ length: availableParallelism() }, keepBusy) : [];
const lines = [];
const failures = new Map();

try {
  for (const agent of agents) {
    const all = Array.from({ length: rounds }, (_, index) => run(agent, index + 1));
    const seconds = all.map(({ seconds }) => seconds).sort((one, other) => one - other);
    const good = all.filter(({ failed, passed }) => failed === 0 && passed > 0).length;
    const calls = all[0]?.passed ?? 0;
    lines.push(`| ${agent} | ${calls} | ${good} of ${rounds} | ${seconds[0]} to ${seconds.at(-1)} s |`);
  }
} finally {
  for (const child of busy) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

console.log(
  `\n| agent | tests | rounds without a failure | time of a round${isLoaded ? ", loaded" : ""} |\n|---|---|---|---|`,
);
console.log(lines.join("\n"));
for (const [title, times] of failures) console.log(`${times} times: ${title}`);
process.exitCode = failures.size > 0 ? 1 : 0;

function run(agent, round) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const file = [`test/e2e/coding-agents/${agent}.test.ts`, `test/slow/${agent}-coding-agent.test.ts`].find((each) =>
    existsSync(join(root, each)),
  );
  if (!file) throw new Error(`There is no test/e2e/coding-agents/${agent}.test.ts.`);
  const started = performance.now();
  spawnSync(process.execPath, [vitest, "run", file, "--reporter=json", `--outputFile=${output}`], {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, ALL: "1" },
  });
  const { testResults } = JSON.parse(readFileSync(output, "utf8"));
  rmSync(output);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === "failed");
  for (const { fullName, failureMessages } of failed) {
    failures.set(fullName, (failures.get(fullName) ?? 0) + 1);
    console.log(`round ${round}, ${fullName}\n  ${String(failureMessages[0]).split("\n").slice(0, 3).join("\n  ")}`);
  }
  const isBroken = testResults.some(({ status }) => status === "failed") && failed.length === 0;
  if (isBroken) failures.set(`${agent}: the file`, (failures.get(`${agent}: the file`) ?? 0) + 1);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${agent}, round ${round}: ${passed} passed, ${failed.length} failed, ${seconds} s`);
  return { passed, failed: failed.length + (isBroken ? 1 : 0), seconds };
}

function keepBusy() {
  return spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" });
}
