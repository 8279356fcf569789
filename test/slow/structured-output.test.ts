import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { ToolResult } from "../../src/core/result.ts";
import { createToolbox } from "../../src/index.ts";
import { NO_LIMITS } from "../../src/surfaces/client-limits/client-limits.ts";
import { fitTools } from "../../src/surfaces/client-limits/fit-tools.ts";
import { createProtocol, type ProtocolOptions } from "../../src/surfaces/mcp/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { makeSandbox, sandbox, writeTool } from "../support/fixture.ts";
import { openServer } from "../support/http-server.ts";
import { ERAS, type Era } from "../support/mcp-client.ts";
import { serveHttp } from "../support/mcp-http.ts";
import { open } from "../support/toolbox.ts";

/** A tool that declares these fields and returns the value of an expression. */
function declaring(output: string, expression: string, more = ""): string {
  return `import { z } from "zod";
export default { description: "Counts.", output: ${output}, ${more} execute: (args, context) => (${expression}) };\n`;
}

const WORDS = "{ words: z.number().min(0), unit: z.string().default('word') }";

/** One toolbox with all of these tools for the whole suite. */
function serving(files: Record<string, string>): () => Toolbox {
  const at = makeSandbox();
  let toolbox: Toolbox;
  beforeAll(async () => {
    for (const [name, text] of Object.entries(files)) writeTool(at, name, text);
    toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
  });
  afterAll(async () => {
    await toolbox.close();
    at.remove();
  });
  return () => toolbox;
}

/** The parts of a result that the tests compare. */
function told(result: ToolResult): object {
  const text = result.content.map((part) => (part.type === "text" ? part.text : part.type));
  if (result.ok) return { text, data: result.data };
  return { text, code: result.error.code, message: result.error.message };
}

const sdk = (outputSchema: string, returned: string): string =>
  `export default { name: "NAME", description: "Counts.", inputSchema: { type: "object" }, outputSchema: ${outputSchema}, handler: () => (${returned}) };\n`;

const DATE = "{ at: new Date(0) }";

/** Declared output, returned value, and the expected result. */
const FITTING: readonly (readonly [what: string, file: string, comes: object])[] = [
  ["a plain object", declaring(WORDS, "{ words: 2 }"), both('{"words":2,"unit":"word"}')],
  ["a text beside it", declaring(WORDS, "{ output: 'two', metadata: { words: 2 } }"), both("two")],
  [
    "content beside it",
    declaring(WORDS, "{ content: [{ type: 'text', text: 'two' }], details: { words: 2 } }"),
    both("two"),
  ],
  [
    "structured content of MCP",
    declaring(WORDS, "{ content: [], structuredContent: { words: 2 } }"),
    both('{"words":2,"unit":"word"}'),
  ],
  ["undeclared fields", declaring(WORDS, "{ words: 2, secret: 1 }"), both('{"words":2,"unit":"word"}')],
  [
    "data after output of write()",
    declaring(WORDS, "(context.write('counting\\n'), { words: 2 })"),
    both('counting\n{"words":2,"unit":"word"}'),
  ],
  [
    "a field called output",
    declaring("{ output: z.string() }", "{ output: 'x' }"),
    { text: ['{"output":"x"}'], data: { output: "x" } },
  ],
  ["a date of Zod", declaring("{ at: z.date() }", DATE), { data: { at: "1970-01-01T00:00:00.000Z" } }],
  [
    "a date of JSON Schema",
    declaring("{ at: { type: 'string', format: 'date-time' } }", DATE),
    { data: { at: "1970-01-01T00:00:00.000Z" } },
  ],
  ["a list", declaring("z.array(z.string())", "['a', 'b']"), { text: ['["a","b"]'], data: ["a", "b"] }],
  ["a text", declaring("z.string()", "'two'"), { text: ["two"], data: "two" }],
  [
    "a result of an SDK",
    sdk(
      "{ type: 'object', properties: { words: { type: 'number' } }, required: ['words'] }",
      "{ content: [{ type: 'text', text: 'two' }], structuredContent: { words: 2 } }",
    ),
    { text: ["two"], data: { words: 2 } },
  ],
  ["anything where an SDK's schema is none", sdk("'text'", "{ a: 1 }"), { text: ['{"a":1}'] }],
  ["anything where an SDK's schema cannot be used", sdk("{ $ref: '#/$defs/gone' }", "{ a: 1 }"), { text: ['{"a":1}'] }],
  [
    "the metadata of Tool.define",
    `import { Tool } from "toolwright"; import { z } from "zod";
export default Tool.define("NAME", { description: "Counts.", output: { words: z.number() },
  execute: () => ({ title: "", output: "two", metadata: { words: 2 } }) });\n`,
    { text: ["two"], data: { words: 2 } },
  ],
];

