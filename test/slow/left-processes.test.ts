import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/surfaces/http/client/index.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { readyServe } from "../support/http-command.ts";
import { descendants, hosts, isRunning, startedWith } from "../support/processes.ts";
import { LEAVES_ALL, untilAllRun, untilNoneRuns, untilNoneWaits } from "../support/ways-to-leave.ts";

const PROGRAM = fileURLToPath(new URL("../support/leaving-program.ts", import.meta.url));

/** Leaves its processes and ends, or waits. */
const SCRIPT = { ends: `${LEAVES_ALL}\nsleep 0.2`, waits: `${LEAVES_ALL}\nsleep 500` };

/** An MCP server that leaves processes when it starts. */
const SERVER = `const { spawn } = require("node:child_process");
spawn("bash", ["leave.sh"], { stdio: "ignore" });
const answers = {
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "tools/list": { tools: [{ name: "look", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "seen" }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (answers[method]) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }));
});
`;

const TS = (wait: string): string => `import { spawn } from "node:child_process";
export default { description: "Leaves processes.", async execute() {
  spawn("bash", ["leave.sh"], { detached: true, stdio: "ignore" }).unref();
  await new Promise((done) => setTimeout(done, ${wait}));
} };`;

interface Starter {
  readonly tool: string;
  readonly input?: object;
  readonly files?: Record<string, string>;
  readonly settings?: object;
}

const RUNS_SCRIPT = { command: "bash leave.sh", description: "Leaves" };

const STARTERS: Record<string, Starter> = {
  bash: { tool: "bash", input: RUNS_SCRIPT },
  "a JSON shell tool": {
    tool: "leave",
    files: {
      ".toolwright/tools/leaving.json": JSON.stringify({
        name: "leaving",
        tools: [
          {
            name: "leave",
            description: "Leaves.",
            inputSchema: { type: "object", properties: {} },
            handler: { type: "shell", command: "bash leave.sh" },
          },
        ],
      }),
    },
  },
  "a TypeScript tool": { tool: "leave", files: { ".toolwright/tools/leave.ts": TS("300") } },
  "a hook in the settings": {
    tool: "workspace-info",
    settings: { hooks: { before: [{ tool: "*", command: "bash leave.sh" }] } },
  },
  "an MCP server": {
    tool: "s_look",
    settings: { mcp: { import: true } },
    files: { ".mcp.json": JSON.stringify({ mcpServers: { s: { command: process.execPath, args: ["server.cjs"] } } }) },
  },
};

function project({ files = {}, settings = {} }: Starter, script: string = SCRIPT.ends): Sandbox {
  const at = sandbox();
  const all = { "leave.sh": script, "server.cjs": SERVER, ...files };
  for (const [path, text] of Object.entries(all)) {
    const file = join(at.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "settings.json"), JSON.stringify({ ...settings, mode: "bypass" }));
  onTestFinished(() => {
    for (const line of startedWith(at.home)) killLine(line);
  });
  return at;
}

function startProgram(at: Sandbox, isolation: string, { tool, input = {} }: Starter): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, isolation, tool, JSON.stringify(input)], {
    cwd: at.project,
    env: at.env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function saysDone(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.stdout?.once("data", (text) => resolve(String(text))));
}

/** `line`: as `startedWith` returns it. */
function killLine(line: string): void {
  const pid = Number.parseInt(line, 10);
  if (isRunning(pid)) process.kill(pid, "SIGKILL");
}

const say =
  (line: string) =>
  (child: ChildProcess): void =>
    void child.stdin?.write(`${line}\n`);
const signal =
  (name: NodeJS.Signals) =>
  (child: ChildProcess): void =>
    void child.kill(name);

const ENDINGS: Record<string, (child: ChildProcess) => void> = {
  "is killed by SIGKILL": signal("SIGKILL"),
  "is ended by SIGTERM": signal("SIGTERM"),
  "calls process.exit": say("calls process.exit"),
  "throws an error": say("throws an error"),
};

describe("[B1] [P5] a process that a successful call leaves in the background lives until Toolwright exits", () => {
  for (const [from, starter] of Object.entries(STARTERS)) {
    it(`${from}: until the toolbox is closed`, async () => {
      const at = project(starter);
      const child = startProgram(at, "shared", starter);
      expect(await saysDone(child)).toBe("done\n");
      await untilAllRun(at.home);
      say("closes the toolbox")(child);
      child.stdin?.end();
      await untilNoneRuns(at.home);
    });

    for (const [ending, end] of Object.entries(ENDINGS)) {
      it(`${from}: until the program ${ending}`, async () => {
        const at = project(starter);
        const child = startProgram(at, "shared", starter);
        expect(await saysDone(child)).toBe("done\n");
        await untilAllRun(at.home);
        end(child);
        await untilNoneRuns(at.home);
      });
    }
  }

  it.each(Object.keys(STARTERS).filter((from) => from !== "a hook in the settings"))(
    "%s: until its host is killed",
    async (from) => {
      const starter = STARTERS[from] as Starter;
      const at = project(starter);
      const child = startProgram(at, "shared", starter);
      await saysDone(child);
      await untilAllRun(at.home);
      for (const line of hosts(child.pid)) killLine(line);
      await untilNoneWaits(at.home);
    },
  );

  it.each(["closes the toolbox", "is killed by SIGKILL"])(
    "bash in the process of the program: until the program %s",
    async (ending) => {
      const starter = STARTERS.bash as Starter;
      const at = project(starter);
      const child = startProgram(at, "none", starter);
      expect(await saysDone(child)).toBe("done\n");
      await untilAllRun(at.home);
      (ENDINGS[ending] ?? say(ending))(child);
      child.stdin?.end();
      await untilNoneRuns(at.home);
    },
  );

  it.each<NodeJS.Signals>(["SIGTERM", "SIGKILL", "SIGINT"])("serve: until %s", async (name) => {
    const starter = STARTERS["a TypeScript tool"] as Starter;
    const at = project(starter);
    const server = await readyServe(at);
    await createClient(server).tools.run("leave");
    await untilAllRun(at.home);
    server.child.kill(name);
    await untilNoneRuns(at.home);
  });
});

