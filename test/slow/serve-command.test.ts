import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/surfaces/http/client/index.ts";
import { sandbox } from "../support/fixture.ts";
import { readyServe, startServe, startServer } from "../support/http-command.ts";
import { startedWith } from "../support/processes.ts";
import { answering } from "../support/toolbox.ts";

const SLOW = `export default { description: "Takes its time.", args: { ms: { type: "number" } }, execute: ({ ms }, { metadata }) => {
  metadata({ title: "begun" });
  return new Promise((done) => setTimeout(done, ms, "done"));
} };`;

it("[S1][S4] serve --json prints its url and token in one line when it is ready", async () => {
  const at = sandbox({ "hello.js": answering('"hello"') });
  const { line, url, token, mcp, child, ended } = await readyServe(at);
  expect(Object.keys(JSON.parse(line))).toEqual(["url", "token", "mcp"]);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(mcp).toBe(`${url}/mcp`);
  const client = createClient({ url, token });
  expect(await client.tools.run("hello")).toMatchObject({ output: "hello" });
  const { counts } = await client.tools.list();
  expect(counts.builtin).toBeGreaterThan(10);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, stdout: line, stderr: "" });
  expect(startedWith(at.home)).toEqual([]);
});

it("[S1][S4] serve prints its url and token", async () => {
  const at = sandbox({ "hello.js": answering('"hello"') });
  const { until, child, ended } = startServe(at, ["--port", "0"]);
  const text = await until("Ctrl-C");
  const [, origin = "", token = ""] = /(http:\S+)\/api\/tools\?token=([\w-]{43})\n/.exec(text) ?? [];
  expect(text.replaceAll(origin, "ORIGIN").replaceAll(token, "TOKEN")).toBe(
    `Serving the tools of ${at.project}: hello, and 15 built-in tools.

  Open ORIGIN/?token=TOKEN

To call a tool:

  curl -H "Authorization: Bearer TOKEN" --json '{"input":{}}' ORIGIN/api/tools/hello/run

API: ORIGIN/api/tools?token=TOKEN
API description: ORIGIN/openapi.json?token=TOKEN
For MCP clients: ORIGIN/mcp with the header "Authorization: Bearer TOKEN"
Press Ctrl-C to stop.
`,
  );
  expect((await fetch(`${origin}/api/tools?token=${token}`)).status).toBe(200);
  child.kill("SIGINT");
  expect((await ended).code).toBe(0);
});

it("[S4][U4] a token of the user is not in the printed URL: the page asks for it", async () => {
  const TOOLWRIGHT_TOKEN = "chosen-by-the-user";
  const { until } = startServe(sandbox(), ["--port", "0"], { TOOLWRIGHT_TOKEN });
  const text = await until("Ctrl-C");
  expect(text).toMatch(/\n {2}Open http:\/\/127\.0\.0\.1:\d+\/\n\nThe page asks for the token: \$TOOLWRIGHT_TOKEN\n/);
  expect(text).not.toContain(TOOLWRIGHT_TOKEN);
});

it("[S1][U4] serve serves the built page, whose first load is under 200 KB compressed", async () => {
  const { url } = await readyServe(sandbox());
  const html = await (await fetch(url)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThanOrEqual(2);
  const sizes = files.map(async (path) => {
    const { status, headers } = await fetch(`${url}${path}`, { headers: { "accept-encoding": "br" } });
    expect([path, status]).toEqual([path, 200]);
    return Number(headers.get("content-length"));
  });
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, html.length);
  expect(total).toBeLessThan(200_000);
  // The policy of the page forbids both.
  expect(html).not.toMatch(/<style|<script(?![^>]*src=)|\sstyle=|\son\w+=/);
});

