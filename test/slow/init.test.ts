import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { put } from "../support/temporary.ts";

beforeAll(ensureBuilt);

const FORMATS = ["tool", "factory", "json", "define", "pi-extension", "opencode-plugin", "sdk"];

/** Typical tool files, without installed packages. A line that ends in `// wrong` has a type error. */
const FILES: Readonly<Record<string, string>> = {
  "tool.ts": `import { tool, type ToolContext } from "@atomic/plugin";
export default tool({
  description: "x",
  args: { n: tool.schema.number(), word: tool.schema.string().optional() },
  async execute(args, context: ToolContext) {
    context.metadata({ title: args.word?.toUpperCase() ?? "" });
    context.sessionId; // wrong
    return args.n.toUpperCase(); // wrong
  },
});
`,
  "opencode-tool.ts": `import { tool } from "@opencode-ai/plugin/tool";
import { z } from "zod/v4";
export const one = tool({ description: "x", args: { n: z.number() }, execute: async ({ n }) => n.toFixed() });
export const two = tool({ description: "x", args: { n: z.number() }, execute: async ({ m }) => "" }); // wrong
`,
  "opencode-plugin.ts": `import { type Hooks, type Plugin, type PluginInput, tool } from "@opencode-ai/plugin";
export const Notify: Plugin = async ({ $, client, directory }: PluginInput): Promise<Hooks> => ({
  tool: { greet: tool({ description: "x", args: {}, execute: async () => (await $\`echo \${directory}\`.text()).trim() }) },
  "tool.execute.before": async ({ tool: name }, output) => {
    if (name === "bash") output.args.command = String(output.args.command).trim();
    await client.app.log({ body: { service: name.service } }); // wrong
  },
  "chat.message": async () => {},
});
`,
  "factory.ts": `import type { CustomTool, CustomToolAPI, CustomToolFactory } from "@oh-my-pi/pi-coding-agent";
const factory: CustomToolFactory = (pi) => ({
  name: "count",
  label: "Count",
  description: "x",
  parameters: pi.typebox.Type.Object({ glob: pi.typebox.Type.String() }),
  async execute(_id, params, onUpdate, ctx, signal) {
    onUpdate?.({ content: [{ type: "text", text: params.glob }] });
    const { stdout } = await pi.exec("git", ["ls-files"], { signal, cwd: pi.cwd });
    ctx.sessionManager.getBranch().map((entry) => entry.type);
    return { content: [{ type: "text", text: stdout }] };
  },
});
export default factory;
export function typed(pi: CustomToolAPI): CustomTool {
  pi.exec("git ls-files"); // wrong
  const parameters = pi.typebox.Type.Object({ n: pi.typebox.Type.Optional(pi.typebox.Type.Number()) });
  const tool: CustomTool<typeof parameters> = {
    name: "x",
    description: "x",
    parameters,
    execute: async (_id, params) => ({ content: [{ type: "text", text: params.n.toFixed() }] }), // wrong
  };
  return tool;
}
`,
  "extension.ts": `import { StringEnum } from "@mariozechner/pi-ai";
import type { ExtensionAPI, ToolCallEvent } from "@earendil-works/pi-coding-agent";
import { Text, visibleWidth } from "@earendil-works/pi-tui";
import { type Static, Type } from "typebox";
const Options = Type.Object({ kind: StringEnum(["a", "b"] as const), n: Type.Number() });
export default function (pi: ExtensionAPI) {
  pi.on("session_start", async (_event, ctx) => ctx.ui.notify("hello"));
  pi.on("tool_call", async (event: ToolCallEvent) => (event.toolName === "bash" ? { block: true } : undefined));
  pi.registerCommand("hello", { description: "x", handler: async (_args, ctx) => ctx.ui.notify("hello") });
  pi.registerTool({
    name: "x",
    label: "x",
    description: "x",
    parameters: Options,
    async execute(_id, params, signal, _onUpdate, ctx) {
      signal?.throwIfAborted();
      const twice: Static<typeof Options> = { ...params, n: params.n * 2 };
      params.missing; // wrong
      const text: number = ctx.cwd; // wrong
      return { content: [{ type: "text", text: String(visibleWidth(twice.kind) + text) }], details: {} };
    },
    renderCall: (args, theme) => new Text(theme.fg("accent", args.kind), 0, 0),
  });
}
`,
  "old-typebox.ts": `import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
const args = Type.Object({ at: Type.Date(), rest: Type.Omit(Type.Object({ a: Type.Number(), b: Type.String() }), ["a"]) });
const given: Static<typeof args> = { at: new Date(), rest: { b: "" } };
Value.Check(args, given);
given.at.getTime();
given.rest.a; // wrong
export default { description: "x", args: { n: Type.Integer() }, execute: (input: { n: number }) => input.n };
`,
  "define.ts": `import { Tool } from "toolwright";
import { z } from "zod";
import about from "../about.txt";
import notes from "../notes.md";
const parameters = z.object({ n: z.number().default(1) });
export default Tool.define("define", async (init?: Tool.InitContext) => ({
  description: about + notes + init?.directory,
  parameters,
  async execute(args: z.infer<typeof parameters>, ctx) {
    ctx.metadata({ title: args.n.toFixed() });
    ctx.missing; // wrong
    return { title: "", metadata: {}, output: "" };
  },
}));
export const second = Tool.define("second", {
  description: "x",
  parameters,
  execute: async (args) => ({ title: args.name, metadata: {}, output: "" }), // wrong
});
`,
  "runtimes.ts": `import { $ } from "bun";
import { Database } from "bun:sqlite";
import { spawn } from "child_process";
import { readFileSync } from "node:fs";
import path from "path";
import table from "./table.json";
const { helper } = require("./helper.cjs");
let timer: NodeJS.Timeout | undefined;
export default {
  description: "x",
  async execute() {
    const file = Bun.file(path.join(import.meta.dirname, import.meta.url, __dirname));
    const size = readFileSync(process.argv[1]).length;
    timer = setTimeout(() => spawn("true"), size);
    const bytes: Buffer = Buffer.from(await $\`true\`.text());
    table.rows.first; // wrong
    return [new Database(":memory:"), helper(file), timer, bytes, import.meta.dir, table.rows[0]];
  },
};
`,
  "plain.mjs": `export default { description: "x", execute: (args) => args.anything };
`,
};

