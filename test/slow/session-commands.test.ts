import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { trustProject } from "../../src/catalog/discovery/trusted-projects.ts";
import type { DurableEvent, SessionInfo, StoredEvent } from "../../src/core/session-log.ts";
import type { SessionStore } from "../../src/core/session-store.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { parseArguments } from "../../src/surfaces/cli/args/parse-arguments.ts";
import { sessions } from "../../src/surfaces/cli/commands/sessions.ts";
import { CLI, cli, type Ended, ending, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { following, readyServe, type ServeCommand } from "../support/http-command.ts";
import { hosts } from "../support/processes.ts";
import { canMount, fillDisk, remountReadOnly, smallDisk } from "../support/small-disk.ts";

beforeAll(ensureBuilt);

const TODOS = [{ id: "1", content: "Write the page", status: "pending", priority: "high" }];
const WAIT = `export default {
  description: "Waits until it is ended, for tests.",
  args: {},
  execute: (args, { abort }) => new Promise((resolve) => {
    console.error("It waits.");
    abort.addEventListener("abort", () => resolve("stopped"));
    setTimeout(resolve, 60_000);
  }),
};
`;

const database = (at: Sandbox): string => join(at.home, ".toolwright/sessions.db");

async function trusted(files: Record<string, string> = {}): Promise<Sandbox> {
  const at = sandbox(files);
  await trustProject(at.project, join(at.home, ".toolwright"));
  return at;
}

/** The sessions of a project, opened by this process until the end of the test. */
async function storeOf(at: Sandbox, project: string = at.project): Promise<SessionStore> {
  mkdirSync(join(at.home, ".toolwright"), { recursive: true, mode: 0o700 });
  const store = await openSqliteStore({ file: database(at), project });
  onTestFinished(() => store.close());
  return store;
}

/** A session with these events after its start. */
async function recorded(at: Sandbox, id: string, events: readonly DurableEvent[] = []): Promise<SessionStore> {
  const store = await storeOf(at);
  await store.create({ id, directory: at.project });
  if (events.length > 0) await store.append(id, events);
  return store;
}

const message = (text: string): DurableEvent => ({
  type: "message.user",
  messageID: "m",
  content: [{ type: "text", text }],
});

/** A command that runs until the test ends it. */
function started(at: Sandbox, args: readonly string[]): ServeCommand {
  const stdio = ["ignore", "pipe", "pipe"] as const;
  return following(spawn(process.execPath, [CLI, ...args], { cwd: at.project, env: at.env, stdio: [...stdio] }));
}

const writeTodos = (at: Sandbox, session: string, cwd: string = at.project): Promise<Ended> =>
  cli(at, ["run", "todowrite", "--session", session, "--input", JSON.stringify({ todos: TODOS })], { cwd });

const readTodos = async (at: Sandbox, session: string, cwd: string = at.project): Promise<unknown> =>
  (await cli(at, ["run", "todoread", "--session", session], { cwd })).stdout;

const EMPTY = "The to-do list is empty.\n";

describe("[B10][S3] run --session", () => {
  it("keeps state between commands, by project and id", async () => {
    const at = sandbox();
    const other = join(at.root, "other");
    mkdirSync(join(other, ".git"), { recursive: true });
    mkdirSync(join(at.project, "sub"));
    expect(await writeTodos(at, "a")).toMatchObject({ code: 0, stderr: "" });
    const kept = JSON.stringify(TODOS, null, 2);
    expect(await readTodos(at, "a")).toBe(`${kept}\n`);
    expect(await readTodos(at, "a", join(at.project, "sub"))).toBe(`${kept}\n`);
    expect(await readTodos(at, "b")).toBe(EMPTY);
    expect(await readTodos(at, "a", other)).toBe(EMPTY);
    expect(await cli(at, ["run", "todoread"])).toMatchObject({ code: 0, stdout: EMPTY });
    expect(statSync(database(at)).mode & 0o777).toBe(0o600);
  });

  it("opens no database without --session, for an unknown tool, and for invalid input", async () => {
    const at = sandbox();
    await cli(at, ["run", "todoread"]);
    await cli(at, ["run", "nope", "--session", "a"]);
    await cli(at, ["run", "todowrite", "--session", "a", "--input", "{"]);
    for (const command of ["list", "check", "doctor", "sessions"]) await cli(at, [command]);
    expect(existsSync(database(at))).toBe(false);
  });

  it.each(["", "a\tb", "\x1b[31m", "x".repeat(201)])("refuses the id %j with exit code 2", async (id) => {
    const at = sandbox();
    const message = "--session must be a string of 1 to 200 characters, without control characters.";
    const refused = { code: 2, stdout: "", stderr: `toolwright: ${message}\n` };
    expect(await cli(at, ["run", "todoread", `--session=${id}`])).toMatchObject(refused);
    expect(json(await cli(at, ["run", "todoread", "--json", `--session=${id}`]))).toMatchObject({
      ok: false,
      error: { code: "usage", message },
    });
    expect(existsSync(database(at))).toBe(false);
  });

  it("works in several commands at once", async () => {
    const at = sandbox();
    const names = Array.from({ length: 4 }, (_, index) => `s${index % 2}`);
    const ended = await Promise.all(names.map((name) => writeTodos(at, name)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const { sessions } = json<{ sessions: SessionInfo[] }>(await cli(at, ["sessions", "--json"]));
    expect(sessions.map(({ id, status }) => [id, status]).sort()).toEqual([
      ["s0", "idle"],
      ["s1", "idle"],
    ]);
    const store = await storeOf(at);
    for (const id of ["s0", "s1"]) {
      const types = (await store.read(id, 0, 100)).map(({ type }) => type).sort();
      const call = ["state.set", "tool.complete", "tool.start"];
      expect(types).toEqual(["session.start", ...call, ...call].sort());
    }
  });

  it.each<[NodeJS.Signals, string]>([
    ["SIGINT", "tool.failed"],
    ["SIGTERM", "tool.failed"],
    ["SIGKILL", "session.interrupted"],
  ])("ended by %s leaves a session that the next command uses", async (signal, end) => {
    const at = await trusted({ "wait.ts": WAIT });
    await writeTodos(at, "a");
    const running = started(at, ["run", "wait", "--session", "a"]);
    await running.untilSaid("It waits.");
    expect((await cli(at, ["sessions"])).stdout).toMatch(/^a {3}running /m);
    expect(await cli(at, ["sessions", "remove", "a", "--yes"])).toMatchObject({
      code: 1,
      stderr:
        'toolwright: Session "a" is running. Wait until it ends, or cancel it first: toolwright sessions cancel a\n',
    });
    running.child.kill(signal);
    await running.ended;
    const status = signal === "SIGKILL" ? "interrupted" : "idle";
    expect((await cli(at, ["sessions"])).stdout).toMatch(new RegExp(`^a {3}${status} `, "m"));
    expect(await readTodos(at, "a")).toBe(`${JSON.stringify(TODOS, null, 2)}\n`);
    const store = await storeOf(at);
    const types = (await store.read("a", 4, 100)).map(({ type }) => type);
    expect(types).toEqual(["tool.start", end, "tool.start", "tool.complete"]);
    expect(await store.get("a")).toMatchObject({ status: "idle", openCalls: [] });
    await expect.poll(() => hosts()).toEqual([]);
  });

  it("can be cancelled by another command", async () => {
    const at = await trusted({ "wait.ts": WAIT });
    const running = started(at, ["run", "wait", "--session", "a"]);
    await running.untilSaid("It waits.");
    expect(await cli(at, ["sessions", "cancel", "a"])).toMatchObject({
      code: 0,
      stdout: "Asked the process that runs session a to stop it.\n",
    });
    await running.ended;
    expect(await cli(at, ["sessions", "cancel", "a"])).toMatchObject({ stdout: "Nothing runs in session a.\n" });
    expect(json(await cli(at, ["sessions", "cancel", "a", "--json"]))).toEqual({ id: "a", cancelled: false });
    const types = (await (await storeOf(at)).read("a", 1, 100)).map(({ type }) => type);
    expect(types).toEqual(["tool.start", "cancel.requested", "tool.failed"]);
  });

  it.each<[string, (file: string) => void, RegExp]>([
    [
      "a damaged",
      (file) => writeFileSync(file, "not a database"),
      /is damaged \(it does not begin like a SQLite database\)/,
    ],
    ["a newer", setVersion, /was written by a later version of Toolwright/],
    ["no", (file) => mkdirSync(file), /is a folder, but must be the session database/],
  ])("with %s database fails clearly, and tools without a session work", async (_case, spoil, reason) => {
    const at = sandbox();
    mkdirSync(join(at.home, ".toolwright"), { mode: 0o700 });
    spoil(database(at));
    const failed = await cli(at, ["run", "todoread", "--session", "a"]);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toMatch(reason);
    expect(failed.stderr).toMatch(/^toolwright: .* Tools without a session still work\.\n$/);
    const answer = await cli(at, ["run", "todoread", "--session", "a", "--json"]);
    expect(answer.code).toBe(1);
    expect(json(answer)).toMatchObject({ ok: false, content: [], error: { code: "failed" } });
    expect(await cli(at, ["run", "todoread"])).toMatchObject({ code: 0, stdout: EMPTY });
    const listed = await cli(at, ["sessions", "--json"]);
    expect(listed.code).toBe(1);
    expect(json(listed)).toMatchObject({ error: { code: expect.stringMatching(/^store_/) } });
    const { checks } = json<{ checks: object[] }>(await cli(at, ["doctor", "--json"]));
    expect(checks).toContainEqual({ name: "sessions", status: "fail", message: expect.stringMatching(reason) });
  });
});

describe("[S3] sessions on a full or read-only disk", () => {
  // Root alone can mount a small disk.
  it.runIf(canMount()).each<[string, (folder: string) => () => void, RegExp]>([
    ["full", fillDisk, /There is no space left on the disk of the session database/],
    ["read-only", remountReadOnly, /The session database .* cannot be written/],
  ])("%s: the command says so, nothing is lost, and tools without a session work", async (_case, spoil, reason) => {
    const at = sandbox();
    const home = join(at.home, ".toolwright");
    smallDisk(home, "1m");
    await writeTodos(at, "a");
    const repair = spoil(home);
    for (const args of [["run", "todoread", "--session", "a"], ["sessions"], ["sessions", "show", "a"]]) {
      const failed = await cli(at, args);
      expect(failed).toMatchObject({ code: 1, stdout: "" });
      expect(failed.stderr).toMatch(reason);
    }
    expect(await cli(at, ["run", "todoread"])).toMatchObject({ code: 0, stdout: EMPTY });
    repair();
    expect(await readTodos(at, "a")).toBe(`${JSON.stringify(TODOS, null, 2)}\n`);
  });
});

function setVersion(file: string): void {
  const opened = new DatabaseSync(file);
  opened.exec("PRAGMA application_id = 0x5477534c; PRAGMA user_version = 999; CREATE TABLE a (b)");
  opened.close();
}

describe("[S1][S3] a call over REST with a session", () => {
  it("keeps state on disk; calls without a session, and MCP, do not open the database", async () => {
    const at = sandbox();
    const { url, token, mcp } = await readyServe(at);
    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(body),
      });
    const run = async (name: string, body: object): Promise<{ status: number; text: string }> => {
      const response = await post(`${url}/api/tools/${name}/run`, body);
      return { status: response.status, text: await response.text() };
    };
    expect((await run("todoread", {})).text).toContain("The to-do list is empty.");
    expect(await run("nope", { sessionID: "a" })).toMatchObject({ status: 404 });
    const params = { name: "todoread", arguments: {}, _meta: { sessionID: "a" } };
    await (await post(mcp, { jsonrpc: "2.0", id: 1, method: "tools/call", params })).text();
    expect(existsSync(database(at))).toBe(false);
    expect(await run("todowrite", { input: { todos: TODOS }, sessionID: "a" })).toMatchObject({ status: 200 });
    expect(await readTodos(at, "a")).toBe(`${JSON.stringify(TODOS, null, 2)}\n`);
    await cli(at, ["run", "todowrite", "--session", "a", "--input", '{"todos":[]}']);
    expect((await run("todoread", { sessionID: "a" })).text).toContain("The to-do list is empty.");
    expect(await run("todoread", { sessionID: "\ud800" })).toMatchObject({ status: 400 });
  });

  it("is refused with 503 if the database cannot be used, and calls without a session are not", async () => {
    const at = sandbox();
    mkdirSync(join(at.home, ".toolwright"), { mode: 0o700 });
    writeFileSync(database(at), "not a database");
    const { url, token } = await readyServe(at);
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${url}/api/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const questionOfAnotherProcess = `${Buffer.from("a").toString("base64url")}.${crypto.randomUUID()}`;
    for (const refused of [
      await post("tools/todoread/run", { sessionID: "a" }),
      await post(`questions/${questionOfAnotherProcess}`, { allowed: true }),
    ]) {
      expect([refused.status, await refused.json()]).toEqual([
        503,
        { error: { code: "sessions_unavailable", message: expect.stringContaining("is damaged") } },
      ]);
    }
    expect((await post("tools/todoread/run", {})).status).toBe(200);
  });
});

describe("[U1] toolwright sessions", () => {
  it("says how to begin if there are none, and creates no database", async () => {
    const at = sandbox();
    const begin = "To begin one, give a call a session: toolwright run todoread --session ID\n";
    expect(await cli(at, ["sessions"])).toMatchObject({
      code: 0,
      stdout: `No sessions in this project.\n${begin}`,
      stderr: "",
    });
    expect(json(await cli(at, ["sessions", "list", "--json"]))).toEqual({ sessions: [] });
    expect(await cli(at, ["sessions", "show", "a"])).toMatchObject({
      code: 2,
      stderr:
        'toolwright: There is no session "a" in this project. No session is stored yet: toolwright run NAME --session ID begins one.\n',
    });
    expect(existsSync(database(at))).toBe(false);
    await recorded({ ...at, project: join(at.root, "other") }, "elsewhere");
    expect((await cli(at, ["sessions"])).stdout).toBe(
      `No sessions in this project.\nFor those of other projects: toolwright sessions --all\n${begin}`,
    );
    expect((await cli(at, ["sessions", "--all"])).stdout).toMatch(/^elsewhere +idle .* 1 +\S+\/other$/m);
    expect((await cli(at, ["sessions", "--status", "running"])).stdout).toBe("No session matches.\n");
  });

  it.each<[string[], string]>([
    [["lst"], 'Unknown argument "lst". Did you mean "list"?'],
    [
      ["refactoring"],
      'Unknown argument "refactoring". Use one of list, show, export, branch, cancel, remove, as in: toolwright sessions show ID',
    ],
    [
      ["show"],
      "Missing argument: the id of a session. Usage: toolwright sessions show ID [--after N] [--limit N] [--follow] [--full]",
    ],
    [
      ["export", "a", "b"],
      'Unexpected argument "b". Usage: toolwright sessions export ID [--format FORMAT] [--output FILE]',
    ],
    [
      ["list", "--at", "3"],
      '"sessions list" has no option --at. Usage: toolwright sessions list [--all] [--status STATUS] [--search TEXT] [--cursor CURSOR] [--limit N]',
    ],
    [["--limit", "0"], '--limit takes a whole number of at least 1, not "0".'],
    [["--status", "runing"], 'There is no status "runing". Did you mean "running"?'],
    [["export", "alpha", "--format", "josnl"], 'There is no format "josnl". Did you mean "jsonl"?'],
    [["show", "alph"], 'There is no session "alph" in this project. Did you mean "alpha"?'],
    [["show", "zzz"], 'There is no session "zzz" in this project. To list the sessions: toolwright sessions'],
    [["show", "there"], 'There is no session "there" in this project. There is one in /other. Add: --cwd /other'],
    [["show", "alpha", "--after", "9"], "--after 9: the last event of the session is at position 1."],
    [["branch", "alpha", "--at", "9"], 'Session "alpha" has no position 9: its last event is at 1.'],
    [["branch", "alpha", "--as", "alpha"], 'There is a session "alpha" already. Choose another id.'],
    [
      ["branch", "alpha", "--as", "a\tb"],
      "The id of a session must be a string of 1 to 200 characters, without control characters.",
    ],
    [
      ["remove", "alpha", "zzz", "--yes"],
      'There is no session "zzz" in this project. To list the sessions: toolwright sessions',
    ],
  ])("refuses %j with exit code 2, and changes nothing", async (args, message) => {
    const at = sandbox();
    const store = await recorded(at, "alpha");
    await (await storeOf(at, "/other")).create({ id: "there", directory: "/other" });
    expect(await cli(at, ["sessions", ...args])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `toolwright: ${message}\n`,
    });
    const answer = await cli(at, ["sessions", ...args, "--json"]);
    expect([answer.code, json(answer)]).toMatchObject([2, { error: { message } }]);
    expect((await store.list({ allProjects: true })).sessions).toHaveLength(2);
  });

  it("lists, pages and filters, and branches and removes", async () => {
    const at = sandbox();
    const store = await recorded(at, "first", [message("Fix the parser"), { type: "session.idle" }]);
    // Sessions that changed in the same millisecond are listed by id, not by age.
    await pause(2);
    await store.create({ id: "second", directory: at.project, agent: "build", title: "Other work" });
    const { stdout } = await cli(at, ["sessions"]);
    expect(stdout.split("\n").map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "TIME").split(/ {2,}/))).toEqual([
      ["ID", "STATUS", "CHANGED", "EVENTS", "AGENT", "TITLE"],
      ["second", "idle", "TIME", "1", "build", "Other work"],
      ["first", "idle", "TIME", "3", "Fix the parser"],
      [""],
    ]);
    const page = json<{ sessions: SessionInfo[]; next: string }>(await cli(at, ["sessions", "--limit", "1", "--json"]));
    expect(page.sessions.map(({ id }) => id)).toEqual(["second"]);
    const next = json<{ sessions: SessionInfo[] }>(await cli(at, ["sessions", "--json", "--cursor", page.next]));
    expect(next.sessions.map(({ id }) => id)).toEqual(["first"]);
    expect((await cli(at, ["sessions", "--search", "PARSER"])).stdout).toMatch(/^ID.*\nfirst .*\n$/);
    expect(await cli(at, ["sessions", "branch", "first", "--at", "2", "--as", "third"])).toMatchObject({
      code: 0,
      stdout: "Created session third with the first 2 events of first.\n",
    });
    expect(await store.get("third")).toMatchObject({ branchOf: { sessionID: "first", position: 2 } });
    expect(json(await cli(at, ["sessions", "remove", "third", "second", "third", "--json"]))).toEqual({
      removed: ["third", "second"],
      failed: [],
    });
    expect(await cli(at, ["sessions", "remove", "first"])).toMatchObject({
      code: 0,
      stdout: "Removed session first.\n",
    });
    expect((await store.list()).sessions).toEqual([]);
  });

  it.each([
    ["y\n", 0, []],
    ["\n", 1, ["a"]],
    ["", 1, ["a"]],
  ])("asks at a terminal before it removes: %j", async (typed, code, left) => {
    const at = sandbox();
    const store = await recorded(at, "a");
    const { said, ended } = await atTerminal(at, ["remove", "a"], typed);
    expect(ended).toBe(code);
    expect(said).toContain(code === 0 ? "Removed session a." : "Nothing was removed.");
    expect((await store.list()).sessions.map(({ id }) => id)).toEqual(left);
  });

  it("[X1] sends no escape sequence of a session to the terminal", async () => {
    const at = sandbox();
    const evil = "a\x1b[2J\x1b]0;x\x07\u009b31m\x08\x7f\u202eb";
    const call = { callID: evil, tool: evil, messageID: evil, agent: evil };
    const result = {
      ok: true as const,
      content: [{ type: "text" as const, text: evil }],
      notes: { durationMs: 1 },
    };
    const store = await storeOf(at);
    await store.create({ id: "evil\u009b31m", directory: evil, agent: evil, model: evil, title: evil });
    await store.append("evil\u009b31m", [
      message(evil),
      { type: "message.complete", messageID: "m", content: [{ type: "text", text: evil }], thinking: evil },
      { type: "tool.start", input: { [evil]: evil }, ...call },
      { type: "tool.complete", result, ...call },
      { type: "tool.start", input: evil, ...call },
      { type: "state.set", of: "tools", key: evil, value: evil },
      { type: "state.set", of: "session", key: "title", value: `${evil}\nx` },
      { type: "cancel.requested", callID: evil, reason: evil },
      { type: "session.error", message: evil, code: evil },
      { type: "session.interrupted", reason: evil, calls: [evil], questions: [evil] },
    ]);
    const id = "evil\u009b31m";
    const commands = [
      ["list"],
      ["list", "--all"],
      ["show", id],
      ["show", id, "--full"],
      ["show", id, "--json"],
      ["show", id, "--follow", "--limit", "11"],
      ["export", id],
      ["export", id, "--format", "markdown"],
      ["branch", id, "--as", "c\u009b31m"],
      ["show", "evol\u009b31m"],
      ["remove", id, "--yes"],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await cli(at, ["sessions", ...args]);
      expect(stdout + stderr, args.join(" ")).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });

  it("shows a session, cuts long outputs, and follows events of other processes", async () => {
    const at = sandbox();
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
    const call = { callID: "c", tool: "bash", messageID: "m", agent: "" };
    const content = [{ type: "text" as const, text: lines }];
    const store = await recorded(at, "a", [
      message("Fix it"),
      { type: "tool.start", input: { command: "ls" }, ...call },
      { type: "tool.complete", result: { ok: true, content, notes: { durationMs: 12 } }, ...call },
    ]);
    const shown = (await cli(at, ["sessions", "show", "a"])).stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME");
    expect(shown).toMatch(/^a\n {2}Title {4}Fix it\n {2}Status {3}running\n/);
    expect(shown).toContain(
      '   3  TIME  Call of bash\n      {"command":"ls"}\n   4  TIME  Result of bash (12 ms)\n      line 0\n',
    );
    expect(shown).toMatch(/ {6}line 11\n {6}… 28 more lines, shown with --full\n$/);
    expect((await cli(at, ["sessions", "show", "a", "--full"])).stdout).toContain("      line 39\n");
    const part = await cli(at, ["sessions", "show", "a", "--after", "1", "--limit", "2"]);
    expect(part.stdout).toMatch(
      /Fix it[\s\S]*Call of bash[\s\S]*\n\nThere are more\. The next events: add --after 3\n$/,
    );
    const document = json<{ session: SessionInfo; events: StoredEvent[] }>(
      await cli(at, ["sessions", "show", "a", "--json"]),
    );
    expect(document).toEqual({ session: await store.get("a"), events: await store.read("a", 0, 10) });
    const following = started(at, ["sessions", "show", "a", "--follow", "--after", "3"]);
    await following.until("Result of bash");
    await store.append("a", [message("And now this")]);
    await following.until("And now this");
    const events = started(at, ["sessions", "show", "a", "--follow", "--json", "--after", "4"]);
    await events.until("And now this");
    store.publish("a", { type: "message.delta", messageID: "m2", text: "streamed" });
    await events.until("streamed");
    for (const { child, ended } of [following, events]) {
      child.kill("SIGINT");
      expect(await ended).toMatchObject({ code: 0, stderr: "" });
    }
  });

  it("lists and exports a session of 10,000 events, also while another process writes to it", async () => {
    const at = sandbox();
    const store = await recorded(at, "long");
    for (let index = 0; index < 10; index += 1) {
      await store.append(
        "long",
        Array.from({ length: 1_000 }, (_, each) => message(`${index} ${each} ${"x".repeat(200)}`)),
      );
    }
    expect((await cli(at, ["sessions"])).stdout).toMatch(/^long +running +\S+ \S+ +10001 /m);
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) await store.append("long", [message("late")]);
    })();
    const file = join(at.root, "long.jsonl");
    const [lines, document, written] = await Promise.all([
      cli(at, ["sessions", "export", "long"]),
      cli(at, ["sessions", "export", "long", "--format", "markdown"]),
      cli(at, ["sessions", "export", "long", "-o", file, "--json"]),
    ]);
    isWriting = false;
    await writing;
    for (const text of [lines.stdout, readFileSync(file, "utf8")]) {
      const events = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as StoredEvent);
      expect(events.length).toBeGreaterThanOrEqual(10_001);
      expect(events.findIndex(({ position }, index) => position !== index + 1)).toBe(-1);
      expect(events.slice(0, 100)).toEqual(await store.read("long", 0, 100));
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(json(written)).toEqual({ id: "long", format: "jsonl", file, events: expect.any(Number) });
    expect(document.stdout.match(/^## User$/gm)?.length).toBeGreaterThanOrEqual(10_000);
    // A reader that ends early ends the command.
    const head = spawn("/bin/sh", ["-c", `"${process.execPath}" "${CLI}" sessions export long | head -n 1`], {
      cwd: at.project,
      env: at.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect((await ending(head)).stdout).toContain("session.start");
  });

  it
    .skipIf(!existsSync("/dev/full"))
    .each([["sessions", "export", "a"], ["sessions", "show", "a"], ["run", "todoread"], ["list"]])(
    "fails if its output cannot be written: %s %s %s",
    async (...command) => {
      const at = sandbox();
      await recorded(at, "a");
      const args = ["-c", 'exec "$@" > /dev/full', "sh", process.execPath, CLI, ...command];
      const ended = await ending(spawn("/bin/sh", args, { cwd: at.project, env: at.env }));
      const reason = "The output could not be written: ENOSPC: no space left on device, write";
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`toolwright: ${reason}\n`) });
    },
  );

  it("leaves an existing file unchanged if the export fails", async () => {
    const at = sandbox();
    await recorded(at, "a");
    const file = join(at.project, "a.jsonl");
    writeFileSync(file, "old");
    expect(await cli(at, ["sessions", "export", "b", "--output", file])).toMatchObject({ code: 2 });
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(await cli(at, ["sessions", "export", "a", "--output", "a.jsonl"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: `Wrote 1 event to ${file}\n`,
    });
    const failed = await cli(at, ["sessions", "export", "a", "--output", "none/a.jsonl"]);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/none\/a\.jsonl cannot be written: ENOENT: [^\n]*, open '[^\n]*none\/a\.jsonl'\n$/),
    });
  });
});

