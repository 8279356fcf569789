import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createProtocol, type ProtocolOptions } from "../src/surfaces/mcp/index.ts";
import { CLI, cli, ensureBuilt } from "./support/cli.ts";
import { conformanceServer } from "./support/conformance-server.ts";
import { type Sandbox, sandbox } from "./support/fixture.ts";
import { calling, ERAS, type Era, initialize, type Raw, rawConnection } from "./support/mcp-client.ts";
import { GREET, WAITS } from "./support/mcp-tools.ts";
import { startedWith } from "./support/processes.ts";
import { answering, open } from "./support/toolbox.ts";

/** A client over HTTP of a server with prompts and resources. */
async function overHttp(era: Era): Promise<{ client: Client; server: Awaited<ReturnType<typeof conformanceServer>> }> {
  const server = await conformanceServer();
  onTestFinished(() => server.close());
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "tester", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  onTestFinished(() => client.close());
  return { client, server };
}

describe.each(ERAS)("a server in code, for a client of %s over HTTP", (era) => {
  it("[M1] serves its prompts", async () => {
    const { client } = await overHttp(era);
    const { prompts } = await client.listPrompts();
    expect(prompts[1]).toEqual({
      name: "test_prompt_with_arguments",
      description: "A prompt with two arguments.",
      arguments: [
        { name: "arg1", description: "The first.", required: true },
        { name: "arg2", description: "The second.", required: true },
      ],
    });
    const name = "test_prompt_with_arguments";
    expect(await client.getPrompt({ name, arguments: { arg1: "a", arg2: "b" } })).toMatchObject({
      messages: [{ role: "user", content: { text: "Prompt with arguments: arg1='a', arg2='b'" } }],
    });
    const argument = { name: "arg1", value: "part" };
    expect(await client.complete({ ref: { type: "ref/prompt", name }, argument })).toMatchObject({
      completion: { values: ["party"], total: 1, hasMore: false },
    });
    await expect(client.getPrompt({ name, arguments: { arg1: "a" } })).rejects.toMatchObject({
      code: -32602,
      message: 'The prompt "test_prompt_with_arguments" needs the argument "arg2".',
    });
    await expect(client.getPrompt({ name: "none" })).rejects.toMatchObject({
      code: -32602,
      message: 'There is no prompt "none". List the prompts to see all names.',
    });
  });

  it("[M1] serves its resources", async () => {
    const { client } = await overHttp(era);
    expect((await client.listResources()).resources[0]).toEqual({
      uri: "test://static-text",
      name: "static-text",
      description: "A text that never changes.",
      mimeType: "text/plain",
    });
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: "test://template/{id}/data" },
    ]);
    expect((await client.readResource({ uri: "test://template/7/data" })).contents).toEqual([
      {
        uri: "test://template/7/data",
        mimeType: "application/json",
        text: '{"id":"7","templateTest":true,"data":"Data for ID: 7"}',
      },
    ]);
    expect((await client.readResource({ uri: "test://static-binary" })).contents[0]).toMatchObject({
      blob: expect.stringMatching(/^iVBORw0/),
    });
    await expect(client.readResource({ uri: "test://none" })).rejects.toMatchObject({ code: -32602 });
  });

  it("[M2] notifies subscribers of a changed resource, and clients of changed tools", async () => {
    const { client, server } = await overHttp(era);
    const uri = "test://watched-resource";
    const updated = new Promise((resolve) =>
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri)),
    );
    const changed = new Promise((resolve) =>
      client.setNotificationHandler("notifications/tools/list_changed", () => resolve("changed")),
    );
    if (era === "2025-11-25") await client.subscribeResource({ uri });
    else await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
    server.protocol.resourceUpdated("test://other");
    server.protocol.resourceUpdated(uri);
    expect(await updated).toBe(uri);
    await client.callTool({ name: "test_trigger_tool_change" });
    expect(await changed).toBe("changed");
  });
});