/** Files in the shapes that the documents of other systems show, by folder. All of them are correct. */
const SHAPES: Readonly<Record<string, string>> = {
  ".atomic/tools/format.ts": `import { tool, type ToolContext, type ToolHandlerResult, type ToolInput } from "@atomic/plugin";
import { z } from "zod";
const args = { path: tool.schema.string().describe("The file to format"), check: z.boolean().optional() };
async function run(given: { path: string; check?: boolean | undefined }, context: ToolContext): Promise<string> {
  if (context.abort.aborted) return context.agent + context.sessionID + context.messageID;
  const proc = Bun.spawn(["bun", "format", given.path], { cwd: context.directory });
  return await new Response(proc.stdout).text();
}
export default tool({ description: "Formats one file", args, execute: run });
export const now = tool({ description: "Says the time", args: {}, execute: () => new Date().toISOString() });
export const typed: ToolInput<typeof args> = { description: "Says a path", args, execute: ({ path }, context) => path + context.directory };
export const handled: ToolHandlerResult = { ok: true };
`,
  ".opencode/tools/branch.ts": `import { tool } from "@opencode-ai/plugin";
export default tool({
  description: "Names the branch",
  args: { short: tool.schema.boolean().default(false) },
  async execute(args, context) {
    context.metadata({ title: "Asking git", metadata: { short: args.short } });
    await context.ask({ permission: "branch", patterns: ["*"], always: [], metadata: {} });
    return context.worktree + String(args.short);
  },
});
`,
  ".omp/tools/sizes.ts": `import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";
const factory: CustomToolFactory = (pi) => ({
  name: "file_sizes",
  label: "File Sizes",
  description: "Sums the sizes of files",
  parameters: pi.typebox.Type.Object({
    pattern: pi.typebox.Type.Optional(pi.typebox.Type.String({ default: "*.ts" })),
  }),
  async execute(toolCallId, params, onUpdate, ctx, signal) {
    onUpdate?.({ content: [{ type: "text", text: "Reading " + toolCallId }], details: { phase: "read" } });
    const result = await pi.exec("git", ["ls-files", params.pattern ?? "*"], { signal, cwd: pi.cwd });
    if (result.killed) throw new Error("Cancelled");
    if (result.code !== 0) throw new Error(result.stderr || "It failed");
    if (pi.hasUI) pi.logger.warn("Counted");
    if (result.stdout === "") ctx.abort();
    const files = result.stdout.split("\\n").filter(Boolean);
    return { content: [{ type: "text", text: String(files.length) }], details: { count: files.length, sample: files.slice(0, 2) } };
  },
  onSession(event) {
    if (event.reason === "shutdown") pi.logger.warn("Ended");
  },
});
export default factory;
`,
  ".pi/extensions/shout.ts": `import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "shout",
    label: "Shout",
    description: "Says a text in capitals",
    parameters: Type.Object({ text: Type.String() }),
    async execute(_id, params, signal, onUpdate, ctx) {
      signal?.throwIfAborted();
      onUpdate?.({ content: [{ type: "text", text: ctx.cwd }], details: {} });
      return { content: [{ type: "text", text: params.text.toUpperCase() }], details: {} };
    },
  });
}
`,
  ".claude/tools/lines.ts": `import type { JsonSchema, PluginConfigFile, PluginHandlerType, PluginToolDefinition, RegisteredToolInfo, SdkTool, ToolRegistrationError, ToolRegistrationResult, ToolResultContent, ToolSource } from "toolwright";
const inputSchema: JsonSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
export const lines: SdkTool<{ path: string }> = {
  name: "count-lines",
  description: "Counts the lines of a file",
  inputSchema,
  handler: async (args, context) => {
    const text: string = args.path + context.toolUseId + context.sessionId + String(context.signal?.aborted);
    const content: ToolResultContent[] = [{ type: "text", text }];
    return { content, isError: false };
  },
};
const health: PluginToolDefinition = {
  name: "health",
  description: "Asks a server for its health",
  inputSchema: { type: "object", properties: {} },
  handler: { type: "http", url: "https://example.org/health", method: "GET", timeout: 5000 },
};
export const file: PluginConfigFile = { name: "mine", version: "1.0.0", tools: [health] };
export const kinds: PluginHandlerType[] = ["shell", "http", "file-read"];
const source: ToolSource = "plugin";
export const info: RegisteredToolInfo = { name: "a", description: "A tool", source, pluginName: "mine", inputSchema: {} };
const fault: ToolRegistrationError = { source: "a.json", toolName: "a", message: "It has no handler" };
export const registered: ToolRegistrationResult = { success: false, toolCount: 1, errors: [fault] };
`,
  ".toolwright/tools/steps.ts": `import { Tool } from "toolwright";
import { read } from "toolwright/builtins";
import { z } from "zod";
const parameters = z.object({ steps: z.number().int().default(3) });
type Meta = { done: number };
export const StepsTool = Tool.define<typeof parameters, Meta>("steps", async (ctx) => ({
  description: "Goes some steps for " + (ctx?.agent?.name ?? "anyone") + ((await read.init()).description ?? ""),
  parameters,
  async execute(args, context: Tool.Context<Meta>): Promise<Tool.Result<Meta>> {
    for (let done = 0; done < args.steps && !context.abort.aborted; done += 1) context.metadata({ title: "Going", metadata: { done } });
    return { title: context.callID ?? "", metadata: { done: args.steps }, output: String(context.extra?.note), attachments: [] };
  },
}));
export const again: Tool.Info<typeof parameters, Meta> = StepsTool;
export async function direct(context: Tool.Context<Meta>, init: Tool.InitContext): Promise<string> {
  const made = await StepsTool.init(init);
  return (await made.execute({ steps: 2 }, context)).output;
}
`,
};

