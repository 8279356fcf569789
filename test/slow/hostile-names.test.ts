import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, type Ended, ensureBuilt } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { readyServe } from "../support/http-command.ts";

beforeAll(() => ensureBuilt());

/** Sets the colour, clears the screen, sets the title, begins a C1 sequence, reverses the text, isolates it, ends the line. */
const HOSTILE = "h\x1b[31m\x1b[2J\x1b]0;t\x07\x9b1m\x85\u202egnp\u202c\u2066x\u2069\u061c\u2028\u2029\x7f\x08";
/** A file name cannot be that long, and not every program takes each of these characters in a name. */
const SHORT = "h\x1b[31m\x9b1m\u202e\u2066\u2028";
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u2028-\u202e\u2066-\u2069]/;

const inTool = JSON.stringify(HOSTILE);

const FILES: Record<string, string> = {
  ".toolwright/tools/good.ts": `export default { description: ${inTool}, hints: { title: ${inTool} },
    parameters: { type: "object", properties: { [${inTool}]: { type: "string", description: ${inTool}, enum: [${inTool}] }, n: { type: "number" } }, required: ["n"] },
    execute: () => "fine" };`,
  ".toolwright/tools/fails.ts": `export default { description: "Fails.", execute: () => { throw new Error(${inTool}, { cause: new Error(${inTool}) }); } };`,
  ".toolwright/tools/named.ts": `export default { name: ${inTool}, description: "Named.", execute: () => "x" };`,
  ".toolwright/tools/broken.ts": `export default { description: "${SHORT.replaceAll("\u2028", "")}" oops }`,
  [`.toolwright/tools/${SHORT}.ts`]: "export default 1;",
  [`.toolwright/tools/in${SHORT}/deep.ts`]: "export default { description: ",
  [`.opencode/${SHORT}/tools/misplaced.ts`]: `export default { description: "Misplaced.", execute: () => "x" };`,
  "tools/misplaced.ts": `export default { description: "Misplaced.", execute: () => "x" };`,
  ".mcp.json": JSON.stringify({ mcpServers: { [SHORT]: { command: `no-such-${SHORT}`, args: [SHORT] } } }),
  ".toolwright/settings.json": JSON.stringify({
    [HOSTILE]: 1,
    permissions: [{ tool: HOSTILE, action: "deny", reason: HOSTILE }],
    tools: { disabled: [HOSTILE] },
    hooks: { before: [{ tool: HOSTILE, command: [HOSTILE] }] },
  }),
};