const STARTS_GUARDED = `import { startGuarded } from ${JSON.stringify(new URL("../../src/platform/processes/start-guarded.ts", import.meta.url).href)};
const program = startGuarded(["bash", "leave.sh"], { cwd: process.cwd(), env: process.env });
process.stdin.on("data", () => program.end().then(() => process.exit()));`;

describe("[G7] what the program of an agent leaves ends with the agent", () => {
  const endings: Record<string, (child: ChildProcess) => void> = {
    "is killed by SIGKILL": signal("SIGKILL"),
    "is ended by SIGTERM": signal("SIGTERM"),
    "ends the agent": say("end"),
    "is killed after its guard process": (child) => {
      const guards = descendants(child.pid).filter((line) => line.includes("guard-process"));
      expect(guards).toHaveLength(1);
      for (const line of guards) killLine(line);
      setTimeout(() => child.kill("SIGKILL"), 1_000);
    },
  };

  it.each(
    Object.keys(endings).flatMap((ending) =>
      Object.keys(SCRIPT).map((script) => [ending, script as keyof typeof SCRIPT] as const),
    ),
  )("when Toolwright %s, and the agent %s", async (ending, script) => {
    const at = project({ tool: "" }, SCRIPT[script]);
    const child = spawn(process.execPath, ["--input-type=module", "-e", STARTS_GUARDED], {
      cwd: at.project,
      env: at.env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await untilAllRun(at.home);
    endings[ending]?.(child);
    await untilNoneRuns(at.home);
  });
});

describe("[B1] [P4] processes of a call that is stopped end at once", () => {
  it.each<[string, object, string]>([
    ["aborted", RUNS_SCRIPT, "aborts the call"],
    ["timed out", { ...RUNS_SCRIPT, timeout: 1_500 }, ""],
  ])("bash, %s", async (_how, input, line) => {
    const starter = { tool: "bash", input };
    const at = project(starter, SCRIPT.waits);
    const child = startProgram(at, "shared", starter);
    const done = saysDone(child);
    await untilAllRun(at.home);
    say(line)(child);
    await done;
    await untilNoneWaits(at.home);
    say("closes the toolbox")(child);
    child.stdin?.end();
    await untilNoneRuns(at.home);
  });

  it("a running command ends with a program that is killed", async () => {
    const starter = STARTERS.bash as Starter;
    const at = project(starter, SCRIPT.waits);
    const child = startProgram(at, "shared", starter);
    await untilAllRun(at.home);
    child.kill("SIGKILL");
    await untilNoneRuns(at.home);
  });

  it("a host whose main thread is blocked ends what it has started when the program is killed", async () => {
    const code = `import { spawnSync } from "node:child_process";
export default { description: "Blocks.", execute: () => void spawnSync("bash", ["leave.sh"], { stdio: "ignore" }) };`;
    const starter = { tool: "leave", files: { ".toolwright/tools/leave.ts": code } };
    const at = project(starter, SCRIPT.waits);
    const child = startProgram(at, "shared", starter);
    await untilAllRun(at.home);
    child.kill("SIGKILL");
    await untilNoneRuns(at.home);
  });
});

describe("[X1] only processes of the toolbox end", () => {
  it("not those of another toolbox of the same user", async () => {
    const starter = STARTERS.bash as Starter;
    const [first, second] = [project(starter), project(starter)];
    const [one, other] = [startProgram(first, "shared", starter), startProgram(second, "shared", starter)];
    await Promise.all([saysDone(one), saysDone(other)]);
    await untilAllRun(first.home);
    one.kill("SIGKILL");
    await untilNoneRuns(first.home);
    await untilAllRun(second.home);
    other.kill("SIGKILL");
    await untilNoneRuns(second.home);
  });

  it("of a process that left with an emptied environment, nothing is known: it stays", async () => {
    const starter = {
      tool: "bash",
      input: { command: "(env -i setsid sleep 6100 > /dev/null 2>&1 & echo $!)", description: "Leaves" },
    };
    const at = project(starter);
    const child = startProgram(at, "shared", starter);
    await saysDone(child);
    const all = descendants(1).filter((line) => line.trimEnd().endsWith(" sleep 6100"));
    const [pid = 0] = all.map((line) => Number.parseInt(line, 10));
    onTestFinished(() => killLine(String(pid)));
    say("closes the toolbox")(child);
    child.stdin?.end();
    await untilNoneRuns(at.home);
    expect(isRunning(pid)).toBe(true);
  });
});