describe("[K1] the setting search", () => {
  it("is reported once per file by every command that reads settings", async () => {
    const at = sandbox();
    const text = '"search" has no effect in this version yet. It is ignored.';
    mkdirSync(join(at.home, ".toolwright"));
    writeFileSync(join(at.home, ".toolwright/settings.json"), '{ "search": {} }');
    writeFileSync(join(at.project, ".toolwright/settings.json"), '{ "search": { "threshold": 5 } }');
    for (const command of ["list", "check", "doctor", "sessions", "permissions"]) {
      const { stdout, stderr } = await cli(at, [command]);
      expect([command, `${stdout}${stderr}`.split(text).length - 1]).toEqual([command, 2]);
    }
    const { untilSaid } = started(at, ["serve", "--port", "0"]);
    expect((await untilSaid(".toolwright/settings.json:1: ")).split(text).length - 1).toBeGreaterThan(0);
  });
});

/** Runs a command in this process as if at a terminal at which this is typed. */
async function atTerminal(
  at: Sandbox,
  args: readonly string[],
  typed: string,
): Promise<{ said: string; ended: number }> {
  let said = "";
  const write = (text: string): void => {
    said += text;
  };
  const output = { isTTY: false, columns: 80, colour: false, unread: 0, isClosed: false, write, report: write };
  const stdin = new PassThrough();
  stdin.end(typed);
  const terminal = {
    ...{ cwd: at.project, env: at.env, stdout: output, stderr: output, interactive: true },
    stdin: stdin as unknown as NodeJS.ReadStream,
  };
  const ended = await sessions.run(parseArguments(sessions.spec, args, terminal));
  return { said, ended };
}
