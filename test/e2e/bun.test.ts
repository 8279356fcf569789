import { execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/core/question.ts";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { CLI } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { BUN, BUN_FOLDER, installed } from "../support/installed.ts";
import { hosts, startedWith } from "../support/processes.ts";
import { put } from "../support/temporary.ts";
import { open } from "../support/toolbox.ts";

const missing = await installed("bun");

/** A tool with this body. It returns its runtime unless the body returns. */
function tool(body: string, head = ""): string {
  return `${head}\nexport default { description: "Runs.", async execute(args, context) { ${body} } };\n`;
}

const WHERE = 'return typeof Bun === "undefined" ? "node" : "bun";';
const IN_BUN = "Bun.gc(false);";

const NEEDS =
  'It needs the Bun runtime, which is not installed: install Bun (https://bun.sh) and make sure that "bun" is on PATH.';

/** The same sandbox with Bun on PATH, or with an empty PATH. */
function withPath(at: Sandbox, path: string = BUN_FOLDER): Sandbox {
  return { ...at, env: { ...at.env, PATH: path } };
}

/** Installs a package beside the tool files. */
function putModule(at: Sandbox, name: string, code: string): void {
  const folder = join(at.tools, "node_modules", name);
  put(join(folder, "package.json"), JSON.stringify({ name, type: "module", main: "index.js" }));
  put(join(folder, "index.js"), code);
}

type Opened = Awaited<ReturnType<typeof open>>;

function start(files: Record<string, string>, options: ToolboxOptions = {}): Promise<Opened> {
  return open(withPath(sandbox(files)), options);
}

async function eventsOf(toolbox: Toolbox, name: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of toolbox.call({ name })) events.push(event);
  return events;
}

