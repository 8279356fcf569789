import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { CLI, cli, ensureBuilt } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { calling, connect, ERAS, initialize, type Raw, rawOver } from "../support/mcp-client.ts";
import { hosts } from "../support/processes.ts";
import { put } from "../support/temporary.ts";
import { answering } from "../support/toolbox.ts";

const STATUS = "toolwright-status";
const LIST = { jsonrpc: "2.0", method: "tools/list" };
const PATIENTLY = { timeout: 30_000, interval: 50 };

/** `toolwright mcp` as an agent starts it. */
function server(at: Sandbox): Raw {
  const child = spawn(process.execPath, [CLI, "mcp", "--cwd", at.project, "--trust"], { env: at.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr.resume();
  return rawOver(child.stdin, child.stdout);
}

async function listed(raw: Raw, id: string): Promise<string[]> {
  raw.send({ ...LIST, id });
  const { result } = await raw.answerTo(id);
  const tools = (result?.tools ?? []) as readonly { name: string }[];
  return tools.map(({ name }) => name);
}

function changed(raw: Raw): Promise<unknown> {
  return raw.next(({ method }) => method === "notifications/tools/list_changed");
}

/** A tool file whose import ends when `release` is called. */
function gated(at: Sandbox, name: string, answer: string): () => void {
  const gate = join(at.root, `gate-${answer}`);
  const head = `import { existsSync } from "node:fs";\nwhile (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 20));\n`;
  put(join(at.tools, name), `${head}${answering(JSON.stringify(answer))}`);
  return () => writeFileSync(gate, "");
}

async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

beforeAll(ensureBuilt);

describe("[M6] a list is sent before slow tool files have loaded", () => {
  it("says that tools are being loaded if none is known, and announces them", async () => {
    const at = sandbox();
    const release = gated(at, "late.ts", "first");
    const raw = server(at);
    await initialize(raw);
    raw.send({ ...LIST, id: "early" });
    const { result } = await raw.answerTo("early");
    expect(result?.tools).toMatchObject([
      {
        name: STATUS,
        description: `The tools of ${at.project} are still being loaded. Call this tool for the details, and tell the user.`,
      },
    ]);
    // A tool that is not listed yet can be called.
    raw.send(calling("call", "late"));
    release();
    expect((await raw.answerTo("call")).result?.content).toEqual([{ type: "text", text: "first" }]);
    await changed(raw);
    expect(await listed(raw, "late")).toEqual(["late"]);
  });

  it("ends its wait also for a client that is known to wait", async () => {
    const at = sandbox();
    const release = gated(at, "late.ts", "first");
    for (const name of ["claude-code", "codex-mcp-client"]) {
      const raw = server(at);
      await initialize(raw, { clientInfo: { name, version: "1" } });
      expect(await listed(raw, "early")).toEqual([STATUS]);
      raw.end();
    }
    release();
  });

  it("has the tools that a changed file had when it was last read, and their calls wait for the file", async () => {
    const at = sandbox({ "late.ts": answering('"old"'), "other.ts": answering('"other"') });
    const first = server(at);
    await initialize(first);
    await expect.poll(() => listed(first, crypto.randomUUID()), PATIENTLY).toEqual(["late", "other"]);
    first.end();

    const release = gated(at, "late.ts", "new");
    const second = server(at);
    const { result } = await initialize(second);
    expect(result?.instructions).toBe("Tools that the user and this project provide: late, other.");
    expect(await listed(second, "list")).toEqual(["late", "other"]);
    second.send(calling("call", "late"));
    second.send({ jsonrpc: "2.0", id: "ping", method: "ping" });
    await second.answerTo("ping");
    expect(second.unread).toEqual([]);
    release();
    expect((await second.answerTo("call")).result?.content).toEqual([{ type: "text", text: "new" }]);
  });

  it("announces that a tool is gone, if the changed file no longer has it", async () => {
    const at = sandbox({ "late.ts": answering('"old"'), "other.ts": answering('"other"') });
    expect((await cli(at, ["list", "--trust"])).code).toBe(0);
    const gate = join(at.root, "gate");
    put(
      join(at.tools, "late.ts"),
      `import { existsSync } from "node:fs";\nwhile (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 20));\nthrow new Error("Not today.");\n`,
    );
    const raw = server(at);
    await initialize(raw);
    expect(await listed(raw, "list")).toEqual(["late", "other"]);
    raw.send(calling("call", "late"));
    writeFileSync(gate, "");
    expect((await raw.answerTo("call")).error?.message).toContain('"late" cannot be used.');
    await changed(raw);
    expect(await listed(raw, "again")).toEqual(["other"]);
  });
});

describe.each(ERAS)("[M6] the tool toolwright-status, for a client of %s", (era) => {
  it("[D7] is offered while a project is not trusted, and is gone when it is", async () => {
    const at = sandbox({ "greet.ts": answering('"Hello."') });
    const { client } = await connect(at, era, { args: [] });
    const told = new Promise((resolve) =>
      client.setNotificationHandler("notifications/tools/list_changed", () => resolve("changed")),
    );
    if (era === "2026-07-28") await client.listen({ toolsListChanged: true });
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      {
        name: STATUS,
        description: `The tools of ${at.project} are missing, because the user has not trusted this project. Call this tool for the details, and tell the user.`,
        inputSchema: { type: "object", properties: {} },
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
        _meta: { "anthropic/alwaysLoad": true },
      },
    ]);
    expect((await client.callTool({ name: STATUS, arguments: {} })).content).toEqual([
      {
        type: "text",
        text: `The tools of ${at.project} are missing, because the user has not trusted this project. 1 file did not load:
- ${at.tools}/greet.ts
The user can read the files and then run this command. Do not run it yourself.
  toolwright trust --cwd ${at.project}
The tools are served as soon as the project is trusted. If they do not appear, start a new session.`,
      },
    ]);
    expect(hosts()).toEqual([]);

    expect((await cli(at, ["trust"])).code).toBe(0);
    expect(await told).toBe("changed");
    await expect.poll(() => names(client), PATIENTLY).toEqual(["greet"]);
    expect((await client.callTool({ name: STATUS, arguments: {} })).content).toEqual([
      { type: "text", text: "No tools are missing. These tools are served: greet." },
    ]);
  });

  it("is offered while no tool file could be loaded, and says why", async () => {
    const at = sandbox({ "a.ts": 'export default {\n  description: "A.",\n  execute: () => {\n' });
    const { client } = await connect(at, era);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      {
        name: STATUS,
        description: `No tools could be loaded for ${at.project}: 1 problem. Call this tool for the details, and tell the user.`,
      },
    ]);
    const { content } = await client.callTool({ name: STATUS, arguments: {} });
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    expect(text.split("\n")).toEqual([
      `No tools could be loaded for ${at.project}: 1 problem.`,
      expect.stringContaining(`- ${at.tools}/a.ts:`),
      "The tools are served as soon as the files are corrected. To check them, run: toolwright check",
    ]);
    put(join(at.tools, "a.ts"), answering('"A."'));
    await expect.poll(() => names(client), PATIENTLY).toEqual(["a"]);
  });

  it("is not offered if some tools load, if there are none, or if a tool has its name", async () => {
    const some = sandbox({ "a.ts": answering('"A."'), "b.ts": "export default {" });
    expect(await names((await connect(some, era)).client)).toEqual(["a"]);
    expect(await names((await connect(sandbox(), era)).client)).toEqual([]);

    const own = sandbox({ "greet.ts": answering('"Hello."') });
    put(join(own.home, `.toolwright/tools/${STATUS}.ts`), answering('"mine"'));
    const { client } = await connect(own, era, { args: [] });
    expect(await names(client)).toEqual([STATUS]);
    expect((await client.callTool({ name: STATUS, arguments: {} })).content).toEqual([{ type: "text", text: "mine" }]);
  });
});

describe.each(ERAS)("[M6] a client of %s", (era) => {
  it("is told the names of the tools, and which are pinned", async () => {
    const file = (count: number): string =>
      JSON.stringify({
        name: "many",
        tools: Array.from({ length: count }, (_, at) => ({
          name: `t${at}`,
          description: "Says its name.",
          inputSchema: { type: "object" },
          handler: { type: "shell", command: `echo t${at}` },
        })),
      });
    const pinned = async (at: Sandbox): Promise<string[]> => {
      const { client } = await connect(at, era);
      const { tools } = await client.listTools();
      return tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true).map(({ name }) => name);
    };
    const few = sandbox({ "many.json": file(3) });
    expect(await pinned(few)).toEqual(["t0", "t1", "t2"]);
    expect((await connect(few, era)).client.getInstructions()).toBe(
      "Tools that the user and this project provide: t0, t1, t2.",
    );
    const many = sandbox({ "many.json": file(21) });
    expect(await pinned(many)).toEqual([]);
    put(join(many.home, ".toolwright/settings.json"), '{ "tools": { "pinned": ["t2*"] } }');
    expect(await pinned(many)).toEqual(["t2", "t20"]);
  });
});
