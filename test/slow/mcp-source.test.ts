import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { McpServer } from "../../src/core/mcp-server.ts";
import type { CallContext, Tool, ToolContext } from "../../src/core/tool.ts";
import type { FormatHost } from "../../src/host/formats/contributions.ts";
import { readMcpServer, type ServerContributions } from "../../src/host/formats/mcp/read-mcp-server.ts";
import { type HttpFixture, startHttp } from "../fixture/mcp/http.mjs";
import { sandbox } from "../support/fixture.ts";
import { isRunning } from "../support/processes.ts";
import { put, temporary } from "../support/temporary.ts";
import { answering, open } from "../support/toolbox.ts";

const STDIO = fileURLToPath(new URL("../fixture/mcp/stdio.mjs", import.meta.url));

function stdio(kind: string, more: Partial<McpServer & { type: "stdio" }> = {}): McpServer {
  return { type: "stdio", command: process.execPath, args: [STDIO, kind], env: {}, ...more };
}

/** A server whose list is the value of this expression. `id` differs for each page. */
function listing(page: string): McpServer {
  const script = `
    const send = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const about = { protocolVersion: params?.protocolVersion, serverInfo: { name: "x", version: "1" } };
      if (method === "initialize") send(id, { ...about, capabilities: { tools: {} } });
      else if (method === "tools/list") send(id, ${page});
    });`;
  return { type: "stdio", command: process.execPath, args: ["-e", script], env: {} };
}

async function http(options: Parameters<typeof startHttp>[0] = {}): Promise<HttpFixture> {
  const started = await startHttp(options);
  onTestFinished(() => started.close());
  return started;
}

/** Reads a server and closes it when the test ends. */
async function read(server: McpServer, options: { cwd?: string; log?: string[] } = {}): Promise<ServerContributions> {
  const host = {
    cwd: options.cwd ?? process.cwd(),
    log: (level: string, message: string) => options.log?.push(`${level} ${message}`),
  } as unknown as FormatHost;
  const path = "/home/me/.mcp.json#fix";
  const file = { path, name: "fix", source: "mcp", place: "project", system: "claude", server } as const;
  const found = await readMcpServer(file, host);
  onTestFinished(() => found.close());
  return found;
}

function tool(found: ServerContributions, name: string): Tool {
  const [wanted] = found.tools.filter((each) => each.name === `fix_${name}`);
  if (wanted === undefined) throw new Error(`There is no ${name}: ${JSON.stringify(found.problems)}`);
  return wanted;
}

async function call(
  found: ServerContributions,
  name: string,
  input: unknown = {},
  context: Partial<ToolContext> = {},
): Promise<unknown> {
  const author = { abort: new AbortController().signal, metadata: () => {}, ...context };
  return tool(found, name).run(input, { author } as CallContext);
}

const said = (text: string): unknown => expect.objectContaining({ content: [{ type: "text", text }] });

