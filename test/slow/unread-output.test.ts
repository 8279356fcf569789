import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Sandbox, sandbox } from "../support/fixture.ts";

const MAIN = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));
const PATIENT = { timeout: 25_000, interval: 50 };
const TOKEN = "a-token-for-tests-only";
/** More than a server needs, and far less than the tools here print. */
const MOST_BYTES = 350_000_000;

/** Prints 300 MB in lines of 1,000 characters, as fast as it is read. */
const PRINTS = `const line = "x".repeat(999) + "\\n";
const text = line.repeat(1000);
export default { description: "Prints.", async execute() {
  for (let i = 0; i < 300; i += 1) await new Promise((done) => process.stdout.write(text, done));
  return "printed";
} };`;

const AT_IMPORT = `process.stderr.write("y".repeat(99).concat("\\n").repeat(20_000));
export default { description: "Has printed.", execute: () => "imported" };`;

const LARGE = `export default { description: "Large.", execute: () => ({
  content: [{ type: "image", mimeType: "image/png", data: Buffer.alloc(6_000_000, 1).toString("base64") }],
}) };`;

const UPDATES = `export default { description: "Reports.", async execute(args, { metadata }) {
  for (let i = 0; i < 200; i += 1) {
    metadata({ title: i + " " + "x".repeat(20_000) });
    await new Promise((done) => setTimeout(done, 10));
  }
  return "reported";
} };`;

const TOOLS = { "prints.js": PRINTS, "at-import.js": AT_IMPORT, "large.js": LARGE, "updates.js": UPDATES };

function start(at: Sandbox, args: readonly string[], stdio: StdioOptions = ["pipe", "pipe", "pipe"]): ChildProcess {
  const env = { ...at.env, TOOLWRIGHT_TOKEN: TOKEN };
  const child = spawn(process.execPath, [MAIN, ...args, "--trust"], { cwd: at.project, env, stdio });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function residentBytes({ pid }: ChildProcess): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) * 1024;
}

