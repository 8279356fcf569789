import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { knownAgents } from "../../src/agents/run/known-agents.ts";
import type { Mode } from "../../src/core/permission-mode.ts";
import { createToolbox } from "../../src/index.ts";
import { CLI, type CliOptions, cli, type Ended, ending, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { isRunning, startedWith } from "../support/processes.ts";
import { answering } from "../support/toolbox.ts";

beforeAll(ensureBuilt);

function chat(at: Sandbox, args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  return cli(at, ["chat", ...args], options);
}

/** Runs a script of the demo agent. */
function demo(at: Sandbox, script: string, ...args: readonly string[]): Promise<Ended> {
  return chat(at, ["--agent", "demo", "-p", script, ...args]);
}

function withSettings(settings: object, at: Sandbox = sandbox()): Sandbox {
  mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(settings));
  return at;
}

type Event = Record<string, unknown> & { readonly type: string; readonly sessionID?: string };

function eventsOf({ stdout }: Ended): Event[] {
  expect(stdout.endsWith("\n")).toBe(true);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Waits until stdout or stderr has this text. */
  until(text: string): Promise<void>;
}

function start(at: Sandbox, args: readonly string[]): Started {
  const child = spawn(process.execPath, [CLI, "chat", "--agent", "demo", ...args], { cwd: at.project, env: at.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const heard = (text: Buffer): void => {
    said += text.toString();
  };
  child.stdout.on("data", heard);
  child.stderr.on("data", heard);
  const until = async (text: string): Promise<void> => {
    for (let times = 0; times < 600 && !said.includes(text); times++) await sleep(50);
    expect(said).toContain(text);
  };
  return { child, ended: ending(child), until };
}

async function sessionsOf(at: Sandbox): Promise<Event[]> {
  return json<{ sessions: Event[] }>(await cli(at, ["sessions", "--json"])).sessions;
}

const RESUME = /^To continue: toolwright chat --resume ([\w-]+) -p "…"$/m;

function idOf({ stderr }: Ended): string {
  return RESUME.exec(stderr)?.[1] ?? "";
}

/** The bash tool of the script, with a command. */
const bash = (command: string): string => `call bash ${JSON.stringify({ command, description: "A test" })}`;

describe("[U2] chat -p", () => {
  it("[U2] prints the text on stdout, and calls and the command that continues on stderr", async () => {
    const at = sandbox();
    const ended = await chat(at, ["--agent", "demo", "-p", "Hello there"]);
    expect(ended).toMatchObject({
      code: 0,
      stdout: `You wrote: Hello there\nThe tool workspace-info answered: this project is ${at.project}.\n`,
    });
    expect(ended.stderr).toMatch(/^call: workspace-info \{\}\ndone: workspace-info \(\d+\.\d s\)\nTo continue: .*\n$/);
    const show = await cli(at, ["sessions", "show", idOf(ended)]);
    expect(show).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello there") });
  });

  it("[U2] -q prints only the text; texts of one message are joined, messages end with a line break", async () => {
    const at = sandbox();
    const ended = await demo(at, "say a\nsay b \\x1b\ncall list\nsay c\n\nnonsense", "-q");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toBe(
      'a\nb \\x1b\nc\nLine 6 of the script is wrong: "nonsense" is not a command. Commands: call NAME {json}, say TEXT, sleep MS.\n',
    );
  });

  it("[U2] --json prints events as lines; the last is session.idle with the text", async () => {
    const ended = await demo(sandbox(), "say one\ncall list\nsay last text", "--json");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const events = eventsOf(ended);
    const types = events.map(({ type }) => type).filter((type) => type !== "state.set" && type !== "message.delta");
    expect(types).toEqual([
      "message.user",
      "message.complete",
      "tool.start",
      "tool.complete",
      "message.complete",
      "session.idle",
    ]);
    const [{ sessionID } = { sessionID: "" }] = events;
    expect(events.every((event) => event.sessionID === sessionID && typeof sessionID === "string")).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "session.idle", sessionID, text: "last text" });
    const deltas = events.filter(({ type }) => type === "message.delta");
    expect(deltas.map(({ text }) => text).join("|")).toContain("last |text");
  });

  it("[U2] a turn without a text has an empty one in JSON", async () => {
    expect(eventsOf(await demo(sandbox(), "sleep 1", "--json")).at(-1)).toMatchObject({
      type: "session.idle",
      text: "",
    });
  });

  it("[U2] streams: the text is there before the turn ends", async () => {
    const { child, until, ended } = start(sandbox(), ["-p", "say early\nsleep 1000000"]);
    await until("early");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stdout: "early\n" });
  });

  it.each<[string, readonly string[]]>([
    ["without -p", []],
    ["with -p -", ["-p", "-"]],
  ])("[U2] reads the prompt from a pipe %s", async (_, args) => {
    const at = withSettings({ agents: { default: "demo" } });
    expect(await chat(at, args, { input: "say from stdin\nsay two" })).toMatchObject({
      code: 0,
      stdout: "from stdin\ntwo\n",
    });
  });

  const NO_PROMPT =
    'Missing prompt. The interactive chat needs a terminal for input and output, and no --json. Pass a prompt: toolwright chat -p "PROMPT", or pipe it to stdin.';

  it.each<[string, readonly string[], string | undefined, string, string]>([
    ["no prompt", ["--agent", "demo"], undefined, "usage", NO_PROMPT],
    ["an empty prompt", ["--agent", "demo", "-p", " "], undefined, "usage", "The prompt is empty."],
    ["an empty stdin", ["--agent", "demo"], "", "usage", "The prompt on stdin is empty."],
    [
      "a prompt without -p",
      ["--agent", "demo", "hello"],
      undefined,
      "usage",
      'Unexpected argument "hello". Pass the prompt with -p: toolwright chat [--agent NAME] [-p "PROMPT"] [options]',
    ],
    [
      "an unknown agent",
      ["--agent", "dmo", "-p", "x"],
      undefined,
      "unknown_agent",
      'There is no agent "dmo". Did you mean "demo"? Known agents: ',
    ],
    [
      "no agent",
      ["-p", "x"],
      undefined,
      "unknown_agent",
      'No agent is named. Add --agent NAME, or set "agents": { "default": "NAME" } in your settings. Agents: ',
    ],
    [
      "a mistyped mode",
      ["--agent", "demo", "-p", "x", "--mode", "acceptedit"],
      undefined,
      "usage",
      'There is no mode "acceptedit". Did you mean "acceptEdits"?',
    ],
    [
      "a URL that is none",
      ["--agent", "demo", "-p", "x", "--base-url", "localhost:1"],
      undefined,
      "usage",
      '--base-url takes an http or https URL, not "localhost:1".',
    ],
    [
      "an unknown session",
      ["--resume", "nope", "-p", "x"],
      undefined,
      "session_not_found",
      'There is no session "nope" in this project.',
    ],
    [
      "no session to continue",
      ["--resume", "-p", "x"],
      undefined,
      "session_not_found",
      "No session with an agent was begun in this directory. To list those of the project: toolwright sessions",
    ],
    ["an unknown option", ["--agnet", "x"], undefined, "usage", "Unknown option --agnet. Did you mean"],
  ])("[U2] wrong use is 2, with an event for --json: %s", async (_, args, input, code, message) => {
    const at = sandbox();
    const options = input === undefined ? {} : { input };
    const text = await chat(at, args, options);
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toContain(message);
    const ended = await chat(at, [...args, "--json"], options);
    expect(ended.code).toBe(2);
    const [event, ...more] = eventsOf(ended);
    expect(more).toEqual([]);
    expect(event).toEqual({ type: "session.error", code, message: expect.stringContaining(message) });
    expect(await sessionsOf(at)).toEqual([]);
  });

  it("[U2] an agent that is not installed: the command that installs it, and a session that can be continued", async () => {
    const at = withSettings({ agents: { modules: "~/agents" } });
    const message = `The package @anthropic-ai/claude-agent-sdk is not installed. Install it: npm install --prefix ${at.home}/agents @anthropic-ai/claude-agent-sdk@`;
    const ended = await chat(at, ["--agent", "claude", "-p", "Hello"]);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`error: ${message}`) });
    const last = eventsOf(await chat(at, ["--agent", "claude", "-p", "x", "--json"])).at(-1);
    expect(last).toMatchObject({ type: "session.error", code: "not_installed", text: "" });
    expect(last?.message).toContain(message);
    expect((await cli(at, ["sessions", "show", idOf(ended)])).stdout).toContain("is not installed");
    expect(await chat(at, ["--agent", "demo", "--resume", idOf(ended), "-p", "say on"])).toMatchObject({
      code: 0,
      stdout: "on\n",
    });
  });

  it("[U2] an agent that sends nothing for too long fails the turn with 1", async () => {
    const at = withSettings({ agents: { idleMs: 100 } });
    const ended = await demo(at, "say first\nsleep 1000000", "--json");
    expect(ended.code).toBe(1);
    expect(eventsOf(ended).at(-1)).toMatchObject({ type: "session.error", code: "no_answer", text: "first" });
    expect(await sessionsOf(at)).toMatchObject([{ status: "error" }]);
  });

  it("[U2] a tool file's problem and an untrusted project are noted on stderr", async () => {
    const at = sandbox({ "bad.ts": "export default {", "mine.ts": answering('"mine"') });
    const untrusted = await demo(at, "call mine\nsay on");
    expect(untrusted.stderr).toContain(`note: ${at.project} is not trusted, so its tools are not served.`);
    const trusted = await demo(at, "call mine\nsay on", "--trust", "--allow", "mine");
    expect(trusted.stderr).toContain("note: One tool file has a problem. To see it, run: toolwright check\n");
    expect(trusted.stderr).toContain("done: mine (");
  });

  it("[K1] a project cannot choose the agent", async () => {
    const at = sandbox();
    writeFileSync(join(at.project, ".toolwright/settings.json"), '{ "agents": { "default": "demo" } }');
    const ended = await chat(at, ["-p", "say x", "--trust"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("a project cannot choose the programs that run as agents. It is ignored.");
  });
});