function both(text: string): object {
  return { text: [text], data: { words: 2, unit: "word" } };
}

const FAILING = {
  "misfit.ts": declaring(WORDS, "{ output: 'two words', metadata: { words: '2' } }"),
  "text.ts": declaring(WORDS, "'two words'"),
  "nothing.ts": declaring(WORDS, "undefined"),
  "bigint.ts": declaring(WORDS, "{ words: 2n }"),
  "says.ts": declaring(WORDS, "{ content: [{ type: 'text', text: 'No such file.' }], isError: true }"),
  "throws.ts": declaring(WORDS, "(() => { throw new Error('No.'); })()"),
  "large.ts": declaring("{ text: z.string() }", "{ text: 'é'.repeat(600) }", "limits: { maxBytes: 1000 },"),
  "long.ts": declaring("{ words: z.number() }", "{ output: 'x\\n'.repeat(3000), metadata: { words: 2 } }"),
  "dangling.ts": declaring("{ type: 'object', $ref: '#/$defs/gone' }", "process.exit(7)"),
  "broken.ts": declaring("{ words: 5 }", "1"),
};

describe("a tool that declares its output", () => {
  const named = FITTING.map(([, file], index) => [`t${index}.ts`, file.replace("NAME", `t${index}`)] as const);
  const toolbox = serving({ ...Object.fromEntries(named), ...FAILING });
  const run = (name: string): Promise<ToolResult> => toolbox().call({ name }).result;

  it.each(FITTING.map(([what, , comes], index) => [what, `t${index}`, comes] as const))(
    "[A4] [P1] may return %s",
    async (_, name, comes) => {
      expect(told(await run(name))).toMatchObject(comes);
    },
  );

  it("[A4] [P1] fails with a message for its author if the output does not match, and keeps the content", async () => {
    const misfit = await run("misfit");
    expect(told(misfit)).toEqual({
      text: ["two words"],
      code: "invalid_output",
      message:
        '"misfit" has run, but its output does not match the output that it declares:\n- /words: expected number, received string\nThis is a bug in the tool: fix the declared output, or what the tool returns.',
    });
    expect(misfit.ok || misfit.error.data).toEqual({
      issues: [{ path: "/words", message: "expected number, received string" }],
    });
    const says = (line: string): object => ({
      code: "invalid_output",
      message: expect.stringContaining(`\n${line}\n`),
    });
    expect(told(await run("text"))).toMatchObject(says("- output: expected object, received string"));
    expect(told(await run("nothing"))).toMatchObject(says("- output: expected object, received undefined"));
    expect(told(await run("bigint"))).toMatchObject({
      code: "invalid_output",
      message:
        "The tool's result cannot be written as JSON: Do not know how to serialize a BigInt. It should return a string, or plain JSON data (a BigInt as a string, no circular references).",
    });
  });

  it("[A4] may still throw", async () => {
    expect(told(await run("says"))).toMatchObject({ code: "failed", message: "No such file." });
    expect(told(await run("throws"))).toMatchObject({ code: "failed", message: "No." });
  });

  it("[P1] does not run if its declared output cannot be validated", async () => {
    expect(told(await run("dangling"))).toMatchObject({
      code: "failed",
      message:
        "The tool was not run, since the output that it declares cannot be checked. The JSON Schema is not valid: can't resolve reference #/$defs/gone from id #",
    });
  });

  it("[P7] fails if its data is too large, and names the file with the full data", async () => {
    const result = await run("large");
    const path = result.notes.truncated?.fullOutput ?? "";
    expect(told(result)).toMatchObject({
      code: "invalid_output",
      message: `"large" has run, but its structured output has 1211 bytes; the limit is 1000. The full output is in ${path}. Ask it for less, or raise "maxBytes" in the settings.`,
      text: [expect.stringMatching(/^\{"text":"éé.*\n\[truncated: \d+ bytes omitted; full output: .*\]$/s)],
    });
    expect(result).not.toHaveProperty("data");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ text: "é".repeat(600) });
  });

  it("[P7] keeps small data beside a truncated text", async () => {
    const result = await run("long");
    expect(result).toMatchObject({ ok: true, data: { words: 2 }, notes: { truncated: { omittedLines: 1000 } } });
  });

  it("[D5] is a problem if the declaration is invalid", () => {
    expect(toolbox().problems()).toMatchObject([
      {
        code: "bad_schema",
        tool: "broken",
        message:
          'output of "broken": Field "words" is not a schema but a value of type number. Write a Zod schema such as z.string(), or a JSON Schema such as { type: "string" }.',
      },
    ]);
  });

  it("[R1] is listed with its output schema, also from the cache", async () => {
    const at = sandbox({ "count.ts": declaring(WORDS, "{ words: 2 }") });
    const outputSchema = {
      type: "object",
      properties: { words: { type: "number", minimum: 0 }, unit: { type: "string", default: "word" } },
      required: ["words", "unit"],
      additionalProperties: false,
    };
    for (const _ of ["read", "cached"]) {
      const { toolbox: opened } = await open(at);
      expect(opened.get("count")).toMatchObject({ outputSchema });
      await opened.close();
    }
  });
});

/** The tools of a toolbox for a real client, which validates every result against the listed schema. */
async function client(toolbox: Toolbox, era: Era, options: ProtocolOptions = {}): Promise<Client> {
  const fit: ProtocolOptions["fit"] = (tools) => fitTools(tools, NO_LIMITS).map(({ tool }) => tool);
  const server = await serveHttp(createProtocol(toolbox, { fit, ...options }));
  onTestFinished(() => server.close());
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const made = new Client({ name: "tester", version: "1.0.0" }, { versionNegotiation: { mode } });
  await made.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  onTestFinished(() => made.close());
  return made;
}

const FILES = {
  "count.ts": declaring("{ words: z.number(), mail: z.email().optional() }", "{ words: 2 }"),
  "list.ts": declaring("z.array(z.string())", "['a', 'b']"),
  "wrong.ts": declaring("{ words: z.number() }", "{ words: 'two' }"),
  "large.ts": declaring("{ text: z.string() }", "{ text: 'x'.repeat(60_000) }"),
  "plain.ts": declaring("undefined", "{ output: 'two', metadata: { words: 2 } }"),
};

describe.each(ERAS)("the output of a tool, for a client of %s", (era) => {
  const toolbox = serving(FILES);

  it("[M2] is listed, and sent as structured content beside the text", async () => {
    const mcp = await client(toolbox(), era);
    const { tools } = await mcp.listTools();
    const output = (name: string): unknown => tools.find((tool) => tool.name === name)?.outputSchema;
    expect(output("count")).toEqual({
      type: "object",
      properties: { words: { type: "number" }, mail: { type: "string" } },
      required: ["words"],
      additionalProperties: false,
    });
    expect(output("plain")).toBeUndefined();
    expect(await mcp.callTool({ name: "count" })).toMatchObject({
      content: [{ type: "text", text: '{"words":2}' }],
      structuredContent: { words: 2 },
    });
    expect(await mcp.callTool({ name: "plain" })).not.toHaveProperty("structuredContent");
  });

  it("[M2] that is not an object is listed and sent as the protocol version requires", async () => {
    const mcp = await client(toolbox(), era);
    const { tools } = await mcp.listTools();
    const list = { type: "array", items: { type: "string" } };
    const isOld = era === "2025-11-25";
    expect(tools.find(({ name }) => name === "list")?.outputSchema).toEqual(
      isOld ? { type: "object", properties: { result: list }, required: ["result"] } : list,
    );
    expect(await mcp.callTool({ name: "list" })).toMatchObject({
      content: [{ text: '["a","b"]' }],
      structuredContent: isOld ? { result: ["a", "b"] } : ["a", "b"],
    });
  });

  it("[M2] [P7] that is too large is an error with a link to the full data, without structured content", async () => {
    const mcp = await client(toolbox(), era);
    await mcp.listTools();
    const result = await mcp.callTool({ name: "large" });
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringMatching(
            /^"large" has run, but its structured output .* Ask it for less, or raise "maxBytes"/,
          ),
        },
        { text: expect.stringMatching(/\[truncated: 10011 bytes omitted; full output: .*\]$/) },
        { type: "resource_link" },
      ],
    });
    expect(result).not.toHaveProperty("structuredContent");
    expect(JSON.stringify(result).length).toBeLessThan(52_000);
  });

  it("[M2] that does not match the declaration is an error with that reason", async () => {
    const mcp = await client(toolbox(), era);
    await mcp.listTools();
    const result = await mcp.callTool({ name: "wrong" });
    expect(result).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringContaining("- /words: expected number, received string") },
        { text: '{"words":"two"}' },
      ],
    });
    expect(result).not.toHaveProperty("structuredContent");
  });

  it("[M2] is sent to a client that has not listed the tools on this connection", async () => {
    expect(await (await client(toolbox(), era)).callTool({ name: "count" })).toMatchObject({
      structuredContent: { words: 2 },
    });
  });

  it("[M5] is not sent to a client without support for it, and neither is structured content", async () => {
    const fit: ProtocolOptions["fit"] = (tools) =>
      fitTools(tools, { ...NO_LIMITS, outputs: "none" }).map(({ tool }) => tool);
    const mcp = await client(toolbox(), era, { fit });
    for (const listed of [false, true]) {
      if (listed) expect((await mcp.listTools()).tools.filter((tool) => tool.outputSchema)).toEqual([]);
      const result = await mcp.callTool({ name: "count" });
      expect(result).toMatchObject({ content: [{ text: '{"words":2}' }] });
      expect(result).not.toHaveProperty("structuredContent");
    }
  });

  it("[M2] that a hook removed is an error, since the client would refuse the result", async () => {
    const { toolbox: hooked } = await open(
      { "count.ts": FILES["count.ts"] },
      { hooks: { after: () => ({ data: null, output: "hidden" }) } },
    );
    const mcp = await client(hooked, era);
    await mcp.listTools();
    expect(await mcp.callTool({ name: "count" })).toMatchObject({
      isError: true,
      content: [
        {
          text: '"count" has run, but its result lacks the structured data that it declares: a hook has changed it, or the tool has changed since it was listed. Its text follows.',
        },
        { text: "hidden" },
      ],
    });
  });
});

