import { join } from "node:path";
import { expect } from "vitest";
import type { Tool, ToolContext } from "../../src/core/tool.ts";
import type { Contributions, FormatHost, ModuleFile } from "../../src/host/formats/contributions.ts";
import { readJsonFile } from "../../src/host/formats/json/read-json-file.ts";
import { formatHost, NEEDS } from "./forms.ts";
import { put } from "./temporary.ts";

function hostIn(cwd: string, logged: string[] = []): FormatHost {
  return formatHost({ cwd, worktree: cwd, log: (level, message) => void logged.push(`${level} ${message}`) });
}

/** Writes a JSON file to the folder and reads its tools. */
export function readJson(folder: string, content: unknown, more: Partial<ModuleFile> = {}): Promise<Contributions> {
  const path = put(join(folder, "mine.json"), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  const file: ModuleFile = { path, name: "mine", source: "custom", place: "project", system: "toolwright", ...more };
  return readJsonFile(file, hostIn(folder));
}

/** A tool with this handler. Without a schema, its arguments are optional strings. */
export async function jsonTool(
  folder: string,
  handler: object,
  fields: readonly string[] = [],
  { logged = [], inputSchema = readInputSchema(fields) }: { logged?: string[]; inputSchema?: unknown } = {},
): Promise<Tool> {
  const path = put(
    join(folder, "mine.json"),
    JSON.stringify({ name: "mine", tools: [{ name: "it", description: "It", inputSchema, handler }] }),
  );
  const file: ModuleFile = { path, name: "mine", source: "custom", place: "project", system: "toolwright" };
  const { tools, problems } = await readJsonFile(file, hostIn(folder, logged));
  expect(problems).toEqual([]);
  return tools[0] as Tool;
}

function readInputSchema(fields: readonly string[]): unknown {
  return { type: "object", properties: Object.fromEntries(fields.map((field) => [field, {}])) };
}

/** Validates the input and calls the tool, as the host does. */
export async function callTool(
  tool: Tool | undefined,
  input: unknown,
  directory: string,
  more: Partial<ToolContext> = {},
): Promise<unknown> {
  const checked = await tool?.input.check(input);
  if (!checked?.ok) throw new Error(JSON.stringify(checked));
  const author: ToolContext = {
    sessionID: "s",
    messageID: "m",
    callID: "c",
    agent: "a",
    directory,
    worktree: directory,
    abort: new AbortController().signal,
    metadata() {},
    ask: async () => {},
    ...NEEDS,
    extra: {},
    messages: [],
    ...more,
  };
  const callBuiltin = async () => ({ ok: true, content: [] }) as const;
  return tool?.run(checked.value, { author, session: { id: "s" }, partial() {}, callBuiltin });
}