describe("[U2] [P3] permissions of chat -p", () => {
  const HINT = "Calls were refused, because with -p no person can be asked. To allow them, add: --allow bash";

  it.each<[string, readonly string[], boolean]>([
    ["nothing allows it", [], false],
    ["--allow", ["--allow", "bash"], true],
    ["--allow with a wildcard, among others", ["--allow", "x", "--allow", "ba*"], true],
    ["--allow of another tool", ["--allow", "list"], false],
    ["--mode bypass", ["--mode", "bypass"], true],
    ["--mode plan", ["--mode", "plan"], false],
    ["--mode plan, which --allow does not change", ["--mode", "plan", "--allow", "bash"], false],
  ])("[P3] %s", async (_, args, runs) => {
    const at = sandbox();
    const ended = await demo(at, `${bash("touch made")}\nsay on`, ...args);
    expect(ended).toMatchObject({ code: 0, stdout: "on\n" });
    expect(existsSync(join(at.project, "made"))).toBe(runs);
    expect(ended.stderr).toMatch(runs ? /^done: bash/m : /^failed: bash: "bash" was not allowed to run\./m);
    expect(ended.stderr.includes(HINT)).toBe(!runs && !args.includes("plan"));
  });

  it("[P3] --allow comes after the user's rules; a project can still deny", async () => {
    const denied = withSettings({ permissions: [{ tool: "bash", action: "deny" }] });
    expect((await demo(denied, bash("true"), "--allow", "bash")).stderr).toContain("done: bash");
    const at = sandbox();
    const settings = { permissions: [{ tool: "bash", action: "deny" }] };
    writeFileSync(join(at.project, ".toolwright/settings.json"), JSON.stringify(settings));
    const ended = await demo(at, bash("true"), "--allow", "*", "--mode", "bypass", "--trust");
    expect(ended.stderr).toContain("failed: bash:");
    expect(ended.stderr).not.toContain("To allow them");
  });

  it("[P3] acceptEdits allows edits in the project; what only a rule can allow gets no hint", async () => {
    const at = sandbox();
    const write = (filePath: string): string => `call write ${JSON.stringify({ filePath, content: "x" })}`;
    const ended = await demo(at, `${write("a.txt")}\n${write(join(at.home, "b.txt"))}`, "--mode", "acceptEdits");
    expect(readFileSync(join(at.project, "a.txt"), "utf8")).toBe("x");
    expect(existsSync(join(at.home, "b.txt"))).toBe(false);
    expect(ended.stderr).not.toContain("To allow them");
  });

  it("[U2] --tools shows the model only these tools, built-in ones included, also in later turns", async () => {
    const at = sandbox({ "greet.ts": answering('"Hi!"'), "part.ts": answering('"no"') });
    const script = 'call greet {}\ncall part {}\ncall glob {"pattern":"*.none"}\ncall list {}\nsay on';
    const first = await demo(at, script, "--trust", "--allow", "*", "--tools", "gre*,glob", "--tools", "globb");
    const results = ["done: greet", 'failed: part: "part" is not one of your tools', "done: glob", "failed: list:"];
    for (const result of results) expect(first.stderr).toContain(result);
    expect(first.stderr).toContain('note: --tools: no tool is called "globb". Did you mean "glob"?');
    const second = await demo(at, script, "--trust", "--allow", "*", "--resume", idOf(first));
    for (const result of results) expect(second.stderr).toContain(result);
    const wrong = await demo(at, "say x", "--tools", "a b");
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--tools takes a comma-separated list of tools, not "a b".'),
    ]);
  });

  it("[P3] a name of --allow that no tool has is noted, but not one of an agent's own tools", async () => {
    const { stderr } = await demo(sandbox(), "say x", "--allow", "bsh", "--allow", "claude:Bash");
    expect(stderr).toContain('note: --allow: no tool is called "bsh". Did you mean "bash"?\n');
    expect(stderr).not.toContain("claude:Bash");
  });
});