describe.skipIf(missing)(`[A9] files that use Bun${missing ? ` (${missing})` : ""}`, () => {
  it.each([
    [
      "Bun.$",
      tool("return (await Bun.$`echo from the shell`.text()).trim() + Bun.version.slice(0, 2);"),
      "from the shell1.",
    ],
    [
      "Bun.file",
      tool('await Bun.write(context.directory + "/a", "kept"); return Bun.file(context.directory + "/a").text();'),
      "kept",
    ],
    [
      "bun:sqlite",
      tool(
        'return String(new Database(":memory:").query("select 6 * 7 as n").get().n);',
        'import { Database } from "bun:sqlite";',
      ),
      "42",
    ],
    ["bun", tool("return (await $`echo imported`.text()).trim();", 'import { $ } from "bun";'), "imported"],
    ["require", tool('return typeof require("bun:ffi").dlopen;'), "function"],
    ["top-level code", tool("return where;", "const where: string = Bun.version.slice(0, 2);"), "1."],
  ])("%s", async (_, source, output) => {
    const { toolbox, say } = await start({ "a.ts": source });
    expect(toolbox.problems()).toEqual([]);
    expect(await say("a")).toBe(output);
  });

  it("run in Bun if only a sibling file needs it; the others stay on Node", async () => {
    const at = withPath(
      sandbox({
        "uses.ts": tool("return list();", 'import { list } from "./lib/list";'),
        "plain.ts": tool(WHERE),
        "guarded.ts": tool('return typeof Bun === "undefined" ? "node" : Bun.version;'),
        "types.ts": tool(WHERE, 'import type { BunFile } from "bun";\nexport type Kept = BunFile;'),
      }),
    );
    mkdirSync(join(at.tools, "lib"));
    writeFileSync(
      join(at.tools, "lib/list.ts"),
      "export const list = async () => (await Bun.$`echo listed`.text()).trim();",
    );
    const { toolbox, say } = await open(at);
    expect(toolbox.problems()).toEqual([]);
    expect(await say("uses")).toBe("listed");
    for (const name of ["plain", "guarded", "types"]) expect(await say(name)).toBe("node");
  });

  it("run in Bun if only a package needs it, at once, in a default function, or when called; the others stay on Node", async () => {
    const at = withPath(
      sandbox({
        "at-once.ts": tool("return rows;", 'import { rows } from "at-once";'),
        "later.ts": tool("return version();", 'import { version } from "later";'),
        "init.ts": `import type { ExtensionAPI } from "toolwright"; import { start } from "later-import"; export default async (pi) => { const how = await start();
          pi.registerTool({ name: "init", description: "Runs.", parameters: {}, execute: async () => ({ content: [{ type: "text", text: how }] }) }); };`,
        "guarded.ts": tool("return where;", 'import { where } from "guarded";'),
      }),
    );
    const packages = {
      "at-once": 'import { Database } from "bun:sqlite"; export const rows = typeof Database;',
      later: "export const version = () => Bun.version.slice(0, 2);",
      "later-import": 'export const start = async () => typeof (await import("bun:sqlite")).Database;',
      guarded: 'export const where = typeof Bun === "undefined" ? "node" : Bun.version;',
    };
    for (const [name, code] of Object.entries(packages)) putModule(at, name, code);
    const { toolbox, say } = await open(at);
    expect(toolbox.problems()).toEqual([]);
    expect(await say("at-once")).toBe("function");
    expect(await say("later")).toBe("1.");
    expect(await say("init")).toBe("function");
    expect(await say("guarded")).toBe("node");
  });

  it("may use all schema libraries, and their input is validated", async () => {
    const source = `import { tool } from "@opencode-ai/plugin"; import { z } from "zod";
      export default tool({ description: "Counts.", args: { count: tool.schema.coerce.number().min(1), more: z.string().default("x") },
        execute: async ({ count, more }) => (await Bun.$\`echo \${more.repeat(count)}\`.text()).trim() });`;
    const { toolbox, say } = await start({ "a.ts": source });
    expect(toolbox.get("a")?.inputSchema).toMatchObject({ properties: { count: { type: "number", minimum: 1 } } });
    expect(await say("a", { count: "3" })).toBe("xxx");
    expect(await say("a", { count: 0 })).toMatch(/^The input for "a" is not valid:\n- \/count: /);
  });

  it("refuse an input that is not JSON", async () => {
    const { say } = await start({ "a.ts": tool(`${IN_BUN} return "ran";`) });
    expect(await say("a", { run: () => 1 })).toBe(
      'The input for "a" is not valid:\n- input: holds something that is not plain data (a function, say). Pass JSON values only.\nCorrect it and call the tool again.',
    );
    expect(await say("a")).toBe("ran");
  });

  it("do not read the Bun settings of the project", async () => {
    const at = withPath(
      sandbox({ "a.ts": tool(`${IN_BUN} return String(process.env.FROM_FILE ?? globalThis.preloaded);`) }),
    );
    writeFileSync(join(at.project, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
    writeFileSync(join(at.project, "preload.ts"), "globalThis.preloaded = true;");
    writeFileSync(join(at.project, ".env"), "FROM_FILE=1\n");
    expect(await (await open(at)).say("a")).toBe("undefined");
  });

  it("have cached manifests, and are listed without a process", async () => {
    const at = withPath(sandbox({ "a.ts": tool(`${IN_BUN} return "ran";`) }));
    await (await open(at)).toolbox.close();
    const { toolbox, say } = await open(at);
    expect(hosts()).toEqual([]);
    expect(toolbox.list().map(({ name }) => name)).toEqual(["a"]);
    expect(await say("a")).toBe("ran");
    expect(hosts().filter((line) => line.includes("bun"))).toHaveLength(1);
    await toolbox.close();
    expect(startedWith(at.home)).toEqual([]);
  });

  it.each([
    ["waits for ever", "await new Promise(() => {});"],
    ["blocks its process", "while (true) {}"],
  ])("[D5] one whose import %s does not affect the others", async (_, hangs) => {
    const { toolbox, say } = await start(
      { "a.ts": tool(WHERE, IN_BUN), "b.ts": tool(WHERE, `${IN_BUN} ${hangs}`), "c.ts": tool(WHERE, IN_BUN) },
      { waitMs: 1, limits: { importMs: 600_000 } },
    );
    await expect.poll(() => toolbox.list().map(({ name }) => name), { timeout: 30_000 }).toEqual(["a", "c"]);
    expect([await say("a"), await say("c")]).toEqual(["bun", "bun"]);
  });

  it("a changed sibling is picked up", async () => {
    const at = withPath(sandbox({ "a.ts": tool(`${IN_BUN} return word;`, 'import { word } from "./lib/word";') }));
    mkdirSync(join(at.tools, "lib"));
    writeFileSync(join(at.tools, "lib/word.ts"), 'export const word = "first";');
    const { toolbox, say } = await open(at);
    expect(await say("a")).toBe("first");
    writeFileSync(join(at.tools, "lib/word.ts"), 'export const word = "second one";');
    await toolbox.reload();
    expect(await say("a")).toBe("second one");
  });

  it("move to the other runtime when they start or stop using Bun", async () => {
    const at = withPath(sandbox({ "a.ts": tool(WHERE) }));
    const { toolbox, say } = await open(at);
    expect(await say("a")).toBe("node");
    writeFileSync(join(at.tools, "a.ts"), tool('return "bun " + Bun.version.slice(0, 2);'));
    await toolbox.reload();
    expect(await say("a")).toBe("bun 1.");
    writeFileSync(join(at.tools, "a.ts"), tool(`${WHERE} /* again */`));
    await toolbox.reload();
    expect(await say("a")).toBe("node");
  });
});

describe.skipIf(missing)("[P4] [P5] calls in Bun", () => {
  const LIMITS = { timeoutMs: 1500, importMs: 3000, memoryMb: 400 };

  it.each([
    ["an error", 'throw new Error("No database today.");', "failed", "No database today."],
    ["a blocked loop", "for (;;);", "timeout", '"a" was stopped after 1.5 s, its time limit.'],
    [
      "a promise that never settles",
      "await new Promise(() => {});",
      "timeout",
      '"a" was stopped after 1.5 s, its time limit.',
    ],
    ["an exit", "process.exit(3);", "crashed", "a tool called process.exit(3)"],
    [
      "an uncaught error",
      'setTimeout(() => { throw new Error("Later"); }, 10); await new Promise(() => {});',
      "crashed",
      "an uncaught error: Later",
    ],
    [
      "unlimited memory",
      "const all = []; for (;;) { all.push(Buffer.alloc(1e7, 1)); await Bun.sleep(1); }",
      "crashed",
      "it used more than 400 MB of memory, its limit",
    ],
    ["a result that is not data", "return 1n;", "invalid_output", "BigInt"],
    ["a question without an answer", 'await context.ask({ permission: "deploy", patterns: [] });', "denied", "deploy"],
  ])("%s fails that call only", async (_, body, code, words) => {
    const { toolbox, say } = await start(
      { "a.ts": tool(`${IN_BUN} ${body}`), "other.ts": tool('return "bun " + Bun.version.slice(0, 2);') },
      { limits: LIMITS },
    );
    const result = await toolbox.call({ name: "a" }).result;
    expect(result).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(words) } });
    expect(await say("other")).toBe("bun 1.");
  });

  it("an unhandled rejection has no effect", async () => {
    const { say } = await start({
      "a.ts": tool(`${IN_BUN} Promise.reject(new Error("lost")); await Bun.sleep(50); return "went on";`),
    });
    expect(await say("a")).toBe("went on");
  });

  it("a cancelled call receives the abort signal", async () => {
    const waits =
      "await new Promise((_, reject) => context.abort.addEventListener('abort', () => reject(context.abort.reason)));";
    const { toolbox } = await start({ "a.ts": tool(`${IN_BUN} ${waits}`) });
    const run = toolbox.call({ name: "a" });
    await sleep(300);
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("progress is shown while it runs, and output is logged", async () => {
    const body = `${IN_BUN} console.log("printed"); process.stdout.write("{}\\n"); context.metadata({ title: "half" }); await Bun.sleep(200); return "done";`;
    const { toolbox } = await start({ "a.ts": tool(body) });
    let log = "";
    toolbox.on("log", ({ text }) => {
      log += text;
    });
    const events = await eventsOf(toolbox, "a");
    expect(events.map(({ type }) => type)).toEqual(["tool.start", "tool.update", "tool.complete"]);
    await expect.poll(() => log).toBe("printed\n{}\n");
  });

  it("an image is returned as an image, and a large text is truncated", async () => {
    const picture = tool(`${IN_BUN} return { content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] };`);
    const { toolbox, say } = await start({ "a.ts": picture, "big.ts": tool(`${IN_BUN} return "x".repeat(1e7);`) });
    const { content } = await toolbox.call({ name: "a" }).result;
    expect(content).toEqual([{ type: "image", mimeType: "image/png", data: "AAAA" }]);
    expect(await say("big")).toMatch(/\n\[truncated: 9950\d{3} bytes omitted; full output: .*\.txt\]$/);
  });

  it("a blocked host exits when its parent is killed", async () => {
    const at = withPath(sandbox({ "a.ts": tool(`${IN_BUN} console.log("begun"); for (;;);`) }));
    const index = fileURLToPath(new URL("../../src/index.ts", import.meta.url));
    const script = `const { createToolbox } = await import(${JSON.stringify(index)});
      const toolbox = await createToolbox({ cwd: ${JSON.stringify(at.project)}, env: ${JSON.stringify(at.env)}, trust: true });
      toolbox.on("log", ({ text }) => process.stdout.write(text));
      await toolbox.call({ name: "a" }).result;`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: at.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => parent.stdout.once("data", resolve));
    parent.kill("SIGKILL");
    await expect.poll(() => startedWith(at.home), { timeout: 10_000 }).toEqual([]);
  });
});