describe.each(["stdio", "http", "stdio of 2026-07-28", "http of 2026-07-28"])("a server over %s", (kind) => {
  const modern = kind.includes("2026");
  const server = async (): Promise<McpServer> => {
    if (kind.startsWith("stdio")) return stdio(modern ? "modern" : "good");
    return { type: "http", url: (await http({ modern })).url, headers: {} };
  };

  it("[D8] lists the tools of all pages as <server>_<tool>, with their metadata", async () => {
    const found = await read(await server());
    expect(found.tools.map(({ name }) => name)).toEqual([
      "fix_echo",
      "fix_look_up_it",
      "fix_about",
      "fix_fails",
      "fix_fails_softly",
      "fix_structured",
      "fix_picture",
      "fix_progress",
      "fix_waits",
      "fix_cancelled",
      "fix_huge",
      "fix_dies",
      "fix_grows",
    ]);
    const { description, input, hints, origin } = tool(found, "echo");
    expect({ description, json: input.json, hints, origin }).toEqual({
      description: "Says it again.",
      json: {
        type: "object",
        properties: { text: { type: "string" }, times: { type: "integer", default: 1 } },
        required: ["text"],
        "x-note": "kept",
      },
      hints: { title: "Echo", readOnly: true, openWorld: false },
      origin: {
        source: "mcp",
        place: "project",
        format: "mcp",
        file: "/home/me/.mcp.json#fix",
        exportName: "echo",
        pluginName: "fix",
        pluginVersion: modern ? "2.0.0" : "1.2.3",
      },
    });
    expect(tool(found, "look_up_it").description).toBe('The tool "look up.it" of the MCP server "fix".');
    expect(found).toMatchObject({
      about: { format: "mcp", why: "/home/me/.mcp.json configures it as an MCP server", unsupportedFeatures: [] },
      reads: ["/home/me/.mcp.json"],
      dependsOnHost: true,
    });
  });

  it("[D8] reports an invalid tool and serves the others", async () => {
    const { problems } = await read(await server());
    const long = `fix_${"l".repeat(64)}`;
    const only = "Only the developer of the server can fix this.";
    expect(problems.map(({ code, tool, message }) => [code, tool, message])).toEqual([
      [
        "bad_schema",
        "fix_bad_type",
        `The server's schema for "bad_type": At #/properties/a, "text" is not a JSON Schema type. Use one of string, number, integer, boolean, object, array, null. ${only}`,
      ],
      ["bad_schema", "fix_no_schema", `The server's schema for "no_schema": it is not an object. ${only}`],
      [
        "name_taken",
        "fix_look_up_it",
        'Two tools of the server would be called "fix_look_up_it". The first is served; "look_up_it" is not.',
      ],
      [
        "bad_name",
        long,
        `"${long}" is not a valid tool name: it has 68 characters, at most 64 are allowed. Give the server a shorter name in its configuration.`,
      ],
      ["bad_definition", undefined, `The server lists a tool without a name. ${only}`],
    ]);
  });

  it("[D8] returns results unchanged", async () => {
    const found = await read(await server());
    expect(await call(found, "echo", { text: "hi", times: 2 })).toEqual(said("hi hi"));
    expect(await call(found, "fails_softly")).toMatchObject({ isError: true, content: [{ text: "No such branch." }] });
    expect(await call(found, "structured")).toMatchObject({ structuredContent: { count: 2 } });
    expect(await call(found, "picture")).toMatchObject({ content: [{ type: "image", mimeType: "image/png" }] });
    await expect(call(found, "fails")).rejects.toThrow(/^The staging database is down\.$/);
  });

  it("[P6] shows progress", async () => {
    const found = await read(await server());
    const shown: unknown[] = [];
    await call(found, "progress", {}, { metadata: (update) => shown.push(update) });
    expect(shown).toEqual([
      { title: "step 1", metadata: { progress: 1, total: 2 } },
      { title: "step 2", metadata: { progress: 2, total: 2 } },
    ]);
  });

  it("[D8] validates inputs with the schema of the server, with defaults", async () => {
    const { input } = tool(await read(await server()), "echo");
    expect(await input.check({ text: "a" })).toEqual({ ok: true, value: { text: "a", times: 1 } });
    expect(await input.check({})).toMatchObject({ ok: false });
  });

  it("[P4] ends a cancelled call", async () => {
    const found = await read(await server());
    const controller = new AbortController();
    const waiting = call(found, "waits", {}, { abort: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toThrow();
    expect(await call(found, "echo", { text: "on", times: 1 })).toEqual(said("on"));
  });
});

describe("a server over stdio", () => {
  it("[D8] has the environment of the host and its own, and starts in its folder", async () => {
    const cwd = temporary();
    process.env.GIVEN = "from the host";
    onTestFinished(() => void delete process.env.GIVEN);
    const about = async (server: McpServer): Promise<{ cwd: string; given: string; own?: string }> => {
      const answer = (await call(await read(server, { cwd }), "about")) as { content: [{ text: string }] };
      return JSON.parse(answer.content[0].text);
    };
    expect(await about(stdio("good", { env: { OWN: "yes" } }))).toMatchObject({
      cwd,
      given: "from the host",
      own: "yes",
    });
    mkdirSync(join(cwd, "deeper"));
    expect(await about(stdio("good", { cwd: join(cwd, "deeper") }))).toMatchObject({ cwd: join(cwd, "deeper") });
  });

  it("[D8] notifies the server of a cancelled call", async () => {
    const found = await read(stdio("good"));
    const controller = new AbortController();
    const waiting = call(found, "waits", {}, { abort: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toThrow();
    expect(await call(found, "cancelled")).toEqual(said("1"));
  });

  it("[D8] ignores invalid lines on stdout, and logs stderr", async () => {
    const log: string[] = [];
    const found = await read(stdio("noisy"), { log });
    expect(await call(found, "echo", { text: "hi", times: 1 })).toEqual(said("hi"));
    const quick = AbortSignal.timeout(100);
    await expect(call(found, "waits", {}, { abort: quick })).rejects.toThrow();
    expect(log).toEqual([expect.stringMatching(/^info MCP server "fix": waiting \d+$/)]);
  });

  it("[D8] receives a result of many megabytes", async () => {
    const answer = (await call(await read(stdio("good")), "huge")) as { content: [{ text: string }] };
    expect(answer.content[0].text).toHaveLength(12 * 1024 * 1024);
  });

  it("[D8] that exits fails the call with its last output, and is restarted for the next", async () => {
    const found = await read(stdio("good"));
    await expect(call(found, "dies")).rejects.toThrow(
      /^The MCP server exited during the call\. The next call starts it again\. Its last output:\nout of cheese$/,
    );
    expect(await call(found, "echo", { text: "back", times: 1 })).toEqual(said("back"));
  });

  it("[D8] updates a changed list", async () => {
    const found = await read(stdio("good"));
    const before = found.tools.length;
    await call(found, "grows");
    await expect.poll(() => found.tools.length).toBe(before + 1);
    expect(tool(found, "grown").description).toBe("Was not there before.");
  });

  it("[D8] is started once, and ended with its child processes", async () => {
    const folder = temporary();
    const starts = join(folder, "starts");
    const found = await read(stdio("stubborn", { env: { STARTS: starts } }));
    await call(found, "echo", { text: "a", times: 1 });
    await call(found, "echo", { text: "b", times: 1 });
    const pids = readFileSync(starts, "utf8").trim().split("\n").map(Number);
    // The server and its child process.
    expect(pids).toHaveLength(2);
    expect(pids.every(isRunning)).toBe(true);
    await found.close();
    await expect.poll(() => pids.some(isRunning)).toBe(false);
  });
});

describe("a server that cannot be used", () => {
  const problemOf = async (server: McpServer): Promise<unknown> => {
    const { tools, problems } = await read(server);
    expect(tools).toEqual([]);
    expect(problems).toHaveLength(1);
    return { ...problems[0], file: undefined };
  };

  it("[D5] exits at start: its last output is in the problem", async () => {
    expect(await problemOf(stdio("dies-at-start"))).toEqual({
      code: "import_failed",
      message: `The MCP server (${process.execPath}) exited before it answered. Its command, arguments or environment may be wrong. Correct it in /home/me/.mcp.json. Its last output:\nReading the configuration\nNo token in FIXTURE_TOKEN`,
    });
  });

  it("[D5] [X1] has an endless list: the first tools are served, with one problem", async () => {
    const problems = async (page: string): Promise<[number, string[]]> => {
      const { tools, problems: found } = await read(listing(page));
      return [tools.length, found.map(({ message }) => message)];
    };
    const tool = "(name) => ({ name, inputSchema: { type: 'object' } })";
    expect(await problems(`{ tools: ["a"].map(${tool}), nextCursor: "again" }`)).toEqual([
      1,
      [expect.stringContaining('would be called "fix_a"')],
    ]);
    expect(await problems(`{ tools: Array.from({ length: 200000 }, (_, at) => (${tool})("t" + at)) }`)).toEqual([
      1000,
      [
        "This server lists too many tools. Only the first 1000 are served. Only the developer of the server can fix this.",
      ],
    ]);
    const [count, [message]] = await problems(
      `{ tools: [{ ...(${tool})("t" + id), description: "d".repeat(3e6) }], nextCursor: String(id) }`,
    );
    expect(count).toBe(6);
    expect(message).toMatch(/^This server lists too many tools\. Only the first 6 are served\./);
    expect(await problems('{ tools: "none" }')).toEqual([
      0,
      [expect.stringMatching(/Invalid result for tools\/list: \[ \{.*\}/)],
    ]);
  });

  it("[D5] is not installed", async () => {
    expect(await problemOf(stdio("good", { command: "a-command-nobody-has" }))).toEqual({
      code: "import_failed",
      message:
        'The MCP server cannot be started: the command "a-command-nobody-has", or the folder to start it in, does not exist. Correct it in /home/me/.mcp.json.',
    });
  });

  it("[D5] never responds, and is ended", async () => {
    const starts = join(temporary(), "starts");
    const found = await problemOf(stdio("silent", { timeoutMs: 500, env: { STARTS: starts } }));
    expect(found).toEqual({
      code: "import_timeout",
      message: `The MCP server (${process.execPath}) did not answer within 0.5 s. Run it in a terminal to see why. If it is only slow, set a larger "timeout" (in milliseconds) in its configuration.`,
    });
    expect(isRunning(Number(readFileSync(starts, "utf8")))).toBe(false);
  });

  it("[D5] cannot be reached", async () => {
    const { url, close } = await startHttp();
    await close();
    expect(await problemOf({ type: "http", url, headers: {} })).toEqual({
      code: "import_failed",
      message: expect.stringMatching(
        /^The MCP server at http:\/\/127\.0\.0\.1:\d+\/mcp cannot be reached: connect ECONNREFUSED .*\. Is it running\? Correct it in \/home\/me\/\.mcp\.json\.$/,
      ),
    });
  });

  it("[D5] requires authorization", async () => {
    const { url } = await http({ token: "s3cret" });
    expect(await problemOf({ type: "http", url, headers: {} })).toEqual({
      code: "import_failed",
      message: `The MCP server at ${url} requires authorization (HTTP 401). Add an Authorization header to its "headers". Correct it in /home/me/.mcp.json.`,
    });
    const found = await read({ type: "http", url, headers: { Authorization: "Bearer s3cret" } });
    expect(await call(found, "echo", { text: "in", times: 1 })).toEqual(said("in"));
  });
});

describe("a server over http", () => {
  it("[D8] that has lost the session gets the call again in a new one", async () => {
    const { url, forget, requests } = await http();
    const found = await read({ type: "http", url, headers: {} });
    forget();
    expect(await call(found, "echo", { text: "again", times: 1 })).toEqual(said("again"));
    expect(requests.filter(({ method }) => method === "initialize")).toHaveLength(2);
  });

  it("[D5] that is down at a call is reported without the secrets in its URL", async () => {
    const { url, close } = await http();
    const found = await read({ type: "http", url: `${url}?key=s3cret`, headers: {} });
    await found.close();
    await close();
    await expect(call(found, "echo", { text: "a" })).rejects.toThrow(
      /^The MCP server at http:\/\/127\.0\.0\.1:\d+\/mcp cannot be reached: /,
    );
    const cancelled = call(found, "echo", { text: "a" }, { abort: AbortSignal.abort(new Error("No longer wanted")) });
    await expect(cancelled).rejects.toThrow("No longer wanted");
  });

  it("[D8] is asked to end an unused session", async () => {
    const { url, requests } = await http();
    await (await read({ type: "http", url, headers: {} })).close();
    expect(requests.at(-1)?.method).toBe("DELETE");
  });

  it("[D8] that no longer responds does not keep the connection open", async () => {
    const { url, requests } = await http({ deafTo: "DELETE" });
    await (await read({ type: "http", url, headers: {} })).close();
    expect(requests.at(-1)?.method).toBe("DELETE");
  });

  it("[D5] that supports only HTTP+SSE is reported", async () => {
    const { url } = await http({ deafTo: "POST", status: 405 });
    const { problems } = await read({ type: "http", url, headers: {} });
    expect(problems.map(({ message }) => message)).toEqual([
      `The MCP server at ${url} does not support Streamable HTTP at this URL (HTTP 405). The older HTTP+SSE transport is not supported. Many servers have a second URL that ends in /mcp. Correct it in /home/me/.mcp.json.`,
    ]);
  });
});

describe("configured servers, in a toolbox", () => {
  it("[D7] [D8] are not started before the project is trusted, and serve their tools afterwards", async () => {
    const at = sandbox();
    const starts = join(at.root, "starts");
    const entry = { command: process.execPath, args: [STDIO, "good"], env: { STARTS: starts } };
    put(join(at.project, ".mcp.json"), JSON.stringify({ mcpServers: { fix: entry } }));
    put(join(at.home, ".toolwright/settings.json"), '{ "mcp": { "import": true } }');
    const untrusted = await open(at, { trust: false });
    expect(untrusted.toolbox.list()).toEqual([]);
    expect(untrusted.toolbox.status.blocked).toMatchObject([{ files: [join(at.project, ".mcp.json#fix")] }]);
    expect(await untrusted.say("fix_echo", { text: "no" })).toContain(`toolwright trust --cwd ${at.project}`);
    expect(existsSync(starts)).toBe(false);
    const trusted = await open(at);
    expect(trusted.toolbox.get("fix_echo")).toMatchObject({ source: "mcp", format: "mcp", pluginName: "fix" });
    expect(await trusted.say("fix_echo", { text: "hi", times: 2 })).toBe("hi hi");
    expect(await trusted.say("fix_fails")).toBe("The staging database is down.");
    expect(trusted.toolbox.get("fix_structured")?.outputSchema).toEqual({ type: "object", required: ["gone"] });
    const structured = (input: object): Promise<unknown> =>
      trusted.toolbox.call({ name: "fix_structured", input }).result;
    const content = [{ type: "text", text: "two" }];
    expect(await structured({ kept: true })).toMatchObject({ ok: true, content, data: { gone: 2 } });
    expect(await structured({})).toMatchObject({
      ok: false,
      content,
      error: { code: "invalid_output", data: { issues: [{ path: "/gone", message: "is required" }] } },
    });
    await trusted.toolbox.close();
    const [pid = 0] = readFileSync(starts, "utf8").split("\n").map(Number);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("[D5] that do not respond delay neither each other nor the tools of files", async () => {
    const at = sandbox({ "own.ts": answering('"own"') });
    const server = (kind: string): object => ({ command: process.execPath, args: [STDIO, kind] });
    const mcpServers = { fix: server("silent"), good: server("good") };
    const file = put(join(at.project, ".mcp.json"), JSON.stringify({ mcpServers }));
    put(join(at.home, ".toolwright/settings.json"), '{ "mcp": { "import": true } }');
    const { toolbox, say } = await open(at, { waitMs: 1 });
    await expect.poll(() => toolbox.has("own") && toolbox.has("good_echo"), { timeout: 30_000 }).toBe(true);
    expect(await say("good_echo", { text: "hi", times: 2 })).toBe("hi hi");
    expect(toolbox.problems()).toContainEqual({
      file: `${file}#fix`,
      code: "import_timeout",
      message: "The MCP server has not answered yet. Its tools are missing until it has.",
    });
  });
});