describe("[P3] [B9] chat -p --resume", () => {
  const REFUSED = "No person can be asked here, so it was refused.";
  /** Begins a session by another process, which chooses the mode. */
  const begun = async (at: Sandbox, mode: Mode, prompt = "say one"): Promise<{ id: string; text: string }> => {
    const options = { cwd: at.project, env: at.env, sessions: "disk", agents: knownAgents } as const;
    await using toolbox = await createToolbox(options);
    const id = crypto.randomUUID();
    return { id, text: (await toolbox.sessions.send(id, prompt, { agent: "demo", mode }).result).text };
  };

  it.each<[Mode, readonly string[], boolean]>([
    ["bypass", [], false],
    ["bypass", ["--mode", "default"], false],
    ["bypass", ["--mode", "plan"], false],
    ["bypass", ["--mode", "bypass"], true],
    ["plan", ["--mode", "bypass"], true],
    ["plan", ["--allow", "bash"], false],
    ["default", ["--allow", "bash"], true],
  ])("of a session with the mode %s, with %j: runs a command: %j", async (mode, args, runs) => {
    const at = sandbox();
    const { id } = await begun(at, mode);
    const ended = await chat(at, ["--resume", id, "-p", bash("echo ran > ran.txt"), ...args]);
    expect({ runs: existsSync(join(at.project, "ran.txt")), stderr: ended.stderr }).toMatchObject({ runs });
    if (mode === "bypass" && args.length === 0) expect(ended.stderr).toContain(REFUSED);
  });

  it("of a sub-agent's session keeps its tools and denials, with the mode bypass too", async () => {
    const reader = { agent: "demo", tools: ["read"], description: "Reads." };
    const permissions = [{ tool: "bash", agent: "general", action: "deny" }];
    const at = withSettings({ subagents: { reader }, permissions });
    for (const [kind, message] of [
      ["reader", '"bash" is not one of your tools'],
      ["general", 'rule {"tool":"bash","agent":"general","action":"deny"}'],
    ] as const) {
      const work = { description: "Work", prompt: "say two", subagent_type: kind };
      const { id } = await begun(at, "bypass", `call task ${JSON.stringify(work)}`);
      const { sessions } = json<{ sessions: { id: string; parent?: { sessionID: string } }[] }>(
        await cli(at, ["sessions", "--json"]),
      );
      const sub = sessions.find(({ parent }) => parent?.sessionID === id)?.id ?? "";
      expect(
        json<{ id: string }>(await cli(at, ["sessions", "branch", sub, "--as", `${kind}-2`, "--json"])),
      ).toBeDefined();
      for (const session of [sub, `${kind}-2`]) {
        const ended = await chat(at, ["--resume", session, "-p", bash("echo ran > ran.txt"), "--mode", "bypass"]);
        expect(ended.stderr).toContain(message);
      }
    }
    expect(existsSync(join(at.project, "ran.txt"))).toBe(false);
  });
});