it("[U4] serve lists the agents that can run sessions, and those that can have the tools, without starting one", async () => {
  const at = sandbox();
  mkdirSync(join(at.home, ".claude"), { recursive: true });
  const { url, token } = await readyServe(at);
  const { runnable, configured } = await createClient({ url, token }).agents();
  expect(runnable.find(({ name }) => name === "demo")).toEqual({ name: "demo", status: "ready", isDefault: false });
  expect(runnable.find(({ name }) => name === "goose")).toMatchObject({
    status: "not_installed",
    problem: expect.stringContaining('The program "goose" is not installed.'),
    install: expect.stringMatching(/^npm install --global /),
  });
  const claude = configured.find(({ id }) => id === "claude-code");
  expect(claude).toMatchObject({
    present: true,
    installations: [],
    install: expect.stringMatching(/ install claude-code$/),
  });
  expect(configured.length).toBeGreaterThan(20);
  expect(startedWith(at.home)).toHaveLength(1);
});

it("[S1][U6] serve shows an example call, of a built-in tool that works in any folder if there is no other", async () => {
  const at = sandbox({
    "greet.js": `export default { description: "Greets.", args: { name: { type: "string", examples: ["it's Ada"] }, loud: { type: "boolean", default: false } }, execute: () => "" };`,
  });
  const own = startServe(at, ["--port", "0"]);
  expect(await own.until("Ctrl-C")).toContain(`--json '{"input":{"name":"it'\\''s Ada"}}' http`);
  const none = startServe(sandbox(), ["--port", "0"]);
  const text = await none.until("Ctrl-C");
  expect(text).toContain("no tools of your own, and 15 built-in tools.");
  expect(text).toMatch(/--json '\{"input":\{\}\}' \S+\/api\/tools\/workspace-info\/run\n/);
});

it("[S4] a token of the user is accepted, not printed, and hidden from tools", async () => {
  const at = sandbox({ "spy.js": answering('process.env.TOOLWRIGHT_TOKEN ?? "nothing"') });
  const TOOLWRIGHT_TOKEN = "chosen-by-the-user";
  const { url } = await readyServe(at, [], { TOOLWRIGHT_TOKEN });
  const client = createClient({ url, token: TOOLWRIGHT_TOKEN });
  expect(await client.tools.run("spy")).toMatchObject({ output: "nothing" });
  const other = startServe(at, ["--port", "0"], { TOOLWRIGHT_TOKEN });
  expect(await other.until("Ctrl-C")).toContain('-H "Authorization: Bearer $TOOLWRIGHT_TOKEN"');
  other.child.kill("SIGTERM");
  expect((await other.ended).stdout).not.toContain(TOOLWRIGHT_TOKEN);
});

it("[S4] a token can come from a file", async () => {
  const at = sandbox();
  writeFileSync(join(at.project, "secret"), "from-a-file-of-mine\n");
  const { url } = await readyServe(at, ["--token-file", "secret"]);
  expect((await createClient({ url, token: "from-a-file-of-mine" }).tools.list()).counts.custom).toBe(0);
});

it("[S4] other machines are accepted only with a token of the user", async () => {
  const at = sandbox();
  const { url, token } = await readyServe(at, ["--host", "0.0.0.0"], { TOOLWRIGHT_TOKEN: "chosen-by-the-user" });
  expect((await createClient({ url, token }).tools.list()).counts.custom).toBe(0);
  const refused = await startServe(at, ["--host", "0.0.0.0"]).ended;
  expect(refused).toMatchObject({
    code: 2,
    stdout: "",
    stderr:
      "toolwright: --host 0.0.0.0 accepts connections from other machines, which requires a token of your choice. Set TOOLWRIGHT_TOKEN, or use --token-file FILE.\n",
  });
});

