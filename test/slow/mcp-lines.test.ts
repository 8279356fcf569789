import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { clientApprover, createProtocol, OpenCalls, type ProtocolOptions } from "../../src/surfaces/mcp/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { cli, ensureBuilt } from "../support/cli.ts";
import { type Sandbox, sandbox, writeTool } from "../support/fixture.ts";
import { calling, INITIALIZE, initialize, type Raw, rawConnection, rawProcess } from "../support/mcp-client.ts";
import { ASKS, FILES, GREET, WAITS } from "../support/mcp-tools.ts";
import { PATIENT } from "../support/patient.ts";
import { hosts, startedWith } from "../support/processes.ts";
import { answering, open } from "../support/toolbox.ts";

/** A server in this process, and a function that connects clients to it. */
async function serving(
  files: Record<string, string>,
  options: ProtocolOptions = {},
): Promise<{ connect: () => Raw & { closed: Promise<void> }; at: Sandbox; toolbox: Toolbox }> {
  const calls = new OpenCalls();
  const { toolbox, at } = await open(files, { approve: clientApprover(calls) });
  const protocol = createProtocol(toolbox, { ...options, calls });
  return { connect: () => rawConnection(protocol), at, toolbox };
}

function appears(at: Sandbox, file: string): Promise<void> {
  return vi.waitFor(() => expect(existsSync(join(at.project, file))).toBe(true), PATIENT);
}

function settings(at: Sandbox, values: object): void {
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "settings.json"), JSON.stringify(values));
}

const NO_REQUEST =
  'A request must have only "jsonrpc", "id", "method" and "params". In "params", "_meta" must be an object, and its "progressToken" a string or an integer.';

const PING = { jsonrpc: "2.0", id: "still there?", method: "ping" };
const LIST = { jsonrpc: "2.0", id: "list", method: "tools/list" };

