import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import { allRoutes } from "../../src/surfaces/http/server/routes/routes.ts";
import { serveHttp } from "../../src/surfaces/http/server/serve-http.ts";
import { createProtocol } from "../../src/surfaces/mcp/index.ts";
import { startToolbox } from "../../src/toolbox/open-toolbox.ts";
import type { Report, Toolbox } from "../../src/toolbox/toolbox.ts";
import { cli, ensureBuilt } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { readyServe } from "../support/http-command.ts";
import { TOKEN } from "../support/http-server.ts";
import { calling, connect, ERAS, initialize, rawConnection, rawProcess } from "../support/mcp-client.ts";
import { hosts } from "../support/processes.ts";
import { put } from "../support/temporary.ts";
import { answering, open } from "../support/toolbox.ts";

/** Longer than any test may take, so it never passes. */
const IMPORT_MS = 600_000;

/** For events without a deadline. */
const PATIENTLY = { timeout: 30_000, interval: 50 };

const STILL =
  "It is still being imported, and its tools are missing until that has ended. Move long work from the top of the file into execute().";

/** Statements that keep an import from ending while `isHeld` is true. */
const WAYS = {
  "waits for ever": (isHeld: string) => `while (${isHeld}) await new Promise((resolve) => setTimeout(resolve, 20));`,
  "blocks its process": (isHeld: string) => `while (${isHeld}) {}`,
} as const;

const BOTH = Object.entries(WAYS);

/** Good files, and among them, by name, one whose import ends when `release` is called. */
function project(way: (isHeld: string) => string): { at: Sandbox; file: string; release: () => void } {
  const at = sandbox({ "a.ts": answering('"from a"'), "z.ts": answering('"from z"') });
  put(join(at.home, ".toolwright/settings.json"), JSON.stringify({ limits: { importMs: IMPORT_MS } }));
  const gate = join(at.root, "gate");
  const head = `import { existsSync } from "node:fs";\n${way(`!existsSync(${JSON.stringify(gate)})`)}\n`;
  const file = put(join(at.tools, "late.ts"), `${head}${answering('"from late"')}`);
  return { at, file, release: () => writeFileSync(gate, "") };
}

function names(toolbox: Pick<Toolbox, "list">): string[] {
  return toolbox.list().map(({ name }) => name);
}

function changed(toolbox: Toolbox): Promise<void> {
  return new Promise((resolve) => {
    const stop = toolbox.on("change", () => {
      stop();
      resolve();
    });
  });
}

