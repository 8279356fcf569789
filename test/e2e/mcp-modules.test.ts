import { symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import { createToolbox, type RunEvent, type Toolbox } from "../../src/index.ts";
import { makeSandbox } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";
import { put } from "../support/temporary.ts";

const missing = await installed("mcp-servers");

const SDK = "@modelcontextprotocol/sdk";
const HEAD = `import { McpServer } from "${SDK}/server/mcp.js";
import { StdioServerTransport } from "${SDK}/server/stdio.js";
import { z } from "zod";
`;
const SERVER = 'new McpServer({ name: "test", version: "1.0.0" })';
const ECHO = `server.registerTool("echo", { description: "Echoes.", inputSchema: { text: z.string() } }, async ({ text }) => ({
  content: [{ type: "text", text: "echo " + text }],
}));
`;
const CONNECT = "await server.connect(new StdioServerTransport());\n";

interface Opened {
  readonly toolbox: Toolbox;
  readonly log: () => string;
  call(name: string, input?: object): Promise<string>;
}

/** A toolbox with these files, next to the installed packages. */
async function open(
  files: Readonly<Record<string, string>>,
  { env = {}, isInstalled = true, ui = {} }: { env?: Record<string, string>; isInstalled?: boolean; ui?: object } = {},
): Promise<Opened> {
  const at = makeSandbox();
  for (const [name, text] of Object.entries(files)) put(join(at.project, ".toolwright/tools", name), text);
  if (isInstalled) symlinkSync(MODULES["mcp-servers"], join(at.project, "node_modules"));
  const toolbox = await createToolbox({
    cwd: at.project,
    env: { ...at.env, ...env },
    trust: true,
    builtins: false,
    ...ui,
  });
  let log = "";
  toolbox.on("log", ({ text }) => {
    log += text;
  });
  onTestFinished(async () => {
    await toolbox.close();
    at.remove();
  });
  const call = async (name: string, input: object = {}): Promise<string> =>
    outputOf(await toolbox.call({ name, input, sessionID: "s1" }).result);
  return { toolbox, log: () => log, call };
}

const names = ({ toolbox }: Opened): string[] =>
  toolbox
    .list()
    .map(({ name }) => name)
    .sort();
const messages = ({ toolbox }: Opened): string[] => toolbox.problems().map(({ message }) => message);

/** Files that serve the tool "echo", each in another way. */
const SHAPES: Readonly<Record<string, string>> = {
  "connects at its top level": `${HEAD}const server = ${SERVER};\n${ECHO}${CONNECT}`,
  "connects in a function that nothing waits for": `${HEAD}const server = ${SERVER};\n${ECHO}
async function main() { await new Promise((go) => setTimeout(go, 50)); ${CONNECT} }
main().catch((error) => { console.error(error); process.exit(1); });`,
  "connects if it is the program": `${HEAD}import { fileURLToPath } from "node:url";
export const server = ${SERVER};\n${ECHO}
if (process.argv[1] === fileURLToPath(import.meta.url)) { ${CONNECT} }`,
  "exports a server": `${HEAD}export const server = ${SERVER};\n${ECHO}`,
  "exports a server as default": `${HEAD}const server = ${SERVER};\n${ECHO}export default server;`,
  "exports the server inside of it": `${HEAD}const server = ${SERVER};\n${ECHO}export default server.server;`,
  "exports an object with a server": `${HEAD}const server = ${SERVER};\n${ECHO}export default { server, cleanup() {} };`,
  "exports a server that it also connects": `${HEAD}export const server = ${SERVER};\n${ECHO}
setTimeout(() => server.connect(new StdioServerTransport()), 100);`,
  "exports a function without parameters": `${HEAD}export function createServer() { const server = ${SERVER};\n${ECHO}return server; }`,
  "exports functions that share a server": `${HEAD}export const createSandboxServer = () => createServer();
export const createServer = () => { const server = ${SERVER};\n${ECHO}return server; }`,
  "exports an async function that returns an object": `${HEAD}
export const createMcpServer = async () => { const server = ${SERVER};\n${ECHO}return { server, cleanup() {} }; }`,
  "exports a function of Smithery": `${HEAD}export default ({ config, env, session }) => { const server = ${SERVER};\n${ECHO}return server.server; }`,
  "exports a function that connects": `${HEAD}export default async function main() { const server = ${SERVER};\n${ECHO}${CONNECT} }`,
  "exports a function that adds tools": `${HEAD}export function registerEcho(server: McpServer) { ${ECHO} }`,
  "exports a default function that adds tools": `${HEAD}export default (server: McpServer, prefix = "") => { ${ECHO} }`,
  "exports functions that add the same tools": `${HEAD}export function registerEcho(server: McpServer) { ${ECHO} }
export async function registerAll(server: McpServer) { registerEcho(server); }`,
  "is CommonJS": `const { McpServer } = require("${SDK}/server/mcp.js");
const { StdioServerTransport } = require("${SDK}/server/stdio.js");
const { z } = require("zod");
const server = ${SERVER};\n${ECHO}server.connect(new StdioServerTransport());`,
  "contains its protocol": `// A bundle: class StdioServerTransport
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => { for (const line of text.split("\\n").filter(Boolean)) answer(JSON.parse(line)); });
process.stdin.on("end", () => process.exit(0));
const RESULTS = {
  initialize: () => ({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "raw", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } }] }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text: "echo " + text }] }),
};
function answer({ id, method, params }) {
  const result = RESULTS[method]?.(params);
  if (id !== undefined && result) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
}`,
  "uses FastMCP": `import { FastMCP } from "fastmcp";
import { z } from "zod";
export const server = new FastMCP({ name: "test", version: "1.0.0" });
server.addTool({ name: "echo", description: "Echoes.", parameters: z.object({ text: z.string() }), execute: async ({ text }) => "echo " + text });`,
  "uses the second version of the SDK": `import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
export function createServer() { const server = ${SERVER};\n${ECHO.replace("{ text: z.string() }", "z.object({ text: z.string() })")}return server; }`,
};

describe.skipIf(missing)("a module with an MCP server", () => {
  it.each(Object.entries(SHAPES))("[A15] that %s", async (shape, text) => {
    const opened = await open({ [shape === "is CommonJS" ? "a.cjs" : "a.ts"]: text });
    expect({ names: names(opened), messages: messages(opened) }).toEqual({ names: ["echo"], messages: [] });
    expect(opened.toolbox.get("echo")).toMatchObject({ format: "mcp-module", inputSchema: { type: "object" } });
    expect(await opened.call("echo", { text: "hi" })).toBe("echo hi");
  });

  it("[A15] [P9] passes on declarations and results unchanged", async () => {
    const { toolbox } = await open({
      "a.ts": `${HEAD}const server = ${SERVER};
server.registerTool("weather/now", {
  title: "Weather", description: "The weather.", inputSchema: { city: z.string().describe("Where") }, outputSchema: { degrees: z.number() },
  annotations: { readOnlyHint: true, openWorldHint: true },
}, async ({ city }) => ({
  content: [{ type: "text", text: city }, { type: "image", data: "AAAA", mimeType: "image/png" }], structuredContent: { degrees: 3 },
}));
${CONNECT}`,
    });
    expect(toolbox.get("weather_now")).toMatchObject({
      description: "The weather.",
      inputSchema: { properties: { city: { type: "string", description: "Where" } }, required: ["city"] },
      outputSchema: { properties: { degrees: { type: "number" } } },
      hints: { title: "Weather", readOnly: true, openWorld: true },
    });
    const result = await toolbox.call({ name: "weather_now", input: { city: "Oslo" } }).result;
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: "Oslo" }, { type: "image", data: "AAAA" }],
      data: { degrees: 3 },
    });
  });

  it("[D5] [P5] that exits is one problem with its last output, and costs no other file", async () => {
    const opened = await open({
      "good.ts": `${HEAD}const server = ${SERVER};\n${ECHO}${CONNECT}`,
      "key.ts": `${HEAD}if (!process.env.SOME_KEY) { console.error("SOME_KEY is required"); process.exit(1); }\n${CONNECT}`,
      "late.ts": `${HEAD}const server = ${SERVER};
async function main() { await null; throw new Error("no database"); }
main().catch((error) => { console.error("Fatal:", error.message); process.exit(2); });\n// ${CONNECT}`,
    });
    expect(names(opened)).toEqual(["echo"]);
    expect(messages(opened)).toEqual([
      "It called process.exit(1) while it was read. Remove the reason, then reload. Its last output:\nSOME_KEY is required",
      "It called process.exit(2) while it was read. Remove the reason, then reload. Its last output:\nFatal: no database",
    ]);
    expect(await opened.call("echo", { text: "still" })).toBe("echo still");
  });

  it("[D5] keeps the streams of the host: what it prints is logged, and its stdin is its own", async () => {
    const text = `${HEAD}console.log("hello from the top"); process.stdout.write("not a message\\n");
process.stdin.on("close", () => process.exit(0));
const server = ${SERVER};\n${ECHO}${CONNECT}`;
    const opened = await open({ "a.ts": "" });
    const [problem] = opened.toolbox.problems();
    put(problem?.file ?? "", text);
    await opened.toolbox.reload();
    expect(await opened.call("echo", { text: "a" })).toBe("echo a");
    expect(opened.log()).toContain("hello from the top");
    expect(opened.log()).toContain("not a message");
  });

  it("[D5] [P5] a tool that exits fails its call, and no other", async () => {
    const opened = await open({
      "a.ts": `${HEAD}const server = ${SERVER};\n${ECHO}
server.registerTool("exits", { description: "Exits." }, async () => process.exit(3));\n${CONNECT}`,
    });
    const [exits, echo] = await Promise.all([opened.call("exits"), opened.call("echo", { text: "a" })]);
    expect([exits, echo]).toEqual(["The tool called process.exit(3).", "echo a"]);
  });

  it("[D5] opens no port", async () => {
    const opened = await open({
      "a.ts": `${HEAD}import { createServer } from "node:http";
export const server = ${SERVER};\n${ECHO}
createServer(() => {}).listen(47_113, () => console.error("listening"));`,
    });
    expect(names(opened)).toEqual(["echo"]);
    const own = createServer();
    const listening = new Promise((resolve, reject) => own.once("listening", resolve).once("error", reject));
    own.listen(47_113, "127.0.0.1");
    await listening;
    own.close();
  });

  it("[D5] that throws, or has a tool without a valid name, is reported", async () => {
    const opened = await open({
      "long.ts": `${HEAD}const server = ${SERVER};\n${ECHO}${ECHO.replace('"echo"', `"${"x".repeat(65)}"`)}${CONNECT}`,
      "throws.ts": `${HEAD}throw new Error("no such file");`,
    });
    expect(names(opened)).toEqual(["echo"]);
    expect(opened.toolbox.problems().map(({ code }) => code)).toEqual(["bad_name", "import_failed"]);
  });

  it("[D5] calls no function that may be the body of a tool", async () => {
    const body = 'throw new Error("called")';
    const opened = await open({
      "args.ts": `${HEAD}export default async function run(args: object) { ${body} }\nexport type S = McpServer;`,
      "request.ts": `${HEAD}export default async function handler(request: Request) { ${body} }\nexport type S = McpServer;`,
      "two.ts": `${HEAD}export function registerTools(server: McpServer, client: object) { ${body} }`,
      "other.ts": `${HEAD}export function deleteServer() { ${body} }\nexport type S = McpServer;`,
      "no-import.ts": `export default (server) => { ${body} };`,
    });
    expect(opened.toolbox.problems().map(({ code }) => code)).toEqual(Array(5).fill("not_a_tool"));
    expect(messages(opened).join()).not.toContain('called"');
  });

  it("[A15] takes the configuration of Smithery from defaults and the environment", async () => {
    const text = `${HEAD}export const configSchema = z.object({ apiKey: z.string(), limit: z.number().default(5) });
export default function createServer({ config }) {
  const server = ${SERVER};
  server.registerTool("shows", { description: "Shows." }, async () => ({ content: [{ type: "text", text: JSON.stringify(config) }] }));
  return server.server;
}`;
    const without = await open({ "a.ts": text });
    expect(names(without)).toEqual(["shows"]);
    expect(await without.call("shows")).toBe(
      "It needs a configuration: set API_KEY in the environment of Toolwright (apiKey in its configSchema).",
    );
    const opened = await open({ "a.ts": text }, { env: { API_KEY: "k1", LIMIT: "7" } });
    expect(await opened.call("shows")).toBe('{"apiKey":"k1","limit":7}');
  });

  it("[A15] [D6] lists tools that are registered later", async () => {
    const opened = await open({
      "a.ts": `${HEAD}const server = ${SERVER};
server.registerTool("more", { description: "Adds one." }, async () => { ${ECHO} return { content: [] }; });\n${CONNECT}`,
    });
    await opened.call("more");
    await expect.poll(() => names(opened)).toEqual(["echo", "more"]);
    expect(await opened.call("echo", { text: "b" })).toBe("echo b");
  });

  it("[A15] asks the user by elicitation, in the session of the call", async () => {
    const asked: unknown[] = [];
    const ask =
      (answer: unknown) =>
      async (...given: unknown[]) => {
        asked.push(given.slice(0, 2));
        return answer;
      };
    const uiContext = { select: ask("large"), confirm: ask(true), input: ask("12") };
    const opened = await open({
      "a.ts": `${HEAD}const server = ${SERVER};
server.registerTool("order", { description: "Orders." }, async () => {
  const answer = await server.server.elicitInput({ message: "Your order?", requestedSchema: { type: "object", properties: {
    size: { type: "string", enum: ["small", "large"] }, gift: { type: "boolean", title: "A gift" }, count: { type: "integer" },
  }, required: ["size"] } });
  return { content: [{ type: "text", text: JSON.stringify(answer) }] };
});\n${CONNECT}`,
    });
    expect(await opened.call("order")).toBe('{"action":"cancel"}');
    opened.toolbox.setUIContext(uiContext as never);
    expect(await opened.call("order")).toBe('{"action":"accept","content":{"size":"large","gift":true,"count":12}}');
    expect(asked).toEqual([
      ["Your order?\nsize", ["small", "large"]],
      ["Your order?\nA gift", ""],
      ["Your order?\ncount", undefined],
    ]);
  });

  it("[P4] [P6] shows progress, and ends a call that ignores its signal", async () => {
    const { toolbox } = await open({
      "a.ts": `${HEAD}const server = ${SERVER};
server.registerTool("hangs", { description: "Hangs." }, async (extra) => {
  await extra.sendNotification({ method: "notifications/progress", params: { progressToken: extra._meta.progressToken, progress: 1, total: 4, message: "a quarter" } });
  await new Promise(() => {});
});\n${CONNECT}`,
    });
    const run = toolbox.call({ name: "hangs", input: {} });
    const events: RunEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.type === "tool.update") run.abort();
    }
    expect(JSON.stringify(events)).toContain("a quarter");
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("[A9] [A15] says what to install where no SDK is", async () => {
    const opened = await open({ "a.ts": `${HEAD}export const server = ${SERVER};` }, { isInstalled: false });
    expect(messages(opened)).toEqual([
      expect.stringMatching(
        /"@modelcontextprotocol\/sdk".*not installed.*npm install --prefix .* @modelcontextprotocol\/sdk/,
      ),
    ]);
  });

  it("[D6] an edit takes effect with the next reload", async () => {
    const text = `${HEAD}const server = ${SERVER};\n${ECHO}${CONNECT}`;
    const opened = await open({ "a.ts": text });
    const [file] = opened.toolbox.status.files;
    put(join(dirname(file?.file ?? ""), "a.ts"), text.replace('"echo "', '"edited "'));
    await opened.toolbox.reload();
    await sleep(10);
    expect(await opened.call("echo", { text: "x" })).toBe("edited x");
  });
});