/** A trusted project whose names are hostile, and whose home is too. */
function hostileProject(): Sandbox {
  const at = sandbox();
  const project = join(at.root, `project${SHORT}`);
  const home = join(at.root, `home${SHORT}`);
  for (const [path, text] of Object.entries(FILES)) put(join(project, path), text);
  mkdirSync(join(project, ".git"), { recursive: true });
  put(join(home, "settings.json"), JSON.stringify({ mcp: { import: true }, mode: "bypass", [HOSTILE]: true }));
  return { ...at, project, env: { ...at.env, TOOLWRIGHT_HOME: home, TOOLWRIGHT_TRUST: "1" } };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const DEMO = ["chat", "--agent", "demo"];

const COMMANDS: Record<string, readonly string[]> = {
  list: ["list"],
  "list of an unknown source": ["list", HOSTILE],
  "show a tool": ["show", "good"],
  "show an unknown tool": ["show", HOSTILE],
  check: ["check"],
  "check a file": ["check", `.toolwright/tools/${SHORT}.ts`],
  "check an unknown file": ["check", HOSTILE],
  "run an unknown tool": ["run", HOSTILE],
  "run a tool that fails": ["run", "fails"],
  "run with an unknown field": ["run", "good", `${HOSTILE}=1`],
  "run with a wrong value": ["run", "good", `n=${HOSTILE}`],
  "run with a wrong input": ["run", "good", "--input", JSON.stringify({ n: 1, [HOSTILE]: HOSTILE, more: HOSTILE })],
  "run in an unknown session": ["run", "good", "n=1", "--session", HOSTILE],
  doctor: ["doctor"],
  permissions: ["permissions"],
  "permissions of a call": ["permissions", "good"],
  agents: ["agents"],
  trust: ["trust"],
  "trust --remove": ["trust", "--remove"],
  sessions: ["sessions"],
  "an unknown session": ["sessions", "show", HOSTILE],
  "an unknown command": [HOSTILE],
  "an unknown option": ["list", `--${HOSTILE}`],
  "an unknown directory": ["list", "--cwd", join("/no", HOSTILE)],
  "an unknown agent": ["chat", "--agent", HOSTILE, "-p", "hi"],
  "install for an unknown agent": ["install", HOSTILE],
  "new with a wrong name": ["new", HOSTILE],
};

function mustBeHarmless({ stdout, stderr }: Ended): void {
  const raw = `${stdout}${stderr}`.split("\n").filter((line) => RAW.test(line));
  expect(raw.map((line) => JSON.stringify(line).slice(0, 300))).toEqual([]);
}

describe.skipIf(process.platform === "win32")(
  "[X1] names, paths and messages are harmless when a command is piped",
  () => {
    it.each(Object.entries(COMMANDS))("%s", async (_, args) => {
      const at = hostileProject();
      mustBeHarmless(await cli(at, args));
      const ended = await cli(at, [...args, "--json"]);
      mustBeHarmless(ended);
      for (const line of ended.stdout.split("\n")) if (line !== "") JSON.parse(line);
    });

    it("parses to the same text as before", async () => {
      const at = hostileProject();
      const { stdout } = await cli(at, ["show", "good", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ description: HOSTILE });
      const failed = await cli(at, ["run", "fails", "--json"]);
      expect(JSON.parse(failed.stdout)).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining(HOSTILE) },
      });
    });

    it("sessions: titles, messages and calls", async () => {
      const at = hostileProject();
      await cli(at, [...DEMO, "-p", `${HOSTILE}\ncall fails`]);
      const { stdout } = await cli(at, ["sessions", "--json"]);
      mustBeHarmless({ stdout, stderr: "", code: 0, signal: null });
      const ids = [...stdout.matchAll(/"id":"([^"]+)"/g)].map(([, id = ""]) => id);
      expect(ids.length).toBeGreaterThan(0);
      mustBeHarmless(await cli(at, ["sessions"]));
      for (const id of ids) {
        for (const args of [
          ["show", id],
          ["show", id, "--json"],
          ["export", id],
          ["export", id, "--format", "markdown"],
        ]) {
          mustBeHarmless(await cli(at, ["sessions", ...args]));
        }
      }
    });

    it("chat: the text of the agent stays as it wrote it on stdout, and is escaped elsewhere", async () => {
      const at = hostileProject();
      const ended = await cli(at, [...DEMO, "-p", HOSTILE]);
      expect(ended.stdout).toContain(HOSTILE);
      mustBeHarmless({ ...ended, stdout: "" });
      mustBeHarmless(await cli(at, [...DEMO, "-p", HOSTILE, "--json"]));
      mustBeHarmless(await cli(at, [...DEMO, "-p", "say Hi.", "--cwd", at.project], { cwd: at.root }));
    });

    it("the REST API and the audit log", async () => {
      const at = hostileProject();
      await cli(at, ["run", "fails", `${HOSTILE}=x`]);
      await cli(at, ["run", "fails"]);
      const server = await readyServe(at);
      const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
      const get = async (path: string, init: RequestInit = {}): Promise<string> =>
        (await fetch(`${server.url}${path}`, { headers, ...init })).text();
      const bodies = [
        await get("/api/tools"),
        await get("/api/status"),
        await get(`/api/${encodeURIComponent(HOSTILE)}`),
        await get("/api/tools/fails/run", { method: "POST", body: "{}" }),
        await get("/api/tools/fails/run", {
          method: "POST",
          body: "{}",
          headers: { ...headers, accept: "text/event-stream" },
        }),
        await get("/api/tools/good/run", { method: "POST", body: JSON.stringify({ input: { [HOSTILE]: HOSTILE } }) }),
        readFileSync(join(at.env.TOOLWRIGHT_HOME as string, "audit.log"), "utf8"),
      ];
      for (const stdout of bodies) mustBeHarmless({ stdout, stderr: "", code: 0, signal: null });
      const { tools } = JSON.parse(bodies[0] as string) as { tools: { description: string }[] };
      expect(tools.map(({ description }) => description)).toContain(HOSTILE);
    });

    it("what a tool returns stays as it wrote it", async () => {
      const at = hostileProject();
      put(
        join(at.project, ".toolwright/tools/says.ts"),
        `export default { description: "Says.", execute: () => ${inTool} };`,
      );
      expect((await cli(at, ["run", "says"])).stdout).toBe(`${HOSTILE}\n`);
      const ended = await cli(at, ["run", "says", "--json"]);
      mustBeHarmless(ended);
      expect(JSON.parse(ended.stdout)).toMatchObject({ ok: true, output: HOSTILE });
    });
  },
);