describe("[A9] [D5] without Bun on the machine", () => {
  it("each file that needs it is reported with the reason, and the others work", async () => {
    const at = sandbox({
      "shell.ts": tool("return Bun.$`ls`.text();"),
      "sqlite.ts": tool("return Database;", 'import { Database } from "bun:sqlite";'),
      "plain.ts": tool(WHERE),
    });
    const { toolbox, say } = await open(withPath(at, join(at.root, "nothing")));
    expect(toolbox.problems()).toEqual([
      { file: join(at.tools, "shell.ts"), code: "needs_bun", message: `It uses "Bun.$". ${NEEDS}` },
      { file: join(at.tools, "sqlite.ts"), code: "needs_bun", message: `It imports "bun:sqlite". ${NEEDS}` },
    ]);
    expect(await say("plain")).toBe("node");
    expect(await say("shell")).toContain(`It uses "Bun.$". ${NEEDS}`);
  });

  it("a package that needs it is named, also if it needs it only when it is called", async () => {
    const at = sandbox({
      "at-once.ts": tool("return rows;", 'import { rows } from "at-once";'),
      "later.ts": tool("return version();", 'import { version } from "later";'),
      "later-import.ts": tool("return start();", 'import { start } from "later-import";'),
    });
    const packages = {
      "at-once": 'import { Database } from "bun:sqlite"; export const rows = typeof Database;',
      later: "export const version = () => Bun.version.slice(0, 2);",
      "later-import": 'export const start = async () => typeof (await import("bun:sqlite")).Database;',
    };
    for (const [name, code] of Object.entries(packages)) putModule(at, name, code);
    const { toolbox, say } = await open(withPath(at, join(at.root, "nothing")));
    expect(toolbox.problems()).toEqual([
      {
        file: join(at.tools, "at-once.ts"),
        code: "needs_bun",
        message: `node_modules/at-once/index.js: It imports "bun:sqlite". ${NEEDS}`,
      },
    ]);
    const advice =
      'This tool runs in Node, where Bun is missing. To run all tools in Bun, install Bun and set "runtime": "bun" in the settings.';
    expect(await say("later")).toBe(`Bun is not defined. ${advice}`);
    expect(await say("later-import")).toBe(
      `${join(at.tools, "node_modules/later-import/index.js")}: It imports "bun:sqlite". ${advice}`,
    );
  });

  it.skipIf(missing)("the files work after Bun is installed", async () => {
    const at = sandbox({ "a.ts": tool('return "bun " + Bun.version.slice(0, 2);') });
    await (await open(withPath(at, join(at.root, "nothing")))).toolbox.close();
    const { toolbox, say } = await open(withPath(at));
    expect(toolbox.problems()).toEqual([]);
    expect(await say("a")).toBe("bun 1.");
  });
});

