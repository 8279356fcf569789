import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../src/client/index.ts";
import { sandbox } from "./support/fixture.ts";
import { readyServe, startServe } from "./support/http-command.ts";
import { startedWith } from "./support/processes.ts";
import { answering } from "./support/toolbox.ts";

const SLOW = `export default { description: "Takes its time.", args: { ms: { type: "number" } }, execute: ({ ms }, { metadata }) => {
  metadata({ title: "begun" });
  return new Promise((done) => setTimeout(done, ms, "done"));
} };`;

it("[S1][S4] serve --json prints one line when it is ready, and serves what that says", async () => {
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

it("[S1][S4] serve says where to go, the token included", async () => {
  const at = sandbox({ "hello.js": answering('"hello"') });
  const { until, child, ended } = startServe(at, ["--port", "0"]);
  const text = await until("Ctrl-C");
  const [, origin = "", token = ""] = /(http:\S+)\/api\/tools\?token=([\w-]{43})\n/.exec(text) ?? [];
  expect(text.replaceAll(origin, "ORIGIN").replaceAll(token, "TOKEN")).toBe(
    `Serving the tools of ${at.project}: hello, and 15 built-in ones.

  ORIGIN/api/tools?token=TOKEN

To call one:

  curl -H "Authorization: Bearer TOKEN" --json '{"input":{}}' ORIGIN/api/tools/hello/run

For MCP clients: ORIGIN/mcp with the header "Authorization: Bearer TOKEN"
All that there is: ORIGIN/openapi.json
Ctrl-C stops it.
`,
  );
  expect((await fetch(`${origin}/api/tools?token=${token}`)).status).toBe(200);
  child.kill("SIGINT");
  expect((await ended).code).toBe(0);
});

it("[S4] a token of the user's is taken, not shown, and kept from the tools", async () => {
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

it("[S4] a token comes from a file too", async () => {
  const at = sandbox();
  writeFileSync(join(at.project, "secret"), "from-a-file-of-mine\n");
  const { url } = await readyServe(at, ["--token-file", "secret"]);
  expect((await createClient({ url, token: "from-a-file-of-mine" }).tools.list()).counts.custom).toBe(0);
});

it("[S4] other machines are let in only with a token that was chosen", async () => {
  const at = sandbox();
  const { url, token } = await readyServe(at, ["--host", "0.0.0.0"], { TOOLWRIGHT_TOKEN: "chosen-by-the-user" });
  expect((await createClient({ url, token }).tools.list()).counts.custom).toBe(0);
  const refused = await startServe(at, ["--host", "0.0.0.0"]).ended;
  expect(refused).toMatchObject({
    code: 2,
    stdout: "",
    stderr:
      "toolwright: --host 0.0.0.0 lets other machines in, so choose the token yourself: set TOOLWRIGHT_TOKEN, or give --token-file FILE.\n",
  });
});

it.each([
  [["--port", "70000"], '--port takes a number from 0 to 65535, not "70000".'],
  [["--port", "http"], '--port takes a number from 0 to 65535, not "http".'],
  [["--token-file", "none"], /^--token-file none: it cannot be read: ENOENT/],
  [
    ["--token-file", "short"],
    "--token-file short: A token is 16 to 500 letters, digits and signs without spaces, on one line.",
  ],
  ...["https://tools.example.com", "tools.example.com:8080", "[::1]", ""].map((name): [string[], string] => [
    [`--allow-host=${name}`],
    `--allow-host takes a name without scheme, port and path, such as tools.example.com, not "${name}".`,
  ]),
  [["--builtins=a b"], '--builtins takes names of tools with commas between them, not "a b".'],
])("[U1] wrong use is told: %j", async (args, message) => {
  const at = sandbox();
  writeFileSync(join(at.project, "short"), "abc");
  const { code, stderr } = await startServe(at, args).ended;
  expect([code, stderr.replace(/^toolwright: /, "").trimEnd()]).toEqual([
    2,
    typeof message === "string" ? message : expect.stringMatching(message),
  ]);
});

it("[U1][U6] a port that is taken is told", async () => {
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

it("[D6] what is saved is served at once", async () => {
  const at = sandbox({ "hello.js": answering('"first"') });
  const { url, token } = await readyServe(at);
  const client = createClient({ url, token });
  expect(await client.tools.run("hello")).toMatchObject({ output: "first" });
  writeFileSync(join(at.tools, "hello.js"), answering('"second"'));
  writeFileSync(join(at.tools, "new.js"), answering('"new"'));
  while (!(await client.tools.list()).tools.some(({ name }) => name === "new")) await sleep(50);
  expect(await client.tools.run("hello")).toMatchObject({ output: "second" });
});

it("[S1] a call that is running ends before the server does, but for a second signal", async () => {
  const at = sandbox({ "slow.js": SLOW });
  const first = await readyServe(at);
  const patient = createClient(first).tools.run("slow", { ms: 700 }, { onUpdate: () => first.child.kill("SIGTERM") });
  expect(await patient).toMatchObject({ output: "done" });
  expect((await first.ended).code).toBe(0);

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