/** Files that the others import. */
const BESIDE: Readonly<Record<string, string>> = {
  "about.txt": "About",
  "notes.md": "# Notes",
  "table.json": '{ "rows": [1] }',
  "helper.cjs": "module.exports = { helper: () => 1 };",
};

/** The errors of the type checker in a project's tools: `file:line`, or the message of an error outside a file. */
function mistakes(at: Sandbox, ...options: string[]): string[] {
  return typeErrors(at, join(at.project, ".toolwright"), ...options);
}

/** The errors of the type checker in a folder with a `tsconfig.json`. */
function typeErrors(at: Sandbox, cwd: string, ...options: string[]): string[] {
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", cwd, ...options], { cwd, env: at.env, encoding: "utf8" });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  return errors.map((error) => error.replace(/^(?:tools\/)?(\S+?)\((\d+),\d+\): error.*$/, "$1:$2"));
}

function wrongLines(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text.split("\n").flatMap((line, at) => (line.endsWith("// wrong") ? [`${file}:${at + 1}`] : [])),
  );
}

describe("init", () => {
  it("[A10] makes a type checker understand every form of tool file, without installed packages", async () => {
    const at = sandbox({ ...FILES, ...BESIDE });
    expect(await cli(at, ["init"])).toMatchObject({ code: 0, stderr: "" });
    expect(mistakes(at).sort()).toEqual(wrongLines(FILES).sort());
  });

  it("[A10][A11] the type checker accepts the files that new writes, and the types themselves", async () => {
    const at = sandbox();
    await cli(at, ["init"]);
    for (const format of FORMATS) await cli(at, ["new", `greet-${format}`, "--format", format]);
    expect(readdirSync(at.tools)).toHaveLength(FORMATS.length + 1);
    expect(mistakes(at, "--skipLibCheck", "false")).toEqual([]);
  });

  it("[A10] leaves Node and Bun to their real types if these are installed", async () => {
    const at = sandbox({
      "reads.ts": `import { readFileSync } from "node:fs";
export default { description: "x", execute: () => readFileSync(5, "utf8").toFixed() }; // wrong
`,
    });
    put(
      join(at.project, "node_modules/@types/node/index.d.ts"),
      `declare module "node:fs" { export function readFileSync(path: number, encoding: string): string; }\n`,
    );
    await cli(at, ["init"]);
    expect(readFileSync(join(at.project, ".toolwright/tsconfig.json"), "utf8")).toContain('"types": ["node"]');
    expect(mistakes(at)).toEqual(["reads.ts:2"]);
  });

  it("[A10] creates the folder, can be repeated, and does not change files of the user", async () => {
    const at = sandbox();
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    expect((await cli(at, ["init"])).stdout).toMatch(/^Wrote:\n {2}\.toolwright\/tools\n/);
    expect((await cli(at, ["init"])).stdout).toBe("Everything is up to date.\n\nNext:\n  toolwright new my-tool\n");
    const tsconfig = join(at.project, ".toolwright/tsconfig.json");
    writeFileSync(tsconfig, "{}");
    const types = join(at.project, ".toolwright/types");
    writeFileSync(join(types, "toolwright.d.mts"), "// Written by `toolwright init` (0.0.1)\n");
    writeFileSync(join(types, "former.d.mts"), "// Written by `toolwright init` (0.0.1)\n");
    writeFileSync(join(types, "mine.d.mts"), "export type Mine = string;\n");
    expect((await cli(at, ["init"])).stdout).toBe(`Wrote:
  .toolwright/types/toolwright.d.mts

Removed, because it is no longer needed:
  .toolwright/types/former.d.mts

Not changed, because it was edited (delete it to get a new one):
  .toolwright/tsconfig.json

Next:
  toolwright new my-tool
`);
    expect(readFileSync(tsconfig, "utf8")).toBe("{}");
    expect(readdirSync(types)).toContain("mine.d.mts");
  });

  it("[A10] --all prepares the tools folders of other systems, where files in the shapes of their documents type-check", async () => {
    const at = sandbox();
    for (const [file, text] of Object.entries(SHAPES)) put(join(at.project, file), text);
    put(join(at.project, "conf/tools/a.ts"), "");
    put(join(at.project, ".pi/tsconfig.json"), "{}");
    expect(await cli(at, ["init", "--tools-path", "conf/tools"])).toMatchObject({ code: 0 });
    expect(existsSync(join(at.project, ".atomic/tsconfig.json"))).toBe(false);

    const made = json<Record<string, string[]>>(
      await cli(at, ["init", "--all", "--tools-path", "conf/tools", "--json"]),
    );
    const folders = [".atomic", ".claude", ".omp", ".opencode"];
    expect(made.written?.sort()).toEqual(folders.map((folder) => join(at.project, folder, "tsconfig.json")));
    expect(made.leftAlone).toEqual([join(at.project, ".pi/tsconfig.json")]);
    expect(readFileSync(join(at.project, ".pi/tsconfig.json"), "utf8")).toBe("{}");
    rmSync(join(at.project, ".pi/tsconfig.json"));
    const again = json<Record<string, string[]>>(await cli(at, ["init", "--all", "--json"]));
    expect([again.written, again.leftAlone]).toEqual([[join(at.project, ".pi/tsconfig.json")], []]);
    for (const folder of [...folders, ".pi", ".toolwright"]) {
      expect([folder, typeErrors(at, join(at.project, folder))]).toEqual([folder, []]);
    }

    const wrong = 'import { tool } from "@atomic/plugin";\ntool({ description: 5 });\n';
    writeFileSync(join(at.project, ".atomic/tools/wrong.ts"), wrong);
    expect(typeErrors(at, join(at.project, ".atomic"))).toEqual(["wrong.ts:2"]);
    const { problems } = json<{ problems: { file: string }[] }>(await cli(at, ["check", "--trust", "--json"]));
    expect(problems.filter(({ file }) => file.endsWith(".json"))).toEqual([]);
  });

  it("[A10] --global --all prepares the folders in the home folder, and none of the project", async () => {
    const at = sandbox();
    const text = SHAPES[".opencode/tools/branch.ts"] as string;
    for (const folder of [".config/opencode/tools", ".agent/tools"]) put(join(at.home, folder, "branch.ts"), text);
    put(join(at.project, ".opencode/tools/branch.ts"), text);
    const { written } = json<{ written: string[] }>(await cli(at, ["init", "--global", "--all", "--json"]));
    expect(written.filter((path) => path.endsWith("tsconfig.json")).sort()).toEqual(
      [".agent", ".config/opencode", ".toolwright"].map((folder) => join(at.home, folder, "tsconfig.json")),
    );
    for (const folder of [".agent", ".config/opencode"]) expect(typeErrors(at, join(at.home, folder))).toEqual([]);
  });

  it("[A10][X1] --all writes nothing through a link out of an untrusted project", async () => {
    const at = sandbox({ "a.ts": "export default 1;" });
    mkdirSync(join(at.root, "outside/tools"), { recursive: true });
    symlinkSync(join(at.root, "outside"), join(at.project, ".opencode"));
    const refused = await cli(at, ["init", "--all"]);
    expect([refused.code, readdirSync(join(at.root, "outside"))]).toEqual([2, ["tools"]]);
    expect(refused.stderr).toContain("is a link out of this project");
  });

  it("[A10] writes for all projects with --global", async () => {
    const at = sandbox();
    const { folder, written } = json<{ folder: string; written: string[] }>(
      await cli(at, ["init", "--global", "--json"]),
    );
    expect(folder).toBe(join(at.home, ".toolwright"));
    expect(written).toContain(join(at.home, ".toolwright/types/pi.d.mts"));
  });
});