describe.skipIf(missing)("[K1] the setting runtime", () => {
  function settings(at: Sandbox, value: object): void {
    mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
    writeFileSync(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(value));
  }

  it('"bun" runs all tools in Bun', async () => {
    const at = withPath(
      sandbox({ "a.ts": tool(WHERE), "b.cjs": `module.exports = { description: "B.", execute: () => typeof Bun };` }),
    );
    settings(at, { runtime: "bun" });
    const { toolbox, say } = await open(at);
    expect(toolbox.problems()).toEqual([]);
    expect(await say("a")).toBe("bun");
    expect(await say("b")).toBe("object");
  });
});

describe.skipIf(missing)("[Z3] if Bun runs toolwright itself", () => {
  const HELLO = { jsonrpc: "2.0", id: 1, method: "initialize" };
  const CLIENT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tester", version: "1" } };

  it("tools are run and listed", async () => {
    const at = withPath(sandbox({ "where.ts": tool(WHERE) }));
    const options = { cwd: at.project, env: at.env };
    const ran = await promisify(execFile)(BUN, [CLI, "run", "where", "--trust"], options);
    expect(ran.stdout).toBe("bun\n");
    const listed = await promisify(execFile)(BUN, [CLI, "list", "--json", "--trust"], options);
    expect(listed.stdout).toContain('"name":"where"');
  });

  it("tools are served to MCP clients", async () => {
    const at = withPath(sandbox({ "where.ts": tool(WHERE) }));
    const server = spawn(BUN, [CLI, "mcp", "--trust"], { cwd: at.project, env: at.env, stdio: "pipe" });
    const lines: string[] = [];
    const answered = new Promise<void>((resolve) => {
      server.stdout.setEncoding("utf8").on("data", (text: string) => {
        lines.push(text);
        if (text.includes('"id":2')) resolve();
      });
    });
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "where", arguments: {} } };
    const said = [{ ...HELLO, params: CLIENT }, { jsonrpc: "2.0", method: "notifications/initialized" }, call];
    server.stdin.write(said.map((each) => `${JSON.stringify(each)}\n`).join(""));
    await answered;
    expect(lines.join("")).toContain('{"content":[{"type":"text","text":"bun"}]}');
    const ended = new Promise((resolve) => server.on("exit", resolve));
    server.stdin.end();
    expect(await ended).toBe(0);
  });
});