async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function stopped(child: ChildProcess): Promise<number | null> {
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

const DROPPED = /^\[\d+ lines of tool output dropped: stderr is not being read\]$/m;

describe("[X1] a server whose stderr is not read", () => {
  it.each([
    ["serve", ["serve", "--port", "0", "--json"]],
    ["mcp --http", ["mcp", "--http", "0", "--json"]],
  ])("%s keeps serving, with bounded memory, and stops", async (_title, args) => {
    const at = sandbox(TOOLS);
    const child = start(at, args);
    const [line] = (await once(child.stdout as Readable, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
    const client = new Client({ name: "tester", version: "1" }, { versionNegotiation: { mode: "legacy" } });
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
    for (let n = 0; n < 2; n += 1) {
      const { content } = await client.callTool({ name: "prints", arguments: {} });
      expect(content).toEqual([{ type: "text", text: "printed" }]);
    }
    expect(residentBytes(child)).toBeLessThan(MOST_BYTES);
    await client.close();
    expect(await stopped(child)).toBe(0);
  });

  it("serve reports how much was dropped when its stderr is read again", async () => {
    const child = start(sandbox(TOOLS), ["serve", "--port", "0", "--json"]);
    const [line] = (await once(child.stdout as Readable, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(new URL("/api/tools/prints/run", url), { method: "POST", headers });
    expect(await answer.json()).toMatchObject({ ok: true, output: "printed" });
    let said = "";
    child.stderr?.on("data", (more: Buffer) => {
      said += more;
    });
    await vi.waitFor(() => expect(said).toMatch(DROPPED), PATIENT);
    expect(said.length).toBeLessThan(2_000_000);
    await fetch(new URL("/api/tools/prints/run", url), { method: "POST", headers });
    expect(await stopped(child)).toBe(0);
  });

  it("mcp over stdio keeps serving and stops", async () => {
    const child = start(sandbox(TOOLS), ["mcp"]);
    const answers = lines(child.stdout as Readable);
    const send = (message: object): boolean | undefined => child.stdin?.write(`${JSON.stringify(message)}\n`);
    initialize(send);
    send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "prints", arguments: {} } });
    await vi.waitFor(() => expect(answers.some((each) => each.includes('"printed"'))).toBe(true), PATIENT);
    expect(residentBytes(child)).toBeLessThan(MOST_BYTES);
    expect(await stopped(child)).toBe(0);
  });
});

describe("[X1] an MCP client that does not read", () => {
  it("its stdio responses: memory is bounded, and the server stops", async () => {
    const child = start(sandbox(TOOLS), ["mcp"]);
    const stdin = child.stdin as Writable;
    const send = (message: object): boolean => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    initialize(send);
    await once(child.stdout as Readable, "data");
    child.stdout?.pause();
    const params = { name: "missing-package", arguments: {} };
    let isRead = true;
    for (let id = 2; id < 200_000 && isRead; id += 1) {
      if (send({ id: `${id}${"-".repeat(1000)}`, method: "tools/call", params })) continue;
      // A server that no longer reads never drains this.
      isRead = (await Promise.race([once(stdin, "drain"), sleep(3_000)])) !== undefined;
    }
    expect(isRead).toBe(false);
    expect(residentBytes(child)).toBeLessThan(MOST_BYTES);
    expect(await stopped(child)).toBe(0);
  });

  it.each([
    "the stream of the session",
    "the stream of the session, after another was refused",
    "the answer to the call",
  ])("its log over HTTP, in %s: memory is bounded", async (where) => {
    const child = start(sandbox(TOOLS), ["mcp", "--http", "0", "--json"]);
    const [line] = (await once(child.stdout as Readable, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const headers: Record<string, string> = {
      authorization: `Bearer ${TOKEN}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const modern = where === "the answer to the call";
    const post = async (message: object): Promise<Response> => {
      const version: Record<string, string> = modern
        ? { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "prints" }
        : {};
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...headers, ...version },
        body: JSON.stringify(message),
      });
      headers["mcp-session-id"] ??= answer.headers.get("mcp-session-id") ?? "";
      return answer;
    };
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "prints", arguments: {} } };
    if (modern) {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "tester", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "debug",
      };
      const answer = await post({ ...call, params: { ...call.params, _meta } });
      expect(answer.headers.get("content-type")).toBe("text/event-stream");
      await sleep(8_000);
    } else {
      const messages: object[] = [];
      initialize((message) => messages.push(message));
      for (const message of messages) await (await post(message)).text();
      await (await post({ jsonrpc: "2.0", id: 3, method: "logging/setLevel", params: { level: "debug" } })).text();
      const stream = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
      expect(stream.status).toBe(200);
      if (where.endsWith("refused")) {
        const second = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
        expect(second.status).toBe(409);
        await second.text();
      }
      expect(await (await post(call)).json()).toMatchObject({ result: { content: [{ text: "printed" }] } });
    }
    expect(residentBytes(child)).toBeLessThan(MOST_BYTES);
    expect(await stopped(child)).toBe(0);
  });
});

describe("[U1][X1] run", () => {
  it("ends even if the output of the tool is not read, with the result on stdout", async () => {
    const child = start(sandbox(TOOLS), ["run", "prints"]);
    const [text] = await Promise.all([textOf(child.stdout as Readable), once(child, "exit")]);
    expect(text).toBe("printed\n");
    expect(child.exitCode).toBe(0);
  });

  it("ends even if its progress is not read", async () => {
    const child = start(sandbox(TOOLS), ["run", "updates"]);
    const [text] = await Promise.all([textOf(child.stdout as Readable), once(child, "exit")]);
    expect(text).toBe("reported\n");
  });

  it("waits for a late reader, and loses no part of the result", async () => {
    const child = start(sandbox(TOOLS), ["run", "large", "--json"]);
    await sleep(6_000);
    expect(child.exitCode).toBe(null);
    const [text] = await Promise.all([textOf(child.stdout as Readable), once(child, "exit")]);
    expect(JSON.parse(text).content[0].data.length).toBe(8_000_000);
  });

  it("can be cancelled while its output is not read", async () => {
    const text = PRINTS.replace('return "printed"', 'writeFileSync("printed", ""); await new Promise(() => {})');
    const at = sandbox({ "waits.js": `import { writeFileSync } from "node:fs";\n${text}` });
    const child = start(at, ["run", "waits"]);
    await vi.waitFor(() => expect(existsSync(join(at.project, "printed"))).toBe(true), PATIENT);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([143, null]);
  });
});

function initialize(send: (message: object) => unknown): void {
  const clientInfo = { name: "tester", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
}

function lines(stream: Readable): string[] {
  const all: string[] = [];
  let begun = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const parts = (begun + text).split("\n");
    begun = parts.pop() ?? "";
    all.push(...parts);
  });
  return all;
}