/** The `_meta` of a request from 2026-07-28 on. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("invalid lines over stdio", () => {
  it.each<[string, string, number, string]>([
    ["invalid JSON", "{ jsonrpc", -32700, "This line is not JSON."],
    ["a number", "5", -32600, 'A message is an object with "jsonrpc": "2.0".'],
    ["null", "null", -32600, 'A message is an object with "jsonrpc": "2.0".'],
    ["no version", '{"id":1,"method":"ping"}', -32600, 'A message is an object with "jsonrpc": "2.0".'],
    [
      "a batch",
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      -32600,
      "Batches are not part of the protocol: send one message per line.",
    ],
    [
      "deep nesting",
      `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      -32600,
      "Batches are not part of the protocol: send one message per line.",
    ],
  ])("[M1] [X1] responds to %s with an error and reads the next line", async (_what, line, code, message) => {
    const { connect } = await serving({});
    const raw = connect();
    await initialize(raw);
    raw.send(`${line}\n`);
    expect(await raw.next(({ id }) => id === null)).toEqual({ jsonrpc: "2.0", id: null, error: { code, message } });
    raw.send(PING);
    expect(await raw.answerTo("still there?")).toMatchObject({ result: {} });
  });

  it.each<[string, object, number, string | RegExp]>([
    ["a method that is not a string", { method: 5 }, -32600, '"method" must be a string.'],
    ["params that are a list", { method: "ping", params: [1] }, -32600, '"params" must be an object.'],
    ["no method", { params: {} }, -32600, '"method" is missing.'],
    ["an unknown method", { method: "tools/lost" }, -32601, "Method not found"],
    ["a call without a name", { method: "tools/call", params: { arguments: {} } }, -32602, /name/],
    [
      "a call whose arguments are a string",
      { method: "tools/call", params: { name: "greet", arguments: "Ada" } },
      -32602,
      /arguments/,
    ],
    [
      "an invalid cursor",
      { method: "tools/list", params: { cursor: "x" } },
      -32602,
      "This cursor is not valid. List from the beginning.",
    ],
    ["an unknown level", { method: "logging/setLevel", params: { level: "loud" } }, -32602, /level/],
    ["a resource without a URI", { method: "resources/read", params: {} }, -32602, /uri/],
    ["_meta that is null", { method: "ping", params: { _meta: null } }, -32600, NO_REQUEST],
    [
      "a call with the progress token null",
      { method: "tools/call", params: { name: "greet", _meta: { progressToken: null } } },
      -32600,
      NO_REQUEST,
    ],
    ["an unknown field", { method: "tools/list", more: 1 }, -32600, NO_REQUEST],
    ["a notification with an id", { method: "notifications/cancelled" }, -32601, "Method not found"],
    [
      "a prompt of a server without prompts",
      { method: "prompts/get", params: { name: "x" } },
      -32601,
      "Method not found",
    ],
  ])(
    "[M1] [X1] responds to %s with an error under its id and reads the next line",
    async (_what, message, code, says) => {
      const { connect } = await serving({ "greet.ts": GREET });
      const raw = connect();
      await initialize(raw);
      raw.send({ jsonrpc: "2.0", id: 7, ...message });
      const { error } = await raw.answerTo(7);
      expect(error?.code).toBe(code);
      expect(error?.message).toEqual(typeof says === "string" ? says : expect.stringMatching(says));
      raw.send(PING);
      expect(await raw.answerTo("still there?")).toMatchObject({ result: {} });
    },
  );

  it("[M1] [X1] reads a message in several chunks, and several messages in one chunk", async () => {
    const { connect } = await serving({});
    const raw = connect();
    const line = `${JSON.stringify(INITIALIZE)}\n`;
    raw.send(line.slice(0, 20));
    await new Promise((resolve) => setImmediate(resolve));
    raw.send(line.slice(20));
    expect(await raw.answerTo("init")).toMatchObject({ result: { serverInfo: { name: "toolwright" } } });
    raw.send(`${[1, 2, 3].map((id) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })).join("\r\n")}\r\n`);
    expect(await Promise.all([raw.answerTo(1), raw.answerTo(2), raw.answerTo(3)])).toMatchObject([
      { result: {} },
      { result: {} },
      { result: {} },
    ]);
  });

  it("[X1] discards a message that is too large and reads the next line", async () => {
    const { connect } = await serving({});
    const raw = connect();
    await initialize(raw);
    const large = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(20_000_000) } });
    raw.send(`${large}\n`);
    expect(await raw.next(({ id }) => id === null)).toMatchObject({
      error: { code: -32600, message: "This message is too large." },
    });
    raw.send(PING);
    expect(await raw.answerTo("still there?")).toMatchObject({ result: {} });
  });

  it("[X1] refuses an input that is nested too deeply", async () => {
    const { connect } = await serving({ "greet.ts": GREET });
    const raw = connect();
    await initialize(raw);
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    raw.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":${deep}}}\n`);
    expect(await raw.answerTo(1)).toMatchObject({
      error: { code: -32600, message: "This message is nested more than 500 levels deep." },
    });
  });

  it("[X1] treats names like __proto__ as plain names", async () => {
    const { connect } = await serving({ "echo.mjs": answering("JSON.stringify([args, {}.polluted ?? null])") });
    const raw = connect();
    await initialize(raw);
    raw.send(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"polluted":1}}}}\n',
    );
    expect((await raw.answerTo(1)).result?.content?.[0]?.text).toMatch(/null\]$/);
    raw.send(calling(2, "__proto__"));
    expect(await raw.answerTo(2)).toMatchObject({
      error: { code: -32602, message: 'There is no tool "__proto__". List the tools to see all names.' },
    });
    expect(Object.prototype).not.toHaveProperty("polluted");
  });
});

describe("several clients of one server", () => {
  it("[M1] keeps calls of several clients with the same ids separate", async () => {
    const { connect } = await serving({
      "echo.mjs": `export default {
        description: "Answers after a while.",
        args: { text: { type: "string" }, ms: { type: "number" } },
        execute: async ({ text, ms }, { sessionID, callID }) => {
          await new Promise((resolve) => setTimeout(resolve, ms));
          return JSON.stringify({ text, sessionID, callID });
        },
      };`,
    });
    const [one, two] = [connect(), connect()];
    await Promise.all([initialize(one), initialize(two)]);
    one.send(calling(1, "echo", { text: "a", ms: 100 }));
    two.send(calling(1, "echo", { text: "b", ms: 0 }));
    one.send(calling(2, "echo", { text: "c", ms: 0 }));
    two.send(calling(2, "echo", { text: "d", ms: 100 }));
    const said = await Promise.all([one.answerTo(1), two.answerTo(1), one.answerTo(2), two.answerTo(2)]);
    const told = said.map(({ result }) => JSON.parse(result?.content?.[0]?.text ?? "") as Record<string, string>);
    expect(told.map(({ text }) => text)).toEqual(["a", "b", "c", "d"]);
    expect(told[0]?.sessionID).toBe(told[2]?.sessionID);
    expect(told[0]?.sessionID).not.toBe(told[1]?.sessionID);
    expect(new Set(told.map(({ callID }) => callID)).size).toBe(4);
    expect([...one.unread, ...two.unread]).toEqual([]);
  });

  it("[M1] responds to both of two requests with the same id", async () => {
    const { connect } = await serving({ "greet.ts": GREET });
    const raw = connect();
    await initialize(raw);
    raw.send(calling(1, "greet", { name: "Ada" }));
    raw.send(calling(1, "greet", { name: "Bob" }));
    const said = [await raw.answerTo(1), await raw.answerTo(1)];
    expect(said.map(({ result }) => result?.content?.[0]?.text).sort()).toEqual([
      "Hello, Ada! From raw.",
      "Hello, Bob! From raw.",
    ]);
  });

  it("[M1] accepts an id that ends in a lone surrogate", async () => {
    const { connect } = await serving({ "files.mjs": FILES });
    const raw = connect();
    await initialize(raw);
    for (const id of ["\ud800", `${"x".repeat(39)}😀`]) {
      raw.send(calling(id, "files_small"));
      expect((await raw.answerTo(id)).result?.content?.[0]).toMatchObject({ resource: { text: "small" } });
    }
  });

  it("[M2] cancels nothing for a request with the method of a notification", async () => {
    const { connect, at } = await serving({ "waits.mjs": WAITS });
    const raw = connect();
    await initialize(raw);
    raw.send(calling(1, "waits"));
    await appears(at, "begun");
    raw.send({ jsonrpc: "2.0", id: 2, method: "notifications/cancelled", params: { requestId: 1 } });
    expect((await raw.answerTo(2)).error).toEqual({ code: -32601, message: "Method not found" });
    expect(existsSync(join(at.project, "stopped"))).toBe(false);
  });

  it("[M1] [P4] aborts only the calls of the client that disconnects", async () => {
    const { connect, at } = await serving({ "waits.mjs": WAITS, "greet.ts": GREET });
    const [one, two] = [connect(), connect()];
    await Promise.all([initialize(one), initialize(two)]);
    one.send(calling(1, "waits"));
    await appears(at, "begun");
    one.end();
    await one.closed;
    await appears(at, "stopped");
    two.send(calling(1, "greet", { name: "Ada" }));
    expect((await two.answerTo(1)).result?.content).toEqual([{ type: "text", text: "Hello, Ada! From raw." }]);
  });

  it("[M2] sends nothing more for a cancelled call", async () => {
    const { connect, at } = await serving({ "waits.mjs": WAITS });
    const raw = connect();
    await initialize(raw);
    raw.send(calling(1, "waits"));
    await appears(at, "begun");
    raw.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } });
    await appears(at, "stopped");
    raw.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } });
    raw.send(PING);
    await raw.answerTo("still there?");
    expect(raw.unread).toEqual([]);
  });
});

describe("questions to clients from 2026-07-28 on", () => {
  const can = { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
  const asking = (id: number, more: object = {}): object => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "asks", arguments: {}, _meta: can, ...more },
  });

  it("[M2] are input_required results whose token is valid once", async () => {
    const { connect } = await serving({ "asks.mjs": ASKS });
    const raw = connect();
    raw.send(asking(1));
    const first = await raw.answerTo(1);
    expect(first.result).toMatchObject({ resultType: "input_required" });
    const { inputRequests, requestState } = first.result as { inputRequests: object; requestState: string };
    const [key = ""] = Object.keys(inputRequests);
    const yes = { inputResponses: { [key]: { action: "accept", content: { answer: "once" } } } };
    raw.send(asking(2, { requestState, inputResponses: { other: { action: "accept" } } }));
    const again = (await raw.answerTo(2)).result as { requestState: string };
    expect(again).toMatchObject({ resultType: "input_required", inputRequests });
    expect(again.requestState).not.toBe(requestState);
    const refused = { code: -32602, message: "Invalid or expired requestState" };
    raw.send(asking(3, { requestState, ...yes }));
    expect(await raw.answerTo(3)).toMatchObject({ error: refused });
    raw.send(asking(4, { requestState: again.requestState, ...yes, name: "other" }));
    expect(await raw.answerTo(4)).toMatchObject({ error: refused });
    raw.send(asking(5, { requestState: again.requestState, ...yes }));
    expect((await raw.answerTo(5)).result?.content).toEqual([{ type: "text", text: "deployed" }]);
    raw.send(asking(6, { requestState: again.requestState, ...yes }));
    expect(await raw.answerTo(6)).toMatchObject({ error: refused });
  });

  it("[M2] end the call when the client does not answer in time", async () => {
    const { connect, toolbox } = await serving({ "asks.mjs": ASKS }, { askMs: 50 });
    const failed = new Promise((resolve) =>
      toolbox.on("call", (event) => event.type === "tool.failed" && resolve(event)),
    );
    const raw = connect();
    raw.send(asking(1));
    const { requestState } = (await raw.answerTo(1)).result as { requestState: string };
    expect(await failed).toMatchObject({ result: { error: { code: "aborted" } } });
    raw.send(asking(2, { requestState }));
    expect(await raw.answerTo(2)).toMatchObject({ error: { message: "Invalid or expired requestState" } });
  });

  it("[M2] end the call when the connection closes", async () => {
    const { connect, toolbox } = await serving({ "asks.mjs": ASKS });
    const failed = new Promise((resolve) =>
      toolbox.on("call", (event) => event.type === "tool.failed" && resolve(event)),
    );
    const raw = connect();
    raw.send(asking(1));
    await raw.answerTo(1);
    raw.end();
    expect(await failed).toMatchObject({ result: { error: { code: "aborted" } } });
  });
});

describe("permission rules", () => {
  it("[P3] [R2] hide a denied tool from the list and refuse its calls", async () => {
    const at = sandbox({ "greet.ts": GREET, "other.mjs": answering('"ran"') });
    settings(at, { permissions: [{ tool: "greet", agent: "raw", action: "deny" }] });
    const { toolbox } = await open(at);
    const raw = rawConnection(createProtocol(toolbox));
    await initialize(raw);
    raw.send(LIST);
    expect((await raw.answerTo("list")).result).toMatchObject({ tools: [{ name: "other" }] });
    raw.send(calling(1, "greet", { name: "Ada" }));
    const { result } = await raw.answerTo(1);
    expect(result).toMatchObject({ isError: true });
    expect(result?.content?.[0]?.text).toMatch(/^"greet" was not allowed to run\. /);
  });
});

describe("clients of older protocol versions", () => {
  it("[M1] get only content types that their version has", async () => {
    const { connect } = await serving({ "give.mjs": FILES, "long.mjs": answering('"line\\n".repeat(5000)') });
    const raw = connect();
    expect(await initialize(raw, { protocolVersion: "2024-11-05" })).toMatchObject({
      result: { protocolVersion: "2024-11-05" },
    });
    for (const [id, name] of ["give_large", "give_named", "give_sound", "long"].entries()) raw.send(calling(id, name));
    const answers = await Promise.all([0, 1, 2, 3].map((id) => raw.answerTo(id)));
    const blocks = answers.map(({ result }) => result?.content?.[0]);
    expect(blocks).toMatchObject([
      { type: "text", text: expect.stringMatching(/^\[file "a\.csv", text\/csv, 200000 bytes: \/.+\.bin\]$/) },
      { type: "text", text: '[file "b.txt", text/plain: https://example.com/b.txt]' },
      { type: "resource" },
      { type: "text", text: expect.stringMatching(/full output: .*\.txt\]$/) },
    ]);
  });
});

describe("toolwright mcp", () => {
  beforeAll(ensureBuilt);

  it("[M1] starts no process before the first call if the manifests are cached", async () => {
    const at = sandbox({ "greet.ts": GREET });
    await cli(at, ["list", "--trust"]);
    const raw = rawProcess(at);
    await initialize(raw);
    raw.send(LIST);
    expect(await raw.answerTo("list")).toMatchObject({ result: { tools: [{ name: "greet" }] } });
    expect(hosts(raw.child.pid)).toEqual([]);
    raw.send(calling(1, "greet", { name: "Ada" }));
    expect((await raw.answerTo(1)).result?.content).toEqual([{ type: "text", text: "Hello, Ada! From raw." }]);
    expect(hosts(raw.child.pid)).toHaveLength(1);
  });

  it("[M1] reserves stdout for the protocol, even if tools run in its process", async () => {
    const at = sandbox({
      "prints.mjs": `export default { description: "Prints.", execute: () => {
        console.log("noise");
        process.stdout.write("more noise");
        return "quiet";
      } };`,
    });
    settings(at, { isolation: "none" });
    const raw = rawProcess(at);
    await initialize(raw);
    raw.send(calling(1, "prints"));
    expect((await raw.answerTo(1)).result?.content).toEqual([{ type: "text", text: "quiet" }]);
    raw.send(PING);
    expect(await raw.answerTo("still there?")).toMatchObject({ result: {} });
  });

  it.each<[string, (raw: ReturnType<typeof rawProcess>) => void]>([
    ["its client closes the connection", (raw) => raw.end()],
    ["it gets a signal", (raw) => void raw.child.kill("SIGTERM")],
    [
      "the reader of its output has closed the pipe",
      (raw) => {
        raw.child.stdout?.destroy();
        raw.send(PING);
      },
    ],
  ])("[M1] ends without leaving a process when %s", async (_when, end) => {
    const at = sandbox({ "waits.mjs": WAITS });
    const raw = rawProcess(at);
    const ended = new Promise((resolve) => raw.child.on("close", (code) => resolve(code)));
    await initialize(raw);
    raw.send(calling(1, "waits"));
    await appears(at, "begun");
    end(raw);
    expect(await ended).toBe(0);
    expect(existsSync(join(at.project, "stopped"))).toBe(true);
    expect(startedWith(at.home)).toEqual([]);
  });

  it("[M1] responds to piped input", async () => {
    const at = sandbox({ "greet.ts": GREET });
    const input = [INITIALIZE, LIST].map((message) => `${JSON.stringify(message)}\n`).join("");
    const { code, stdout, stderr } = await cli(at, ["mcp", "--wait", "3", "--trust"], { input });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(answers).toMatchObject([{ id: "init" }, { id: "list", result: { tools: [{ name: "greet" }] } }]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it.each<[string, string[], string]>([
    [
      "an unknown option",
      ["--tool", "x"],
      'toolwright: Unknown option --tool. Did you mean "--tools" or "--tools-path"?\n',
    ],
    ["an argument", ["x"], 'toolwright: Unexpected argument "x". Usage: toolwright mcp [options]\n'],
    ["an empty name", ["--tools", "a,,b"], 'toolwright: --tools takes a comma-separated list of tools, not "a,,b".\n'],
    [
      "a folder that does not exist",
      ["--cwd", "/nowhere/at/all"],
      "toolwright: --cwd: no such directory: /nowhere/at/all\n",
    ],
  ])("[M1] [U1] refuses %s on stderr, with exit code 2", async (_what, args, says) => {
    expect(await cli(sandbox(), ["mcp", ...args])).toMatchObject({ code: 2, stdout: "", stderr: says });
  });

  it("[M5] fits names and schemas to its client, and lists the changed tools on stderr", async () => {
    const name = "find_a_place_by_its_postal_address_or_by_its_coordinates";
    const at = sandbox({ [`${name}.mjs`]: answering('"found"'), "greet.ts": GREET });
    const clientInfo = { name: "claude-code", version: "2" };
    const first = { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } };
    const input = [first, LIST].map((message) => `${JSON.stringify(message)}\n`).join("");
    const { stdout, stderr } = await cli(at, ["mcp", "--wait", "3", "--trust"], { input });
    const [, list] = stdout.trimEnd().split("\n");
    const { tools } = (JSON.parse(list ?? "") as { result: { tools: { name: string }[] } }).result;
    const [fitted, greet] = tools.map((each) => each.name);
    expect(greet).toBe("greet");
    expect(fitted).toMatch(/^find_a_place_by_its_/);
    expect(`mcp__toolwright__${fitted}`.length).toBeLessThanOrEqual(64);
    expect(stderr).toBe(
      `toolwright: Some tools are changed for Claude Code, which does not accept their names or schemas: ${name}. To see the changes, run: toolwright check --client claude-code\n`,
    );
    const raw = rawProcess(at);
    await initialize(raw, { clientInfo });
    raw.send(calling(1, fitted ?? ""));
    expect((await raw.answerTo(1)).result?.content).toEqual([{ type: "text", text: "found" }]);
  });

  it("[M5] includes the prefix that its client adds in the length of names", async () => {
    const name = "find_a_place_by_its_postal_address_or_its_id";
    const server = "a_server_with_a_name_of_30_chr";
    const clientInfo = { name: "claude-code", version: "2" };
    const first = { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } };
    const input = [first, LIST].map((message) => `${JSON.stringify(message)}\n`).join("");
    const at = sandbox({ [`${name}.mjs`]: answering('"found"') });
    const namesWith = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await cli(at, ["mcp", "--wait", "3", "--trust", ...args], { input });
      const [, list] = stdout.trimEnd().split("\n");
      const { tools } = (JSON.parse(list ?? "") as { result: { tools: { name: string }[] } }).result;
      return tools.map((each) => each.name);
    };
    expect(await namesWith()).toEqual([name]);
    const [fitted] = await namesWith("--name", server);
    expect(fitted).toMatch(/^find_a_place_/);
    expect(`mcp__${server}__${fitted}`.length).toBeLessThanOrEqual(64);
  });

  it("[M1] reports broken files on stderr and serves the others", async () => {
    const at = sandbox({ "greet.ts": GREET, "broken.ts": "export default {" });
    const input = [INITIALIZE, LIST].map((message) => `${JSON.stringify(message)}\n`).join("");
    const { stdout, stderr } = await cli(at, ["mcp", "--wait", "3", "--trust"], { input });
    expect(stdout).toContain('"name":"greet"');
    expect(stderr).toBe("toolwright: One tool file has a problem. To see it, run: toolwright check\n");
    writeTool(at, "worse.ts", "export default [");
    expect((await cli(at, ["mcp", "--wait", "3", "--trust"], { input })).stderr).toBe(
      "toolwright: 2 tool files have problems. To see them, run: toolwright check\n",
    );
  });
});