describe.skipIf(missing)("[A4][A9] under Bun, a call that fails", () => {
  const bug = "This is a bug in the tool. Fix it in FILE:4.";
  const empty = "This is a bug in the tool: throw an Error whose message says what went wrong.";

  it.each([
    ["plain", 'throw new Error("No report.", { cause: "disk full" });', "No report.", true],
    ["empty", "throw new Error();", `The tool threw an error without a message in FILE:4. ${empty}`, true],
    ["nothing", "throw undefined;", `The tool threw undefined in FILE. ${empty}`, false],
    ["reference", "return absent;", `absent is not defined. ${bug}`, true],
    ["property", "return args.a.b;", `undefined is not an object (evaluating 'args.a.b'). ${bug}`, true],
  ])("says where: %s", async (name, body, message, hasPlace) => {
    const head = "interface A {}\ntype B = A | 1;\n";
    const { toolbox, at } = await start({ [`${name}.ts`]: tool(`${body} ${IN_BUN}`, head) });
    const file = join(at.tools, `${name}.ts`);
    const result = await toolbox.call({ name }).result;
    expect(result).toMatchObject({ ok: false, error: { message: message.replace("FILE", file) } });
    expect(result.notes.thrownAt?.replace(/:\d+$/, "")).toBe(hasPlace ? `${file}:4` : undefined);
  });
});
