import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { manifestText } from "../../../build/builtins.ts";
import { allowedToolNames, toMcpServerConfig } from "../../../src/index.ts";
import { openBuiltins } from "../../support/builtins.ts";
import { writeTool } from "../../support/fixture.ts";
import { hosts } from "../../support/processes.ts";

const BUILTINS = fileURLToPath(new URL("../../../src/builtins/", import.meta.url));

const NAMES = [
  "bash",
  "edit",
  "file-reader",
  "git-diff-summary",
  "git-status",
  "glob",
  "grep",
  "list",
  "read",
  "task",
  "todoread",
  "todowrite",
  "webfetch",
  "workspace-info",
  "write",
];

describe("[B14] the built-in tools", () => {
  it("are all available to a program, listed without a process", async () => {
    const { toolbox, at } = await openBuiltins();
    const tools = toolbox.list();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    expect(new Set(tools.map(({ source, place, format }) => `${source} ${place} ${format}`))).toEqual(
      new Set(["builtin package define"]),
    );
    expect(toolbox.status.files).toEqual([]);
    expect(hosts()).toEqual([]);
    // The variables in the descriptions are replaced.
    expect(tools.find(({ name }) => name === "bash")?.description).toContain(at.project);
    expect(tools.filter(({ description }) => description.includes("${"))).toEqual([]);
  });

  it("can be limited or disabled by a program", async () => {
    const some = await openBuiltins({}, { builtins: ["todo*", "read"] });
    expect(some.toolbox.list().map(({ name }) => name)).toEqual(["read", "todoread", "todowrite"]);
    expect(await some.say("bash", { command: "true", description: "Nothing" })).toContain('There is no tool "bash".');
    const none = await openBuiltins({}, { builtins: false });
    expect(none.toolbox.count).toBe(0);
  });

  it("are served to an agent only on request, because it has its own", async () => {
    const { toolbox, at } = await openBuiltins();
    writeTool(at, "mine.ts", 'export default { description: "Mine.", execute: () => "mine" };');
    await toolbox.reload();
    expect(allowedToolNames(toolbox)).toEqual(["mcp__toolwright__mine"]);
    expect(toMcpServerConfig(toolbox).tools.map(({ name }) => name)).toEqual(["mine"]);
    expect(allowedToolNames(toolbox, { builtins: ["todo*"] })).toEqual([
      "mcp__toolwright__mine",
      "mcp__toolwright__todoread",
      "mcp__toolwright__todowrite",
    ]);
    expect(toMcpServerConfig(toolbox, { builtins: true }).tools).toHaveLength(NAMES.length + 1);
  });

  it("match their generated manifests (`npm run builtins` writes them)", async () => {
    expect(readFileSync(join(BUILTINS, "manifest.json"), "utf8")).toBe(await manifestText());
  });

  it("have a description file each, and a description for every field of their input", async () => {
    const files = readdirSync(BUILTINS);
    expect(files.filter((file) => file.endsWith(".ts")).map((file) => basename(file, ".ts"))).toEqual(NAMES);
    expect(files.filter((file) => file.endsWith(".txt")).map((file) => basename(file, ".txt"))).toEqual(NAMES);
    const { toolbox } = await openBuiltins();
    const bare = toolbox.list().flatMap(({ name, inputSchema }) =>
      Object.entries((inputSchema as { properties?: Record<string, { description?: string }> }).properties ?? {})
        .filter(([, field]) => !field.description)
        .map(([field]) => `${name}.${field}`),
    );
    expect(bare).toEqual([]);
  });
});

