import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { formatHost } from "../../../../test/support/forms.ts";
import { callTool, readJson } from "../../../../test/support/json-tool.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { readJsonFile } from "./read-json-file.ts";

const schema = { type: "object", properties: { path: { type: "string" } } };
const good = {
  name: "good",
  description: "Good",
  inputSchema: schema,
  handler: { type: "shell", command: "echo {{path}}" },
};

const listTodos = {
  name: "list-todos",
  description: "Find TODO comments in source code",
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "Search pattern (default: TODO)" },
      directory: { type: "string", description: "Directory to search in" },
    },
  },
  handler: { type: "shell", command: "grep -rn '{{pattern}}' {{directory}} || true", timeout: 10000 },
};
const checkApi = {
  name: "check-api",
  description: "Check API health endpoint",
  inputSchema: {
    type: "object",
    properties: { url: { type: "string", description: "API URL to check" } },
    required: ["url"],
  },
  handler: { type: "http", url: "{{url}}/health", method: "GET", timeout: 5000 },
};

describe("a JSON file of tools", () => {
  it("[A6] is read into tools with their origin", async () => {
    const folder = temporary();
    const { tools, problems, about } = await readJson(folder, {
      name: "my-tools",
      version: "1.0.0",
      tools: [listTodos, checkApi],
    });
    expect(problems).toEqual([]);
    expect(tools.map(({ name, description, input }) => [name, description, input.json])).toEqual([
      ["list-todos", listTodos.description, listTodos.inputSchema],
      ["check-api", checkApi.description, checkApi.inputSchema],
    ]);
    expect(tools[0]?.origin).toEqual({
      source: "plugin",
      place: "project",
      format: "json",
      file: join(folder, "mine.json"),
      exportName: "list-todos",
      pluginName: "my-tools",
      pluginVersion: "1.0.0",
    });
    expect(about).toEqual({ format: "json", why: 'it is a JSON file with a list of "tools"', unsupportedFeatures: [] });
  });

  it("[A6] runs a search with and without its optional parameters", async () => {
    const folder = temporary();
    put(join(folder, "src/a.ts"), "// TODO: it's $(late)\n");
    put(join(folder, "b.txt"), "TODO\n");
    const { tools } = await readJson(temporary(), { name: "my-tools", tools: [listTodos] });
    const search = (input: object): Promise<unknown> => callTool(tools[0], input, folder);
    expect(await search({ pattern: "it's $(late)", directory: "src" })).toMatchObject({
      output: "src/a.ts:1:// TODO: it's $(late)\n",
    });
    expect(await search({ pattern: "TODO" })).toMatchObject({ output: expect.stringContaining("b.txt:1:TODO") });
    put(join(folder, "c.txt"), "nothing to do\n");
    // Its description says "(default: TODO)".
    expect(await search({ directory: "src" })).toEqual({
      output: "src/a.ts:1:// TODO: it's $(late)\n",
      metadata: { exit: 0 },
    });
    expect(tools[0]?.access?.({}, { cwd: folder })).toEqual([{ kind: "execute", target: "grep -rn 'TODO'  || true" }]);
    const all = (await search({})) as { output: string };
    expect(all.output.split("\n").toSorted()).toEqual([
      '["directory" was not sent and was left out of the command.]',
      "b.txt:1:TODO",
      "src/a.ts:1:// TODO: it's $(late)",
    ]);
    expect(await search({ pattern: "nowhere" })).toEqual({
      output: '[no output. "directory" was not sent and was left out of the command.]',
      metadata: { exit: 0, omitted: ["directory"] },
    });
  });

  it("[A6] calls an API", async () => {
    const server = createServer((request, response) => response.end(`${request.method} ${request.url}`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { tools } = await readJson(temporary(), { name: "my-tools", tools: [checkApi] });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await callTool(tools[0], { url }, "/")).toMatchObject({ output: "GET /health" });
  });

  it("[A6] may have comments, trailing commas and a byte order mark", async () => {
    const text = `\uFEFF// mine\n${JSON.stringify({ name: "x", tools: [good] }).replace("]", ",]")}`;
    expect(await readJson(temporary(), text)).toMatchObject({ tools: [{ name: "good" }], problems: [] });
  });
});

describe("problems of a JSON file", () => {
  it.each([
    [
      { ...good, name: "my tool" },
      "bad_name",
      '"my tool" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-".',
    ],
    [
      { ...good, description: " " },
      "bad_definition",
      'description is " ". Write a text that tells a model what the tool does and when to use it.',
    ],
    [
      { ...good, inputSchema: undefined },
      "bad_schema",
      'inputSchema is missing. Write a JSON Schema of an object, such as { "type": "object", "properties": {} }.',
    ],
    [
      { ...good, inputSchema: { type: "object", properties: { path: { type: "text" } } } },
      "bad_schema",
      'inputSchema: At #/properties/path, "text" is not a JSON Schema type. Use one of string, number, integer, boolean, object, array, null.',
    ],
    [
      { ...good, handler: undefined },
      "bad_definition",
      'handler is missing. Write an object with a type: "shell", "http", "file-read".',
    ],
    [
      { ...good, handler: { type: "bash" } },
      "bad_definition",
      'handler.type is "bash". Write one of "shell", "http", "file-read".',
    ],
    [
      { ...good, handler: { type: "shell", command: "echo {{pth}}" } },
      "bad_definition",
      "handler.command uses {{pth}}, which is not a property of inputSchema. Did you mean {{path}}?",
    ],
    [
      { ...good, handler: { type: "shell", command: "echo {{x}}" } },
      "bad_definition",
      'handler.command uses {{x}}, which is not a property of inputSchema. It has "path".',
    ],
    [
      { ...good, handler: { type: "shell", command: "eval {{path}}" } },
      "bad_definition",
      'handler.command: {{path}} cannot be an argument of "eval", which would read it as shell code. Use another command.',
    ],
    [
      { ...good, handler: { type: "http", url: "ftp://x/{{path}}" } },
      "bad_definition",
      "handler.url must start with http:// or https://, or with a placeholder for the base URL.",
    ],
    [
      { ...good, handler: { type: "http", url: "http://a:b@x/" } },
      "bad_definition",
      'handler.url contains a user name or a password. Send them in handler.headers, as "Authorization".',
    ],
    [
      { ...good, handler: { type: "http", url: "https://example.com{{path}}?x=1" } },
      "bad_definition",
      '{{path}} directly follows the host in handler.url, so a value could change the host. Put a "/" between them.',
    ],
    [
      { ...good, inputSchema: { type: "object" }, handler: { type: "file-read", basePath: "." } },
      "bad_definition",
      'inputSchema has no property "path", which names the file to a "file-read" handler. Add it: "path": { "type": "string" }.',
    ],
  ])("[A6] [D5] %# tell what to write, and the other tools load", async (broken, code, message) => {
    const folder = temporary();
    const { tools, problems } = await readJson(folder, {
      name: "x",
      tools: [{ ...good, name: "first" }, broken, good],
    });
    expect(tools.map(({ name }) => name)).toEqual(["first", "good"]);
    expect(problems).toEqual([
      {
        file: join(folder, "mine.json"),
        line: expect.any(Number),
        code,
        message: `"${broken.name}": ${message}`,
        tool: broken.name,
      },
    ]);
  });

  it("[D5] contain the line", async () => {
    const folder = temporary();
    const { problems } = await readJson(folder, {
      name: "x",
      tools: [{ ...good, handler: { type: "shell", comand: "x", command: 5 } }, 7],
    });
    const lines = readFileSync(join(folder, "mine.json"), "utf8").split("\n");
    expect(problems.map(({ line, message }) => [lines[(line ?? 0) - 1]?.trim(), message])).toEqual([
      [
        '"command": 5',
        '"good": handler.command is 5. Write the command to run, such as "git log -n {{count}}". handler.comand is not a known key. Did you mean "command"?',
      ],
      ["7", "tools[1]: This tool is 7. Write an object with name, description, inputSchema and handler."],
    ]);
  });

  it("[D4] include duplicate names, and a file without a name", async () => {
    const folder = temporary();
    const { tools, problems } = await readJson(folder, { tools: [good, good] });
    expect(tools.map(({ origin }) => origin.pluginName)).toEqual(["mine"]);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ["bad_definition", 'name is missing. Write the name of this collection of tools, such as "my-tools".'],
      ["name_taken", 'Another tool above in this file is called "good" too. Rename one of them.'],
    ]);
  });

  it("[D2] include files of another shape only where tools are expected", async () => {
    for (const content of [{ name: "x" }, [], 5, null, { tools: {} }, "null"]) {
      const { tools, problems, problemsIfToolsExpected } = await readJson(temporary(), content);
      expect([tools, problems, problemsIfToolsExpected?.map(({ code }) => code)]).toEqual([[], [], ["not_a_tool"]]);
    }
  });

  it("[D2] include invalid JSON that looks like tools", async () => {
    const broken = '{ "tools": [{ "name": "a" "handler": {} }] }';
    expect(await readJson(temporary(), broken)).toMatchObject({
      tools: [],
      problems: [{ code: "syntax", line: 1, message: "This is not valid JSON: comma expected. Correct it." }],
    });
  });

  it("[D2] include other invalid JSON only where tools are expected", async () => {
    const folder = temporary();
    const problem = {
      file: join(folder, "mine.json"),
      code: "syntax",
      line: 2,
      column: 1,
      message: "This is not valid JSON: comma expected. Correct it.",
      frame: '  1 | { "name": "x"\n> 2 | "tools": [] }\n    | ^',
    };
    const broken = '{ "name": "x"\n"tools": [] }';
    expect(await readJson(folder, broken)).toEqual({ tools: [], problems: [], problemsIfToolsExpected: [problem] });
  });

  it("[D5] a file that cannot be read is a problem, not an exception", async () => {
    const folder = temporary();
    const file = {
      path: join(folder, "x.json"),
      name: "x",
      source: "custom",
      place: "global",
      system: "qraftbox",
    } as const;
    expect(await readJsonFile(file, formatHost({ cwd: folder }))).toMatchObject({
      tools: [],
      problems: [],
      problemsIfToolsExpected: [{ code: "unreadable" }],
    });
  });
});
