import type { Tool } from "../core/tool.ts";
import type { Contributions, ExportProblem, FormatHost, ModuleFile } from "./contributions.ts";
import { detectForm, membersOf, type ToolForm } from "./detect-form.ts";
import { type ExportContext, toProblem } from "./export-context.ts";
import { listExports } from "./list-exports.ts";
import { mergeContributions } from "./merge-contributions.ts";
import { readTool } from "./toolwright/read-tool.ts";

/**
 * What a module gives, whichever forms its exports have. The code of a form is loaded when an export has that form.
 * Never rejects.
 */
export async function readModule(
  module: Record<string, unknown>,
  file: ModuleFile,
  { host, source }: { host: FormatHost; source: string },
): Promise<Contributions> {
  const { alone, members, problems } = lookThrough(module, file, { host, source });
  const parts: Contributions[] = problems.length > 0 ? [{ tools: [], problems }] : [];
  for (const one of serversLast(oncePerThing([...alone, ...members]))) {
    const part = await readOne(one);
    parts.push(isServer(one) ? without(part, parts) : part);
  }
  if (parts.length === 0) return nothingIn(module, file, source);
  const useful = parts.filter((part) => !isNothing(part));
  return mergeContributions(useful.length > 0 ? useful : parts);
}

function isServer({ form }: Found): boolean {
  return form === "sdk-server";
}

function serversLast(found: readonly Found[]): Found[] {
  return [...found.filter((one) => !isServer(one)), ...found.filter(isServer)];
}

/** Files often export tools by themselves and also the server that has them: each is one tool. */
function without(server: Contributions, parts: readonly Contributions[]): Contributions {
  const known = new Set(parts.flatMap(({ tools }) => tools.map(({ name }) => name)));
  return { ...server, tools: server.tools.filter(({ name }) => !known.has(name)) };
}

/** A file of types is there for others to import: no problem, as long as it has held no tools. */
function nothingIn(module: Record<string, unknown>, file: ModuleFile, source: string): Contributions {
  const problem = notATool(module, file);
  const hasTypes = /^\s*export\s+(?:declare\s+)?(?:type|interface)\b/m.test(source);
  if (Object.keys(module).length === 0 && hasTypes) return { tools: [], problems: [], problemsIfHadTools: [problem] };
  return { tools: [], problems: [problem] };
}

/** A function of which nothing came is no problem in a file that has something else. */
function isNothing({ tools, problems, hooks, onSession }: Contributions): boolean {
  if (tools.length > 0 || hooks || onSession || problems.length === 0) return false;
  return problems.every(({ code }) => code === "not_a_tool");
}

/** An export, or a member of one, that was recognised. */
interface Found {
  readonly form: ToolForm;
  readonly value: unknown;
  readonly at: ExportContext;
}

function lookThrough(
  module: Record<string, unknown>,
  file: ModuleFile,
  around: { host: FormatHost; source: string },
): { alone: Found[]; members: Found[]; problems: ExportProblem[] } {
  const [alone, members, problems]: [Found[], Found[], ExportProblem[]] = [[], [], []];
  for (const { exportName, read } of listExports(module, file.path)) {
    const name = exportName === "default" ? file.name : `${file.name}_${exportName}`;
    const at = { exportName, name, file, ...around };
    try {
      const value = read();
      const { form, why } = detectForm(value, exportName, file, around.source) ?? {};
      if (form === undefined || why === undefined) continue;
      if (form === "list" || form === "record") members.push(...foundIn(value as object, form, { ...at, why }));
      else alone.push({ form, value, at: { ...at, why } });
    } catch (thrown) {
      problems.push(toProblem(thrown, at));
    }
  }
  return { alone, members, problems };
}

function foundIn(set: object, form: "list" | "record", at: ExportContext): Found[] {
  return membersOf(set, at).map(({ key, value, recognised }) => {
    const member = form === "list" ? `[${key}]` : key;
    return { form: recognised.form, value, at: { ...at, member, name: `${at.name}_${key}` } };
  });
}

/** Files often export a tool and also a set that holds it, or a class and an instance of it: each is one tool. */
function oncePerThing(found: readonly Found[]): Found[] {
  const things = new Map<unknown, Found>();
  for (const one of found) if (!things.has(one.value)) things.set(one.value, one);
  const once = withoutOthers([...things.values()]);
  return once.filter(({ form, value }) => form !== "langchain-class" || !hasInstance(value, once));
}