it.each([
  [["--port", "70000"], '--port takes a number from 0 to 65535, not "70000".'],
  [["--port", "http"], '--port takes a number from 0 to 65535, not "http".'],
  [["--token-file", "none"], /^--token-file none: it cannot be read: ENOENT/],
  [
    ["--token-file", "short"],
    "--token-file short: A token must be 16 to 500 printable ASCII characters without spaces.",
  ],
  ...["https://tools.example.com", "tools.example.com:8080", "[::1]", ""].map((name): [string[], string] => [
    [`--allow-host=${name}`],
    `--allow-host takes a host name without scheme, port or path, such as tools.example.com, not "${name}".`,
  ]),
  [["--builtins=a b"], '--builtins takes a comma-separated list of tools, not "a b".'],
])("[U1] usage errors are refused: %j", async (args, message) => {
  const at = sandbox();
  writeFileSync(join(at.project, "short"), "abc");
  const { code, stderr } = await startServe(at, args).ended;
  expect([code, stderr.replace(/^toolwright: /, "").trimEnd()]).toEqual([
    2,
    typeof message === "string" ? message : expect.stringMatching(message),
  ]);
});

it("[U1][U6] a port in use is reported", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  const at = sandbox();
  const { code, stdout, stderr } = await startServe(at, ["--port", String(port)]).ended;
  expect([code, stdout, stderr]).toEqual([
    1,
    "",
    `toolwright: Port ${port} of 127.0.0.1 is taken. Choose another with --port N; --port 0 takes any that is free.\n`,
  ]);
  expect(startedWith(at.home)).toEqual([]);
});

it("[D6] a saved file is served at once", async () => {
  const at = sandbox({ "hello.js": answering('"first"') });
  const { url, token } = await readyServe(at);
  const client = createClient({ url, token });
  expect(await client.tools.run("hello")).toMatchObject({ output: "first" });
  writeFileSync(join(at.tools, "hello.js"), answering('"second"'));
  writeFileSync(join(at.tools, "new.js"), answering('"new"'));
  while (!(await client.tools.list()).tools.some(({ name }) => name === "new")) await sleep(50);
  expect(await client.tools.run("hello")).toMatchObject({ output: "second" });
});

it("[D5][D6][U6] each problem that a save causes or fixes is reported on stderr in one line", async () => {
  const at = sandbox({ "hello.js": answering('"first"') });
  const { untilSaid, child, ended, line } = await readyServe(at);
  // Renamed into place, so that no incomplete file is read.
  const save = (name: string, text: string, folder = at.tools): void => {
    writeFileSync(join(at.root, name), text);
    renameSync(join(at.root, name), join(folder, name));
  };
  save("hello.js", "export default {\n  description: 'x',\n  execute( { return 1 }\n");
  await untilSaid("hello.js:3");
  save("hello.js", answering('"second"'));
  await untilSaid("no more problems");
  save("more.js", answering('"more"'));
  await untilSaid("New tools");
  save("odd.js", "throw new Error('first line\\n  second line');");
  await untilSaid("odd.js");
  rmSync(join(at.tools, "more.js"));
  await untilSaid("Removed tools");
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  save("settings.json", '{ "tolls": 1 }', home);
  await untilSaid("tolls");
  child.kill("SIGTERM");
  const { stdout, stderr, code } = await ended;
  expect([code, stdout]).toEqual([0, line]);
  expect(
    stderr,
  ).toBe(`toolwright: .toolwright/tools/hello.js:3:21: Unexpected number. Correct it and save. Its last working version is still served.
toolwright: .toolwright/tools/hello.js: no more problems.
toolwright: New tools: more
toolwright: .toolwright/tools/odd.js:1: It threw while it was imported: first line second line
toolwright: Removed tools: more
toolwright: ${join(home, "settings.json")}:1: Unknown setting "tolls". Did you mean "tools"?
`);
});