describe("the output of a tool, for people and programs", () => {
  beforeAll(ensureBuilt);

  const mail = declaring("{ words: z.number().describe('How many'), mail: z.email().optional() }", "{ words: 2 }");

  it("[S1] is in the REST API, if declared", async () => {
    const { ask, post } = await openServer({
      ".toolwright/tools/count.ts": mail,
      ".toolwright/tools/plain.ts": FILES["plain.ts"],
    });
    expect(await (await ask("/api/tools/count")).json()).toMatchObject({
      name: "count",
      outputSchema: { properties: { words: { type: "number" }, mail: { format: "email" } }, required: ["words"] },
    });
    expect(Object.keys((await (await ask("/api/tools/plain")).json()) as object)).toEqual([
      "name",
      "description",
      "source",
      "inputSchema",
    ]);
    expect(await (await post("/api/tools/count/run", {})).json()).toMatchObject({ ok: true, data: { words: 2 } });
    const { components } = (await (await ask("/openapi.json")).json()) as { components: { schemas: object } };
    expect(components.schemas).toMatchObject({ Tool: { properties: { outputSchema: { type: "object" } } } });
  });

  it("[U1] is shown and listed", async () => {
    const at = sandbox({ "count.ts": mail, "letters.ts": FILES["list.ts"] });
    expect((await cli(at, ["show", "count", "--trust"])).stdout).toContain(
      "\nIt takes no arguments.\n\nData\n  words  number  always  How many\n  mail   string  maybe\n\nExample\n",
    );
    expect((await cli(at, ["show", "letters", "--trust"])).stdout).toContain("\nData: string[]\n");
    const listed = json<{ tools: { name: string; outputSchema?: object }[] }>(
      await cli(at, ["list", "--json", "--trust"]),
    );
    expect(listed.tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name)).toEqual([
      "count",
      "letters",
    ]);
  });

  it("[M5] [U1] check reports it, and the form that clients receive", async () => {
    const at = sandbox({ "count.ts": mail });
    const { stdout } = await cli(at, [
      "check",
      "--long",
      "--trust",
      "--client",
      "openai-api",
      "--client",
      "claude-code",
    ]);
    expect(stdout).toContain("\n    takes no arguments\n    returns { words: number, mail?: string }\n");
    expect(stdout).toContain(
      "\nFor OpenAI's API\n  count\n    the output: not sent, since OpenAI's API accepts no output schema; results are text only\n",
    );
    expect(stdout).toContain(
      '\nFor Claude Code\n  count\n    the output: sent without "format", "pattern", which clients treat differently; it is checked here\n',
    );
  });
});