/** Where a plugin of OpenCode is exported with an id, its other functions are not called: mostly, one is the plugin itself. */
function withoutOthers(found: readonly Found[]): readonly Found[] {
  const isModule = found.some(({ form, value }) => form === "callable" && typeof value === "object");
  return isModule ? found.filter(({ form, value }) => form !== "callable" || typeof value === "object") : found;
}

function hasInstance(type: unknown, found: readonly Found[]): boolean {
  return typeof type === "function" && found.some(({ value }) => value instanceof type);
}

async function readOne({ form, value, at }: Found): Promise<Contributions> {
  try {
    return await READERS[form](value as never, at);
  } catch (thrown) {
    return { tools: [], problems: [toProblem(thrown, at)] };
  }
}

/** Each takes what its form says that the value is. */
type Reader = (value: never, at: ExportContext) => Promise<Contributions>;

const READERS: Readonly<Record<ToolForm, Reader>> = {
  tool: async (value, at) => alone(await readTool(value, at), at),
  define: async (value, at) => (await import("./toolwright/read-defined-tool.ts")).readDefinedTool(value, at),
  sdk: async (value, at) => alone(await (await import("./frameworks/sdk.ts")).readSdkTool(value, at), at),
  "sdk-server": async (value, at) => (await import("./frameworks/sdk-server.ts")).readSdkServer(value, at),
  "ai-sdk": async (value, at) => alone(await (await import("./frameworks/ai-sdk.ts")).readAiSdkTool(value, at), at),
  mastra: async (value, at) => alone(await (await import("./frameworks/mastra.ts")).readMastraTool(value, at), at),
  langchain: async (value, at) =>
    alone(await (await import("./frameworks/langchain.ts")).readLangChainTool(value, at), at),
  "langchain-class": async (value, at) =>
    alone(await (await import("./frameworks/langchain.ts")).readLangChainClass(value, at), at),
  "openai-agents": async (value, at) =>
    alone(await (await import("./frameworks/openai-agents.ts")).readAgentsTool(value, at), at),
  named: async (value, at) => (await import("./pi/factory-tools.ts")).readExportedTool(value, at),
  callable: async (value, at) => (await import("./read-function.ts")).readFunction(pluginOf(value), at, readReturned),
};

/**
 * What a default function has returned, in whichever form it would have been understood as an export. Others are called
 * for a plugin's hooks only: what makes tools out of something else is the author's own. Never rejects.
 */
async function readReturned(returned: object, at: ExportContext): Promise<Contributions | undefined> {
  if (at.exportName !== "default") return undefined;
  const { form, why } = detectForm(returned, at.exportName, at.file, at.source) ?? {};
  if (form === undefined || why === undefined || form === "callable") return undefined;
  const here = { ...at, why: why.replace("exports", "has a function that returns") };
  const found =
    form === "list" || form === "record" ? foundIn(returned, form, here) : [{ form, value: returned, at: here }];
  const parts = await Promise.all(found.map(readOne));
  return { ...mergeContributions(parts), dependsOnHost: true };
}

function alone(tool: Tool, { why }: ExportContext): Contributions {
  return { tools: [tool], problems: [], about: { format: tool.origin.format, why, unsupportedFeatures: [] } };
}

/** A plugin of OpenCode may be exported with an id, as `{ id, server }`. */
function pluginOf(
  value: ((...args: unknown[]) => unknown) | { server(...args: unknown[]): unknown },
): (...args: unknown[]) => unknown {
  return typeof value === "function" ? value : value.server.bind(value);
}

const ACCEPTED =
  'A tool file exports an object with description and execute, as default or by name: export default tool({ description: "…", args: { … }, async execute(args, context) { … } }). Tools made by Tool.define, the Claude and Copilot SDKs, the AI SDK, Mastra, LangChain or OpenAI Agents work too, and so do default functions written for pi, oh-my-pi or OpenCode.';

/** The problem of a file in which nothing was recognised. */
function notATool(module: Record<string, unknown>, file: ModuleFile): ExportProblem {
  const names = Object.keys(module).filter((name) => name !== "module.exports" && name !== "__esModule");
  const found = names.length > 0 ? `It exports ${names.join(", ")}, and none of these is a tool` : "It exports nothing";
  return { file: file.path, code: "not_a_tool", message: `${found}. ${ACCEPTED}` };
}