describe.each(BOTH)("a file whose import %s", (_, way) => {
  beforeAll(ensureBuilt);

  it.each(ERAS)(
    "[D5] [M2] does not delay other tools for a client of %s, and is served when it is loaded",
    async (era) => {
      const { at, release } = project(way);
      const { client } = await connect(at, era);
      const listed = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
      const told = new Promise((resolve) =>
        client.setNotificationHandler("notifications/tools/list_changed", () => resolve("changed")),
      );
      if (era === "2026-07-28") await client.listen({ toolsListChanged: true });
      await expect.poll(listed, PATIENTLY).toEqual(["a", "z"]);
      expect(await client.callTool({ name: "z", arguments: {} })).toMatchObject({ content: [{ text: "from z" }] });
      release();
      expect(await told).toBe("changed");
      await expect.poll(listed, PATIENTLY).toEqual(["a", "late", "z"]);
      expect(await client.callTool({ name: "late", arguments: {} })).toMatchObject({
        content: [{ text: "from late" }],
      });
    },
  );

  it("[M1] delays a list and a call, but not the handshake", async () => {
    const { at, release } = project(way);
    const toolbox = await startToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
    const protocol = createProtocol(toolbox);
    onTestFinished(async () => {
      await protocol.close();
      await toolbox.close();
    });
    const raw = rawConnection(protocol);
    raw.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
    raw.send(calling("call", "late"));
    expect((await initialize(raw)).result).toMatchObject({ serverInfo: { name: "toolwright" } });
    raw.send({ jsonrpc: "2.0", id: "ping", method: "ping" });
    expect((await raw.answerTo("ping")).result).toEqual({});
    expect(raw.unread).toEqual([]);
    release();
    expect((await raw.answerTo("list")).result?.tools).toMatchObject([{ name: "a" }, { name: "late" }, { name: "z" }]);
    expect((await raw.answerTo("call")).result?.content).toEqual([{ type: "text", text: "from late" }]);
  });

  it("[M2] delays a first list as long as its client waits, and later lists too", async () => {
    const { at, release } = project(way);
    const toolbox = await startToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
    const listBy = (client: { name: string } | undefined): number =>
      client?.name === "codex-mcp-client" ? 0 : Number.MAX_SAFE_INTEGER;
    const protocol = createProtocol(toolbox, { listBy });
    onTestFinished(async () => {
      await protocol.close();
      await toolbox.close();
    });
    const [codex, other] = [rawConnection(protocol), rawConnection(protocol)];
    await initialize(codex, { clientInfo: { name: "codex-mcp-client", version: "1" } });
    await initialize(other, { clientInfo: { name: "claude-code", version: "1" } });
    other.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
    const listed = async (): Promise<string[]> => {
      codex.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
      const tools = (await codex.answerTo("list")).result?.tools as { name: string }[];
      return tools.map(({ name }) => name).filter((name) => name !== "toolwright-status");
    };
    await expect.poll(listed, PATIENTLY).toEqual(["a", "z"]);
    expect(other.unread.filter(({ id }) => id === "list")).toEqual([]);
    release();
    expect((await other.answerTo("list")).result?.tools).toMatchObject([
      { name: "a" },
      { name: "late" },
      { name: "z" },
    ]);
  });

  it("[S1] delays a list, but not GET /healthz", async () => {
    const { at, release } = project(way);
    const toolbox = await startToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
    const server = await serveHttp({ toolbox, routes: allRoutes, token: TOKEN });
    onTestFinished(async () => {
      await server.stop();
      await toolbox.close();
    });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const list = fetch(`${server.origin}/api/tools`, { headers });
    expect(await (await fetch(`${server.origin}/healthz`)).json()).toEqual({ status: "ok" });
    release();
    expect(await (await list).json()).toMatchObject({ tools: [{ name: "a" }, { name: "late" }, { name: "z" }] });
  });

  it("[S1] does not delay other tools over HTTP, and is a problem until it is loaded", async () => {
    const { at, file, release } = project(way);
    const { url, token, untilSaid } = await readyServe(at);
    const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      return (await fetch(`${url}${path}`, { ...init, headers })).json();
    };
    const listed = async (): Promise<unknown> => {
      const { tools } = (await ask("/api/tools")) as { tools: { name: string; source: string }[] };
      return tools.filter(({ source }) => source === "custom").map(({ name }) => name);
    };
    await expect.poll(listed, PATIENTLY).toEqual(["a", "z"]);
    expect(await ask("/api/problems")).toMatchObject({ problems: [{ file, code: "import_timeout", message: STILL }] });
    expect(await ask("/api/tools/a/run", { method: "POST", body: "{}" })).toMatchObject({ output: "from a" });
    const late = ask("/api/tools/late/run", { method: "POST", body: "{}" });
    await untilSaid("One tool file has a problem. To see it, run: toolwright check");
    release();
    expect(await late).toMatchObject({ output: "from late" });
    await untilSaid(".toolwright/tools/late.ts: no more problems.");
    await untilSaid("New tools: late");
    expect(await listed()).toEqual(["a", "late", "z"]);
  });

  it("[A12] is not waited for by a program with that option, but its tool can be called and found", async () => {
    const { at, file, release } = project(way);
    const { toolbox, say } = await open(at, { waitMs: 1 });
    await expect.poll(() => names(toolbox), PATIENTLY).toEqual(["a", "z"]);
    expect(toolbox.problems()).toEqual([{ file, code: "import_timeout", message: STILL }]);
    expect(await say("a")).toBe("from a");
    const given = toolbox.call({ name: "late" });
    given.abort();
    expect(await given.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    const told = changed(toolbox);
    const [late, found, explained, none] = [
      say("late"),
      toolbox.find("late"),
      toolbox.explain({ name: "late" }),
      say("nothing_like_these"),
    ];
    release();
    expect(await late).toBe("from late");
    expect(await found).toMatchObject({ name: "late", file });
    expect(await explained).toMatchObject({ ok: true, tool: "late" });
    expect(await none).toBe(
      `There is no tool "nothing_like_these" yet. One file is still being loaded and may define it: ${file}. Try again later, or run "toolwright check" to see why.`,
    );
    await told;
    expect(toolbox.problems()).toEqual([]);
  });

  it("[D5] [S1] does not delay the answer about a tool whose file is broken", async () => {
    const { at, file } = project(way);
    const bad = put(join(at.tools, "bad.ts"), "export default {");
    const answer = `"bad" cannot be used. ${bad}:1:17: `;
    // Files that were just written count as changed until their stamps are settled.
    await sleep(100);
    // The second time, the failure is in the cache.
    for (let again = 0; again < 2; again += 1) {
      const toolbox = await startToolbox({ cwd: at.project, env: at.env, trust: true, waitMs: IMPORT_MS });
      onTestFinished(() => toolbox.close());
      expect(await toolbox.find("bad")).toBe(undefined);
      const result = await toolbox.call({ name: "bad" }).result;
      expect(result).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
      expect(outputOf(result)).toContain(answer);
      expect(outputOf(await toolbox.call({ name: "z" }).result)).toBe("from z");
      expect(toolbox.status.loading).toEqual([file]);
      await toolbox.close();
    }
    expect(await cli(at, ["run", "bad", "--trust"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(answer),
    });
  });

  it("[D6] delays neither other saved files, nor its own correction", async () => {
    const { at, file } = project(way);
    const { toolbox, say } = await open(at, { waitMs: 500 });
    put(join(at.tools, "new.ts"), answering('"from new"'));
    const reloaded = (): Promise<Report> => toolbox.reload();
    await expect.poll(reloaded, PATIENTLY).toMatchObject({ tools: 3, problems: [{ file, message: STILL }] });
    expect(await say("new")).toBe("from new");
    put(file, answering('"mended"'));
    await expect.poll(reloaded, PATIENTLY).toEqual({ tools: 4, problems: [] });
    expect(await say("late")).toBe("mended");
  });

  it("[D6] is served in its previous version", async () => {
    const { at, file, release } = project(way);
    release();
    const { toolbox, say } = await open(at, { waitMs: 500 });
    expect(await say("late")).toBe("from late");
    put(file, `${way("true")}\n${answering('"never"')}`);
    expect(await toolbox.reload()).toMatchObject({ tools: 3, problems: [{ file, message: STILL }] });
    expect(await say("late")).toBe("from late");
  });

  it("[D5] is remembered after its process was ended: the next process does not wait for it", async () => {
    const { at, file, release } = project(way);
    const raw = rawProcess(at);
    await initialize(raw);
    raw.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
    // The list without the file also records that it hangs.
    await raw.answerTo("list");
    raw.child.kill("SIGKILL");
    const { toolbox, say } = await open(at, { waitMs: IMPORT_MS });
    expect(names(toolbox)).toEqual(["a", "z"]);
    expect(toolbox.problems()).toEqual([{ file, code: "import_timeout", message: STILL }]);
    expect(await say("z")).toBe("from z");
    const told = changed(toolbox);
    release();
    await told;
    expect(names(toolbox)).toEqual(["a", "late", "z"]);
    expect(toolbox.problems()).toEqual([]);
    await toolbox.close();
    const { toolbox: third } = await open(at, { waitMs: IMPORT_MS });
    expect(names(third)).toEqual(["a", "late", "z"]);
    expect(hosts()).toEqual([]);
  });

  it("[U1] does not prevent another tool from running", async () => {
    const { at } = project(way);
    expect(await cli(at, ["run", "z", "--trust"])).toMatchObject({ code: 0, stdout: "from z\n" });
  });
});

describe("several files that hang, in both ways", () => {
  it("[D5] are problems, and files that wait in the same queue are not", async () => {
    const good = Array.from({ length: 100 }, (_, index) => `good${index}`);
    const at = sandbox(Object.fromEntries(good.map((name) => [`${name}.ts`, answering(`"${name}"`)])));
    put(join(at.tools, "a.ts"), WAYS["blocks its process"]("true"));
    const { toolbox } = await open(at, { waitMs: 1, limits: { importMs: IMPORT_MS } });
    let seen = 0;
    for (; toolbox.count < good.length; await changed(toolbox)) {
      seen = Math.max(seen, toolbox.status.loading.length);
      const blamed = toolbox.problems().map(({ file }) => file);
      expect(blamed.filter((file) => file !== join(at.tools, "a.ts"))).toEqual([]);
    }
    expect(seen).toBe(101);
    await expect
      .poll(() => toolbox.problems(), PATIENTLY)
      .toMatchObject([{ file: join(at.tools, "a.ts"), message: STILL }]);
  });

  it("[D5] do not delay other files, in any number, and leave no process behind", async () => {
    const good = Array.from({ length: 40 }, (_, index) => `good${index}`);
    const at = sandbox(Object.fromEntries(good.map((name) => [`${name}.ts`, answering(`"${name}"`)])));
    for (const [index, [, way]] of BOTH.entries()) put(join(at.tools, `hangs${index}.ts`), way("true"));
    const { toolbox, say } = await open(at, { waitMs: 1, limits: { importMs: IMPORT_MS } });
    while (toolbox.count < good.length) await changed(toolbox);
    // A file is a problem once its import is known to take long.
    const blamed = (): string[] => toolbox.problems().map(({ file }) => file);
    await expect.poll(blamed, PATIENTLY).toEqual(BOTH.map((_way, index) => join(at.tools, `hangs${index}.ts`)));
    expect(await say("good39")).toBe("good39");
    await toolbox.close();
    expect(hosts()).toEqual([]);
  });

  it("[D5] are reported after their timeout, and files that only waited beside them are not", async () => {
    const slow = `await new Promise((resolve) => setTimeout(resolve, 300));\n${answering('"slow"')}`;
    const at = sandbox({ "a.ts": slow, "b.ts": WAYS["blocks its process"]("true"), "c.ts": answering('"c"') });
    put(join(at.tools, "d.ts"), WAYS["waits for ever"]("true"));
    const { toolbox, say } = await open(at, { limits: { importMs: 1_500 } });
    const message = "Importing it did not end within 1.5 s. Move long work from the top of the file into execute().";
    expect(toolbox.problems()).toEqual([
      { file: join(at.tools, "b.ts"), code: "import_timeout", message },
      { file: join(at.tools, "d.ts"), code: "import_timeout", message },
    ]);
    expect([await say("a"), await say("c")]).toEqual(["slow", "c"]);
  });
});

describe("[D4] a built-in tool that a slow file replaces", () => {
  it("is not called in its place, although the list did not wait for the file", async () => {
    const at = sandbox({ "a.ts": answering('"from a"') });
    const gate = join(at.root, "gate");
    put(
      join(at.project, ".pi/extensions/safer.ts"),
      `import { existsSync } from "node:fs";
${WAYS["waits for ever"](`!existsSync(${JSON.stringify(gate)})`)}
export default (pi) => pi.registerTool({
  name: "bash", label: "bash", description: "A safer bash.", parameters: {},
  execute: async () => ({ content: [{ type: "text", text: "the author's bash" }], details: {} }),
});`,
    );
    const limits = { importMs: IMPORT_MS };
    const toolbox = await startToolbox({ cwd: at.project, env: at.env, trust: true, waitMs: 50, limits });
    onTestFinished(() => toolbox.close());
    await toolbox.ready();
    const input = { command: "echo built-in", description: "Says which" };
    const { result } = toolbox.call({ name: "bash", input });
    expect(await toolbox.call({ name: "a" }).result).toMatchObject({ ok: true });
    writeFileSync(gate, "");
    expect(await result).toMatchObject({ ok: true, content: [{ text: "the author's bash" }] });
  });
});
