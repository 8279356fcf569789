import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/surfaces/http/client/index.ts";
import { ending } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { readyServe } from "../support/http-command.ts";
import { calling, INITIALIZE } from "../support/mcp-client.ts";
import { isRunning, startedWith } from "../support/processes.ts";

const MAIN = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));
const INDEX = new URL("../../src/index.ts", import.meta.url).href;

/** Starts a detached process, writes its id to a file, and does not react to an abort. */
const LEAVES = `import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
export default {
  description: "Starts something, and waits.",
  async execute(_, { directory }) {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
    writeFileSync(directory + "/pid.part", String(child.pid));
    renameSync(directory + "/pid.part", directory + "/pid");
    await new Promise((done) => setTimeout(done, 1_000_000));
  },
};
`;

const SIGNALS: Record<string, readonly NodeJS.Signals[]> = {
  "two SIGINTs": ["SIGINT", "SIGINT"],
  "SIGTERM after SIGINT": ["SIGINT", "SIGTERM"],
  "three SIGINTs": ["SIGINT", "SIGINT", "SIGINT"],
};

describe("[P5] no process of a running tool is left, however Toolwright exits", () => {
  for (const [name, signals] of Object.entries(SIGNALS)) {
    it(`[P5] mcp: ${name}`, async () => {
      const at = sandbox({ "leaves.mjs": LEAVES });
      const child = start(at, [MAIN, "mcp", "--trust"]);
      const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
      for (const each of [INITIALIZE, initialized, calling(1, "leaves")])
        child.stdin?.write(`${JSON.stringify(each)}\n`);
      const gone = await begun(at);
      const { code } = await told(child, signals);
      expect(code).toBe(signals[1] === "SIGTERM" ? 143 : 130);
      await gone();
    });

    it(`[P5] run: ${name}`, async () => {
      const at = sandbox({ "leaves.mjs": LEAVES });
      const child = start(at, [MAIN, "run", "leaves", "--trust"]);
      const gone = await begun(at);
      const { code } = await told(child, signals);
      expect(code).toBe(signals[1] === "SIGTERM" ? 143 : 130);
      await gone();
    });
  }

  it("[P5] serve: two SIGINTs", async () => {
    const at = sandbox({ "leaves.mjs": LEAVES });
    const server = await readyServe(at);
    const cut = expect(createClient(server).tools.run("leaves")).rejects.toThrow();
    const gone = await begun(at);
    server.child.kill("SIGINT");
    await server.untilSaid("Press Ctrl-C again");
    server.child.kill("SIGINT");
    expect((await server.ended).code).toBe(130);
    await cut;
    await gone();
  });

  it.each([
    ["calls process.exit", "process.exit(3)", 3],
    ["throws an uncaught error", 'throw new Error("ours")', 1],
  ])("[P5] a program with a toolbox that %s", async (_what, ends, code) => {
    const at = sandbox({ "leaves.mjs": LEAVES });
    const program = join(at.root, "program.mjs");
    writeFileSync(
      program,
      `import { createToolbox } from ${JSON.stringify(INDEX)};
const toolbox = await createToolbox({ trust: true, builtins: false });
toolbox.call({ name: "leaves" });
process.stdin.once("data", () => { ${ends}; });
`,
    );
    const child = start(at, [program]);
    const gone = await begun(at);
    child.stdin?.write("now\n");
    expect((await ending(child)).code).toBe(code);
    await gone();
  });
});

it("[P8] a call is in the audit log even if the program exits right after it", async () => {
  const at = sandbox({ "greets.mjs": `export default { description: "Greets.", execute: () => "hello" };` });
  const program = join(at.root, "program.mjs");
  writeFileSync(
    program,
    `import { createToolbox } from ${JSON.stringify(INDEX)};
const toolbox = await createToolbox({ trust: true, builtins: false });
await toolbox.call({ name: "greets" }).result;
process.exit(0);
`,
  );
  expect((await ending(start(at, [program]))).code).toBe(0);
  const log = readFileSync(join(at.env.TOOLWRIGHT_HOME as string, "audit.log"), "utf8");
  expect(JSON.parse(log)).toMatchObject({ tool: "greets", ok: true });
});

function start(at: Sandbox, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [...args], { cwd: at.project, env: at.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Signals a process several times, each time a little later, as a person does. */
async function told(child: ChildProcess, signals: readonly NodeJS.Signals[]): Promise<{ code: number | null }> {
  const ended = ending(child);
  for (const signal of signals) {
    child.kill(signal);
    await sleep(20);
  }
  return ended;
}

/** Waits until the tool has started a process. Returns a function that waits until no process is left. */
async function begun(at: Sandbox): Promise<() => Promise<void>> {
  const file = join(at.project, "pid");
  while (!existsSync(file)) await sleep(20);
  const pid = Number(readFileSync(file, "utf8"));
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, "SIGKILL");
  });
  return async () => {
    while (startedWith(at.home).length > 0) await sleep(20);
  };
}