describe("[U2] chat --resume", () => {
  it("[U2] [S2] continues a session by its id, or the last one of the directory, with its agent", async () => {
    const at = sandbox();
    const first = await demo(at, "say one");
    const second = await demo(at, "say two");
    expect(await chat(at, ["--resume", idOf(first), "-p", "say three"])).toMatchObject({ code: 0, stdout: "three\n" });
    // The session that was changed last.
    const last = await chat(at, ["--resume", "-p", "say four", "--json"]);
    expect(eventsOf(last).at(-1)).toMatchObject({ sessionID: idOf(first), text: "four" });
    expect(idOf(second)).not.toBe(idOf(first));
    const shown = await cli(at, ["sessions", "export", idOf(first), "--format", "markdown"]);
    expect(shown.stdout).toMatch(/one[\s\S]*three[\s\S]*four/);
    const other = join(at.project, "folder");
    mkdirSync(other);
    const elsewhere = await chat(at, ["--resume", "-p", "say x"], { cwd: other });
    expect(elsewhere).toMatchObject({ code: 2 });
    const byId = await chat(at, [`--resume=${idOf(first)}`, "-p", "say five"], { cwd: other });
    expect(byId).toMatchObject({ code: 0, stdout: "five\n" });
  });

  it("[U2] [B10] values of a session are there after it is resumed", async () => {
    const at = sandbox();
    const todos = [{ id: "1", content: "Buy milk", status: "pending", priority: "low" }];
    const first = await demo(at, `call todowrite ${JSON.stringify({ todos })}`);
    expect(first.stderr).toContain("done: todowrite");
    const { stdout } = await chat(at, ["--resume", idOf(first), "-p", "call todoread", "--json"]);
    expect(stdout).toContain("Buy milk");
  });

  it("[U2] a session whose turn runs in another process is refused with 1, and goes on there", async () => {
    const at = sandbox();
    const running = start(at, ["-p", "say begun\nsleep 1000000"]);
    await running.until("begun");
    const [info] = await sessionsOf(at);
    const ended = await chat(at, ["--resume", String(info?.id), "-p", "say x", "--json"]);
    expect(ended.code).toBe(1);
    expect(eventsOf(ended).at(-1)).toMatchObject({ type: "session.error", code: "owned" });
    expect((await cli(at, ["sessions", "cancel", String(info?.id)])).code).toBe(0);
    expect(await running.ended).toMatchObject({ code: 1, stdout: "begun\n" });
  });
});