/** `toolwright mcp --http`, until the current test ends. */
async function program(at: Sandbox): Promise<{ url: string; token: string; child: ChildProcess }> {
  const args = ["mcp", "--http", "--port", "0", "--json", "--trust"];
  const child = spawn(process.execPath, [CLI, ...args], { cwd: at.project, env: at.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { ...(JSON.parse(line) as { url: string; token: string }), child };
}

describe("toolwright mcp --http", () => {
  beforeAll(ensureBuilt);

  it("[M1] serves clients of both eras under one address in separate sessions, and stops on a signal", async () => {
    const at = sandbox({
      "say.mjs": answering('[context.agent, context.sessionID].join(" ")'),
      "long.mjs": answering('"x\\n".repeat(5000)'),
    });
    const { url, token, child } = await program(at);
    const clients = await Promise.all(
      ERAS.map(async (era) => {
        const mode = era === "2025-11-25" ? "legacy" : { pin: era };
        const client = new Client({ name: `tester-${era}`, version: "1" }, { versionNegotiation: { mode } });
        const requestInit = { headers: { authorization: `Bearer ${token}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
        return client;
      }),
    );
    const say = async (client: Client, more: object = {}): Promise<string> => {
      const { content } = (await client.callTool({ name: "say", ...more })) as { content: { text: string }[] };
      return content[0]?.text ?? "";
    };
    const [older, newer] = clients as [Client, Client];
    expect(await say(older)).toMatch(/^tester-2025-11-25 [0-9a-f-]{36}$/);
    expect(await say(newer)).toBe("tester-2026-07-28 default");
    expect(await say(newer, { _meta: { "toolwright/session": "mine" } })).toBe("tester-2026-07-28 mine");
    for (const name of ["", "x".repeat(201), "a\nb", 7]) {
      await expect(say(newer, { _meta: { "toolwright/session": name } })).rejects.toThrow(
        '"toolwright/session" in _meta must be a string of 1 to 200 characters.',
      );
    }
    const { content } = (await older.callTool({ name: "long" })) as { content: { uri: string }[] };
    const uri = content[1]?.uri ?? "";
    expect((await older.readResource({ uri })).contents[0]).toMatchObject({ text: "x\n".repeat(5000) });
    await expect(newer.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
    await Promise.all(clients.map((client) => client.close()));
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(startedWith(at.home)).toEqual([]);
  });

  it("[M1] [U1] refuses HTTP options without --http", async () => {
    expect(await cli(sandbox(), ["mcp", "--port", "1"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "toolwright: --port requires --http.\n",
    });
  });
});

/** A raw connection to a server in this process. */
async function lines(files: Record<string, string>, options: ProtocolOptions = {}): Promise<Raw> {
  const { toolbox } = await open(files);
  const raw = rawConnection(createProtocol(toolbox, options));
  await initialize(raw);
  return raw;
}

describe("tools that are fitted to a client", () => {
  it("[M5] are listed and called by their fitted names", async () => {
    const seen: unknown[] = [];
    const fit: ProtocolOptions["fit"] = (tools, client) => {
      seen.push(client);
      return tools.map((tool) => ({ ...tool, name: `x_${tool.name}`, description: "Fitted." }));
    };
    const raw = await lines({ "greet.ts": GREET }, { fit });
    raw.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await raw.answerTo(1)).toMatchObject({ result: { tools: [{ name: "x_greet", description: "Fitted." }] } });
    expect(seen).toEqual([{ name: "raw", version: "1" }]);
    raw.send(calling(2, "x_greet", { name: "Ada" }));
    expect((await raw.answerTo(2)).result?.content?.[0]?.text).toBe("Hello, Ada! From raw.");
    raw.send(calling(3, "x_gret"));
    expect((await raw.answerTo(3)).error?.message).toBe('There is no tool "x_gret". Did you mean "x_greet"?');
  });

  it("[M5] are found by their fitted names by a client that has not listed them", async () => {
    const fit: ProtocolOptions["fit"] = (tools) => tools.map((tool) => ({ ...tool, name: `x_${tool.name}` }));
    const raw = await lines({ "greet.ts": GREET }, { fit });
    raw.send(calling(1, "x_greet", { name: "Ada" }));
    expect((await raw.answerTo(1)).result?.content?.[0]?.text).toBe("Hello, Ada! From raw.");
  });

  it("[M5] always have an object schema, because clients reject the list otherwise", async () => {
    const fit: ProtocolOptions["fit"] = (tools) => tools.map((tool) => ({ ...tool, inputSchema: { anyOf: [{}] } }));
    const raw = await lines({ "greet.ts": GREET }, { fit });
    raw.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await raw.answerTo(1)).toMatchObject({
      result: { tools: [{ inputSchema: { anyOf: [{}], type: "object" } }] },
    });
  });
});

describe("calls in code", () => {
  it("[M2] have access to their client while they run", async () => {
    const { toolbox } = await open({ "waits.mjs": WAITS, "say.mjs": answering("context.callID") });
    const protocol = createProtocol(toolbox);
    const ids: string[] = [];
    const infos: unknown[] = [];
    toolbox.on("call", ({ type, callID }) => {
      if (type !== "tool.start") return;
      ids.push(callID);
      infos.push(protocol.clientOf(callID)?.info);
    });
    const raw = rawConnection(protocol);
    await initialize(raw);
    raw.send(calling(1, "say"));
    await raw.answerTo(1);
    expect(infos).toEqual([{ name: "raw", version: "1" }]);
    expect(ids.map((id) => protocol.clientOf(id))).toEqual([undefined]);
  });
});