it("[D7][U6] a project that is trusted or untrusted while it is served is reported", async () => {
  const at = sandbox({ "hello.js": answering('"hello"') });
  const server = startServer(at, ["serve", "--port", "0", "--json"]);
  await server.until("\n");
  const trust = `toolwright trust --cwd ${at.project}`;
  const left = `toolwright: ${at.project} is not trusted, so its tools are not served. To serve them, run: ${trust}\n`;
  expect(await server.untilSaid("\n")).toBe(left);
  await startServer(at, ["trust"]).ended;
  const came = `${left}toolwright: New tools: hello\n`;
  expect(await server.untilSaid("hello\n")).toBe(came);
  await startServer(at, ["trust", "--remove"]).ended;
  const gone = `toolwright: Removed tools: hello\n${left}`;
  expect(await server.untilSaid(gone)).toBe(`${came}${gone}`);
});

describe("mcp --http", () => {
  it.each([[["--http", "0"]], [["--http=0"]], [["--http", "--port", "0"]], [["--http", "0", "--port", "0"]]])(
    "[M1][S4] accepts its port in every form: %j",
    async (args) => {
      const at = sandbox({ "hello.js": answering('"hello"') });
      const server = startServer(at, ["mcp", "--trust", "--json", ...args]);
      const { url, token } = JSON.parse(await server.until("\n"));
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
      const answer = await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(400);
      server.child.kill("SIGTERM");
      expect(await server.ended).toMatchObject({ code: 0, stderr: "" });
    },
  );

  it("[M1] listens on that port", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await startServer(sandbox(), ["mcp", "--http", String(port)]).ended;
    expect([code, stderr]).toEqual([
      1,
      `toolwright: Port ${port} of 127.0.0.1 is taken. Choose another with --port N; --port 0 takes any that is free.\n`,
    ]);
  });

  it.each([
    [["--port", "8080"], "--port requires --http."],
    [["--host", "::1"], "--host requires --http."],
    [["8080"], 'Unexpected argument "8080". Usage: toolwright mcp [options]'],
    [["--http", "http"], 'Unexpected argument "http". Usage: toolwright mcp [options]'],
    [["--", "--http", "8080"], 'Unexpected argument "--http". Usage: toolwright mcp [options]'],
    [["--http", "99999"], '--http takes a number from 0 to 65535, not "99999".'],
    [["--http="], '--http takes a number from 0 to 65535, not "".'],
    [["--http", "8080", "--port", "8081"], "--port 8081 and --http 8080 are two different ports. Use one of them."],
  ])("[M1][U1] usage errors are refused: %j", async (args, message) => {
    const { code, stderr } = await startServer(sandbox(), ["mcp", ...args]).ended;
    expect([code, stderr]).toEqual([2, `toolwright: ${message}\n`]);
  });

  it("[M1][S4] warns when other machines are accepted", async () => {
    const server = startServer(sandbox(), ["mcp", "--http", "0", "--host", "0.0.0.0"], {
      TOOLWRIGHT_TOKEN: "chosen-by-the-user",
    });
    await server.until("Ctrl-C");
    expect(await server.untilSaid("\n")).toBe(
      "toolwright: Other machines can connect to this server, and the connections are not encrypted. Put a proxy with TLS in front of it.\n",
    );
  });
});

it("[S1] a running call ends before the server, unless there is a second signal", async () => {
  const at = sandbox({ "slow.js": SLOW });
  const first = await readyServe(at);
  const patient = createClient(first).tools.run("slow", { ms: 700 }, { onUpdate: () => first.child.kill("SIGTERM") });
  expect(await patient).toMatchObject({ output: "done" });
  expect(await first.ended).toMatchObject({
    code: 0,
    stderr: "toolwright: Stopping: the running call has 3 seconds to end. Press Ctrl-C again to stop now.\n",
  });

  const second = await readyServe(at);
  const cut = createClient(second).tools.run(
    "slow",
    { ms: 60_000 },
    {
      onUpdate: () => {
        second.child.kill("SIGINT");
        setTimeout(() => second.child.kill("SIGINT"), 200);
      },
    },
  );
  await expect(cut).rejects.toThrow();
  expect((await second.ended).code).toBe(130);
  while (startedWith(at.home).length > 0) await sleep(50);
});