/** Starts a process, and does not react to an abort. */
const LEAVES = `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
export default {
  description: "Starts something, and waits.",
  async execute(_, { directory }) {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    writeFileSync(directory + "/pid", String(child.pid));
    await new Promise((done) => setTimeout(done, 1_000_000));
  },
};
`;

describe("[U2] chat -p that is ended early", () => {
  /** Waits until no process with the home folder of the test is left. */
  async function nothingLeft(at: Sandbox): Promise<void> {
    for (let times = 0; times < 200 && startedWith(at.home).length > 0; times++) await sleep(50);
    expect(startedWith(at.home)).toEqual([]);
  }

  async function pidIn(at: Sandbox): Promise<number> {
    const file = join(at.project, "pid");
    for (let times = 0; times < 600 && !existsSync(file); times++) await sleep(50);
    return Number(readFileSync(file, "utf8"));
  }

  it.each<[string, readonly NodeJS.Signals[], number, RegExp]>([
    ["Ctrl-C", ["SIGINT"], 130, /^idle$/],
    // It does not wait until the tool has ended.
    ["Ctrl-C twice", ["SIGINT", "SIGINT"], 130, /^(?:idle|interrupted)$/],
    ["SIGTERM", ["SIGTERM"], 143, /^idle$/],
    ["SIGHUP", ["SIGHUP"], 129, /^idle$/],
  ])("[U2] [P4] %s stops the turn and its call, and the session can be continued", async (_, signals, code, status) => {
    const at = sandbox({ "leaves.mjs": LEAVES });
    const { child, ended } = start(at, ["--trust", "--allow", "leaves", "-p", "say begun\ncall leaves\nsay never"]);
    const pid = await pidIn(at);
    for (const signal of signals) {
      child.kill(signal);
      await sleep(20);
    }
    const { code: actual, stdout } = await ended;
    expect({ actual, stdout }).toEqual({ actual: code, stdout: "begun\n" });
    await nothingLeft(at);
    expect(isRunning(pid)).toBe(false);
    expect(await sessionsOf(at)).toMatchObject([{ status: expect.stringMatching(status) }]);
    expect(await chat(at, ["--resume", "-p", "say on"])).toMatchObject({ code: 0, stdout: "on\n" });
  });

  it("[U2] [S3] SIGKILL leaves no process, and a session that says so and can be continued", async () => {
    const at = sandbox({ "leaves.mjs": LEAVES });
    const { child, ended } = start(at, ["--trust", "--allow", "leaves", "-p", "say begun\ncall leaves"]);
    await pidIn(at);
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    await nothingLeft(at);
    expect(await sessionsOf(at)).toMatchObject([{ status: "interrupted" }]);
    expect(await chat(at, ["--resume", "-p", "say on"])).toMatchObject({ code: 0, stdout: "on\n" });
  });

  it.each([[[] as string[]], [["--json"]]])("[U2] a reader that closes the pipe ends the turn: %j", async (args) => {
    const at = sandbox();
    const script = `${"say text text text\n".repeat(200)}sleep 300\nsay more\nsleep 300\nsay more\nsleep 1000000`;
    const child = spawn(process.execPath, [CLI, "chat", "--agent", "demo", "-p", script, ...args], {
      cwd: at.project,
      env: at.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await ending(child)).toMatchObject({ code: 1 });
    expect(await sessionsOf(at)).toMatchObject([{ status: "idle" }]);
  });

  it("[U2] a prompt of a megabyte arrives whole", async () => {
    const text = "x".repeat(1_000_000);
    const ended = await chat(sandbox(), ["--agent", "demo", "-q"], { input: `say ${text}` });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe(`${text}\n`);
  });
});

describe("[U2] agents", () => {
  it("[U2] lists agents, what is missing, and the command that installs it", async () => {
    const at = withSettings({
      agents: { modules: "~/my agents", default: "dem" },
      subagents: { x: { agent: "y", description: "d" } },
    });
    const { code, stdout, stderr } = await cli(at, ["agents"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^AGENT +STATUS +VERSION +DETAILS\n/);
    expect(stdout).toMatch(/^demo +ready +Needs nothing\.$/m);
    expect(stdout).toMatch(
      /^claude +not installed +The package @anthropic-ai\/claude-agent-sdk is not installed\. Install: npm install --prefix '.*\/my agents' @anthropic-ai\/claude-agent-sdk@\S+$/m,
    );
    expect(stderr).toContain(
      'warning: "agents.default" in your settings is "dem", which is not an agent. Did you mean "demo"?',
    );
    expect(stderr).toContain('warning: "subagents.x.agent" in your settings is "y", which is not an agent.');
  });

  it("[U2] [G9] lists agents of the settings, with their programs", async () => {
    const at = withSettings({ agents: { programs: { mine: ["~/bin/mine", "acp"], gone: ["~/bin/gone"] } } });
    mkdirSync(join(at.home, "bin"));
    writeFileSync(join(at.home, "bin/mine"), "#!/bin/sh\n", { mode: 0o755 });
    const { stdout } = await cli(at, ["agents"]);
    expect(stdout).toMatch(
      /^mine +not installed +The package @agentclientprotocol\/sdk is not installed\. Install: npm install --global @agentclientprotocol\/sdk@\S+$/m,
    );
    expect(stdout).toMatch(
      /^gone +not installed +The program ".*\/bin\/gone" does not exist or is not executable\. It is set by "agents\.programs\.gone"/m,
    );
  });

  it("[U2] finds a package with its version and folder, and says if it cannot be loaded", async () => {
    const at = withSettings({ agents: { modules: "~/agents", default: "claude" } });
    const folder = join(at.home, "agents/node_modules/@anthropic-ai/claude-agent-sdk");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "version": "0.3.1", "exports": "./a.mjs" }');
    writeFileSync(join(folder, "a.mjs"), "export const query = () => {};");
    interface Listed {
      readonly default: string;
      readonly agents: readonly { readonly name: string; readonly needs: readonly Record<string, string>[] }[];
    }
    const listed = async (): Promise<Listed> => json<Listed>(await cli(at, ["agents", "--json"]));
    const [claude] = (await listed()).agents.filter(({ name }) => name === "claude");
    expect(claude).toEqual({
      name: "claude",
      status: "ready",
      needs: [{ name: "@anthropic-ai/claude-agent-sdk", status: "ready", version: "0.3.1", path: folder }],
    });
    expect((await cli(at, ["agents"])).stdout).toMatch(/^claude +ready +0\.3\.1 +The default\. \//m);
    const others = (await listed()).agents.map(({ name }) => name);
    expect(others).toEqual(expect.arrayContaining(["codex", "copilot", "demo", "gemini", "goose", "langchain"]));
    writeFileSync(join(folder, "a.mjs"), 'throw new Error("wrong platform")');
    const broken = (await listed()).agents.find(({ name }) => name === "claude");
    expect(broken).toMatchObject({ status: "broken" });
    expect(broken?.needs[0]?.problem).toContain("cannot be loaded: wrong platform. Install it again: npm install");
  });
});