describe("[D4] a tool with the name of a built-in one", () => {
  const OWN = 'export default { description: "My own.", execute: () => "mine" };';

  it("is a problem, and the built-in one is served", async () => {
    const { toolbox, at } = await openBuiltins({ ".toolwright/tools/todoread.ts": OWN });
    expect(toolbox.get("todoread")?.source).toBe("builtin");
    expect(toolbox.problems()).toEqual([
      {
        file: join(at.tools, "todoread.ts"),
        code: "name_taken",
        tool: "todoread",
        message:
          'The name "todoread" belongs to a built-in tool. Rename this file or its export, or add the name to "tools.override" to replace the built-in tool.',
      },
    ]);
  });

  it.each([
    ["tools.override names it", { tools: { override: ["todo*"] } }],
    ["the built-in one is disabled", { tools: { disabled: ["todoread"] } }],
  ])("is served if %s", async (_, settings) => {
    const { toolbox, at, say } = await openBuiltins({ ".toolwright/tools/todoread.ts": OWN }, { settings });
    expect(await say("todoread")).toBe("mine");
    expect(toolbox.problems()).toEqual([]);
    expect(toolbox.status.shadowed).toMatchObject([{ name: "todoread", by: join(at.tools, "todoread.ts") }]);
  });

  it("is served if built-in tools are not, and if it is an extension of pi", async () => {
    const without = await openBuiltins({ ".toolwright/tools/todoread.ts": OWN }, { builtins: false });
    expect(await without.say("todoread")).toBe("mine");
    const settings = { tools: { disabled: ["todoread"] } };
    const disabled = await openBuiltins({ ".toolwright/tools/todoread.ts": OWN }, { builtins: false, settings });
    expect(await disabled.say("todoread")).toBe("mine");
    const extension = `export default (pi) => pi.registerTool({ name: "read", label: "Read", description: "Reads its own way.",
      parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "pi's" }] }) });`;
    const pi = await openBuiltins({ ".pi/extensions/read.ts": extension });
    expect(await pi.say("read")).toBe("pi's");
    expect(pi.toolbox.status.shadowed).toMatchObject([{ name: "read", by: expect.stringContaining("read.ts") }]);
  });

  const EXTENSION = `export default (pi) => pi.registerTool({ name: "todoread", label: "To-do", description: "Reads its own way.",
    parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "mine" }] }) });`;
  const FACTORY = `export default () => ({ name: "todoread", label: "To-do", description: "Reads its own way.",
    parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "mine" }] }) });`;
  const JSON_TOOL = JSON.stringify({
    name: "own",
    tools: [
      {
        name: "todoread",
        description: "Prints its own list.",
        inputSchema: { type: "object" },
        handler: { type: "shell", command: "echo mine" },
      },
    ],
  });

  it.each([
    [".omp/tools/todoread.ts", FACTORY],
    [".omp/extensions/todoread.ts", EXTENSION],
    [".atomic/extensions/todoread.ts", EXTENSION],
    [".atomic/tools/todoread.ts", OWN],
    [".claude/tools/todoread.ts", OWN],
    [
      ".toolwright/tools/extension.ts",
      `import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";\n${EXTENSION}`,
    ],
    [".omp/tools/own.json", JSON_TOOL],
  ])("[D4] is a problem in %s, and `tools.override` lets it win", async (file, code) => {
    const { toolbox, at } = await openBuiltins({ [file]: code });
    expect(toolbox.get("todoread")?.source).toBe("builtin");
    expect(toolbox.problems()).toMatchObject([
      {
        file: join(at.project, file),
        code: "name_taken",
        tool: "todoread",
        message: expect.stringContaining("built-in"),
      },
    ]);
    const { say } = await openBuiltins({ [file]: code }, { settings: { tools: { override: ["todoread"] } } });
    expect((await say("todoread")).trim()).toBe("mine");
  });

  it("[D4] is a problem in the folder of aynd, also for its built-in tools", async () => {
    const own = JSON_TOOL.replaceAll("todoread", "git-status");
    const { toolbox } = await openBuiltins({ "aynd/own.json": own }, { variables: { AYND_TEST_TOOLS_DIR: "aynd" } });
    expect(toolbox.get("git-status")?.source).toBe("builtin");
    const message =
      'The name "git-status" belongs to a built-in tool. Rename the tool in this file, or add the name to "tools.override" to replace the built-in tool.';
    expect(toolbox.problems()).toMatchObject([{ code: "name_taken", tool: "git-status", message }]);
  });

  it("[D4][B14] is served if it is in a folder of OpenCode, and MCP clients get it too", async () => {
    const file = ".opencode/tools/todoread.ts";
    const { toolbox, at, say } = await openBuiltins({ [file]: OWN });
    expect(await say("todoread")).toBe("mine");
    expect(toolbox.problems()).toEqual([]);
    const { source, overridesBuiltin } = toolbox.list().find(({ name }) => name === "todoread") ?? {};
    expect([source, overridesBuiltin]).toEqual(["custom", true]);
    expect(toolbox.status.shadowed).toMatchObject([{ name: "todoread", by: join(at.project, file), builtin: true }]);
  });

  it("is disabled together with the built-in one by a wildcard", async () => {
    const { toolbox, say } = await openBuiltins(
      { ".toolwright/tools/todoread.ts": OWN },
      { settings: { tools: { disabled: ["todo*"] } } },
    );
    expect(toolbox.get("todoread")?.enabled).toBe(false);
    expect(await say("todoread")).toBe(
      '"todoread" is disabled. To use it, take it out of "tools.disabled" in the settings.',
    );
  });
});

describe("[B12] hello", () => {
  it("is an example that is not registered: a user's tool can have its name", async () => {
    const { toolbox, say } = await openBuiltins({
      ".toolwright/tools/hello.ts": 'export default { description: "Mine.", execute: () => "my hello" };',
    });
    expect(await say("hello")).toBe("my hello");
    expect(toolbox.problems()).toEqual([]);
    const example = fileURLToPath(new URL("../../../examples/tools/hello.ts", import.meta.url));
    const given = await openBuiltins({}, { toolsPaths: [example] });
    expect(await given.say("hello", { name: "World" })).toContain("World");
  });
});

describe("[P5] built-in tools run", () => {
  it("in a separate process: a user's tool that ends its process does not end theirs", async () => {
    const { call, say } = await openBuiltins({
      ".toolwright/tools/dies.ts": 'export default { description: "Dies.", execute: () => process.exit(3) };',
      "a.txt": "hello\n",
    });
    const reading = call("read", { filePath: "a.txt" });
    expect(await call("dies")).toMatchObject({ ok: false, error: { code: "crashed" } });
    expect((await reading).ok).toBe(true);
    expect(await say("todoread")).toBe("The to-do list is empty.");
  });

  it("in the process of the caller if the embedding program sets that", async () => {
    const { say } = await openBuiltins({ "a.txt": "hello\n" }, { isolation: "none" });
    expect(await say("todoread")).toBe("The to-do list is empty.");
    expect(await say("read", { filePath: "a.txt" })).toContain("hello");
  });
});
