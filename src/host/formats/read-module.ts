import type { Tool } from "../../core/tool.ts";
import { misspelled } from "../../platform/text/nearest.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { bunNeedOf } from "../protocol/source-problem.ts";
import type { Contributions, ExportProblem, FormatHost, ModuleFile } from "./contributions.ts";
import { detectForm, detectServerFunction, membersOf, type ToolForm } from "./detect-form.ts";
import { type ExportContext, ExportError, toProblem } from "./export-context.ts";
import { isToolCreator } from "./factory-evidence.ts";
import { listExports } from "./list-exports.ts";
import type { ImportScope } from "./mcp-module/import-scope.ts";
import { changeTools, mergeContributions } from "./merge-contributions.ts";
import { notCalled } from "./not-called.ts";
import { isInPluginFolder, turnedOffBy } from "./opencode/plugin-function.ts";
import { readTool } from "./toolwright/read-tool.ts";
import { isXmcpTool, type XmcpModule } from "./xmcp/xmcp-module.ts";

export interface ReadModuleOptions {
  readonly host: FormatHost;
  readonly source: string;
  /** The paths of the file and its imports. */
  readonly imports?: () => readonly string[];
  /** Whether its text seems to register a hook. */
  readonly registersHook?: () => boolean;
  /** Where the file was imported, if it may have started an MCP server. */
  readonly scope?: ImportScope | undefined;
}

/**
 * Reads the exports of a module, whatever their forms, and the sessions that it has joined as an extension of Copilot CLI. The code for a form is loaded on first use. Rejects
 * only if the code of the file needs Bun, which is then in the error.
 */
export async function readModule(
  module: Record<string, unknown>,
  file: ModuleFile,
  { host, source, imports = () => [], registersHook = () => false, scope }: ReadModuleOptions,
): Promise<Contributions> {
  const xmcp = { exportName: "default", name: file.name, file, host, source, imports, why: XMCP };
  if (isXmcpTool(module, xmcp)) return readXmcp(module, xmcp);
  const found = detectExports(module, file, { host, source, imports });
  const { members, problems } = found;
  const parts: Contributions[] = problems.length > 0 ? [{ tools: [], problems }] : [];
  if (COPILOT_EXTENSION.test(source)) {
    const { readCopilotExtension } = await import("./copilot/read-copilot-extension.ts");
    parts.push(...(await readCopilotExtension(imports, { file, host, source })));
  }
  const started = scope && (await readStarted(scope, found.exports, { file, host, source, imports }));
  if (started) parts.push(started);
  const exports = found.exports.filter(({ form }) => !started || !OF_SERVERS.includes(form));
  for (const detected of serversLast(withoutDuplicates([...exports, ...members]))) {
    const part = await readExport(detected);
    parts.push(isServer(detected) ? withoutKnownTools(part, parts) : part);
  }
  if (parts.length === 0) return noTools(module, file, source);
  const useful = withoutHelperFactories(parts.filter((part) => !isNotATool(part)));
  if (useful.length === 0) return mergeContributions(parts);
  const isCalled = exports.some(({ at }) => at.exportName === "default") || useful.some(({ hooks }) => hooks);
  return mergeContributions([...useful, ...(isCalled ? [] : uncalledFunction(module, file, registersHook))]);
}

const XMCP = "its place or its imports say that its default function is a tool of xmcp";

async function readXmcp(module: XmcpModule, at: ExportContext): Promise<Contributions> {
  try {
    return single(await (await import("./xmcp/read-xmcp-tool.ts")).readXmcpTool(module, at), at);
  } catch (thrown) {
    return { tools: [], problems: [toProblem(thrown, at)] };
  }
}

/** The problem of a file with tools whose default function would register hooks, but is not called. */
function uncalledFunction(
  module: Record<string, unknown>,
  file: ModuleFile,
  registersHook: () => boolean,
): Contributions[] {
  const message = whyNotCalled(module, file);
  if (message === undefined || !registersHook()) return [];
  return [{ tools: [], problems: [{ file: file.path, code: "not_a_tool", exportName: "default", message }] }];
}

function whyNotCalled(module: Record<string, unknown>, file: ModuleFile): string | undefined {
  return notCalled(
    tryOrUndefined(() => module.default),
    file.path,
  );
}

/** A file that calls `joinSession`, or imports a file that does. */
const COPILOT_EXTENSION = /@github\/copilot-sdk\/extension|\bjoinSession\b/;

function isServer({ form }: DetectedExport): boolean {
  return form === "sdk-server" || OF_SERVERS.includes(form);
}

/** The forms that are an MCP server, or create one. */
const OF_SERVERS: readonly ToolForm[] = ["mcp-server", "mcp-factory", "mcp-register"];

/** The tools of the server that a file has started while it was imported. */
async function readStarted(
  scope: ImportScope,
  exports: readonly DetectedExport[],
  at: Omit<ExportContext, "name" | "why" | "exportName">,
): Promise<Contributions | undefined> {
  const { awaitServer } = await import("./mcp-module/started-server.ts");
  return awaitServer(scope, exports.length > 0, { ...at, exportName: "default", name: at.file.name });
}

function serversLast(detected: readonly DetectedExport[]): DetectedExport[] {
  return [...detected.filter((each) => !isServer(each)), ...detected.filter(isServer)];
}

/** Files often export single tools and also a server that contains them. */
function withoutKnownTools(server: Contributions, parts: readonly Contributions[]): Contributions {
  const known = new Set(parts.flatMap(({ tools }) => tools.map(({ name }) => name)));
  return changeTools(server, (tools) => tools.filter(({ name }) => !known.has(name)));
}

/** In a file with a plugin that has tools, the functions that return a tool are helpers of the plugin. */
function withoutHelperFactories(parts: readonly Contributions[]): readonly Contributions[] {
  const isPlugin = ({ about, tools }: Contributions): boolean =>
    about?.format === "opencode-plugin" && tools.length > 0;
  if (!parts.some(isPlugin)) return parts;
  const isHelperFactory = ({ dependsOnHost, tools: [tool], about }: Contributions): boolean =>
    dependsOnHost === true && about?.format !== "opencode-plugin" && tool?.origin.exportName !== "default";
  return parts.filter((part) => !isHelperFactory(part));
}

/** A file that only exports types is a helper of other files: not a problem unless it had tools before. */
function noTools(module: Record<string, unknown>, file: ModuleFile, source: string): Contributions {
  const problem = notATool(module, file);
  const hasTypes = /^\s*export\s+(?:declare\s+)?(?:type|interface)\b/m.test(source);
  if (Object.keys(module).length === 0 && hasTypes)
    return { tools: [], problems: [], problemsIfToolsExpected: [problem] };
  return { tools: [], problems: [problem] };
}

/** Whether an export turned out to be no tool. That is only a problem if the file has nothing else. */
function isNotATool({ tools, problems, hooks, onSession }: Contributions): boolean {
  if (tools.length > 0 || hooks || onSession || problems.length === 0) return false;
  return problems.every(({ code }) => code === "not_a_tool");
}

/** An export, or a member of an exported set, that has the form of a tool. */
interface DetectedExport {
  readonly form: ToolForm;
  readonly value: unknown;
  readonly at: ExportContext;
}

function detectExports(
  module: Record<string, unknown>,
  file: ModuleFile,
  from: { host: FormatHost; source: string; imports: () => readonly string[] },
): { exports: DetectedExport[]; members: DetectedExport[]; problems: ExportProblem[] } {
  const [exports, members, problems]: [DetectedExport[], DetectedExport[], ExportProblem[]] = [[], [], []];
  for (const { exportName, read } of listExports(module, file.path)) {
    const name = exportName === "default" ? file.name : `${file.name}_${exportName}`;
    const at = { exportName, name, file, module, ...from };
    try {
      const value = read();
      const { form, why } = detectForm(value, exportName, at) ?? {};
      if (form === undefined || why === undefined) continue;
      if (form === "list" || form === "record") members.push(...detectMembers(value as object, form, { ...at, why }));
      else exports.push({ form, value, at: { ...at, why } });
    } catch (thrown) {
      problems.push(toProblem(thrown, at));
    }
  }
  return {
    exports: exports.length + members.length > 0 ? exports : creators(module, file, from),
    members,
    problems,
  };
}

/** The functions that create tools or an MCP server, of a file that exports neither. */
function creators(
  module: Record<string, unknown>,
  file: ModuleFile,
  from: { host: FormatHost; source: string; imports: () => readonly string[] },
): DetectedExport[] {
  const found = listExports(module, file.path).flatMap(({ exportName, read }): DetectedExport[] => {
    const value = tryOrUndefined(read);
    const name = exportName === "default" ? file.name : `${file.name}_${exportName}`;
    const at = { exportName, name, file, module, ...from };
    const server = detectServerFunction(value, exportName, at);
    if (server) return [{ form: server.form, value, at: { ...at, why: server.why } }];
    const why = "it exports a function that creates tools and takes no arguments";
    return isToolCreator(value, exportName, at) ? [{ form: "creator", value, at: { ...at, why } }] : [];
  });
  // Several functions usually create the same server.
  const factory = found.find(({ form, at }) => form === "mcp-factory" && at.exportName !== SANDBOX);
  return found.filter((each) => each === factory || each.form !== "mcp-factory" || factory === undefined);
}

/** The function with which Smithery lists tools without a configuration. */
const SANDBOX = "createSandboxServer";

function detectMembers(set: object, form: "list" | "record", at: ExportContext): DetectedExport[] {
  return membersOf(set, at).map(({ key, value, detected }) => {
    const member = form === "list" ? `[${key}]` : key;
    // The AI SDK has no other names than the keys of a record.
    const name = form === "record" && detected.form === "ai-sdk" ? key : `${at.name}_${key}`;
    return { form: detected.form, value, at: { ...at, member, name } };
  });
}

/** Files often export a tool and also a set that contains it, or a class and also an instance of it. */
function withoutDuplicates(detected: readonly DetectedExport[]): DetectedExport[] {
  const byValue = new Map<unknown, DetectedExport>();
  for (const each of detected) if (!byValue.has(each.value)) byValue.set(each.value, each);
  const once = onlyPluginModules(onlyOpenClaw([...byValue.values()]));
  const isNeeded = ({ form, value }: DetectedExport): boolean =>
    form === "langchain-class" ? !hasInstance(value, once) : form !== "tanstack-ai" || !isServedDefinition(value, once);
  return once.filter(isNeeded);
}

/** A definition of TanStack AI beside the tool that its `server()` returned. */
function isServedDefinition(value: unknown, detected: readonly DetectedExport[]): boolean {
  const { __toolSide: side, name } = value as TanStackValue;
  const served = detected.filter(({ form }) => form === "tanstack-ai").map((each) => each.value as TanStackValue);
  return side !== "server" && served.some((other) => other.__toolSide === "server" && other.name === name);
}

type TanStackValue = { readonly __toolSide: unknown; readonly name: unknown };

/** OpenClaw calls one function of a plugin: what else the file exports are its parts. The default export comes first. */
function onlyOpenClaw(detected: readonly DetectedExport[]): readonly DetectedExport[] {
  const plugin = detected.find(({ form }) => form === "openclaw-plugin");
  return plugin ? [plugin] : detected;
}

/** If a file exports an OpenCode plugin as an object, its other functions are not called: one usually is the plugin. */
function onlyPluginModules(detected: readonly DetectedExport[]): readonly DetectedExport[] {
  const isModule = ({ form, value }: DetectedExport): boolean =>
    form === "setup-plugin" || (form === "function" && typeof value === "object");
  return detected.some(isModule) ? detected.filter((each) => each.form !== "function" || isModule(each)) : detected;
}

function hasInstance(type: unknown, detected: readonly DetectedExport[]): boolean {
  return typeof type === "function" && detected.some(({ value }) => value instanceof type);
}

async function readExport({ form, value, at }: DetectedExport): Promise<Contributions> {
  try {
    const off = isObject(value) ? turnedOffBy(value.id, at.file) : undefined;
    if (off !== undefined) return turnedOff(off, at);
    return await READERS[form](value as never, at);
  } catch (thrown) {
    if (bunNeedOf(thrown)) throw thrown;
    return { tools: [], problems: [toProblem(thrown, at)] };
  }
}

function turnedOff(entry: string, { why }: ExportContext): Contributions {
  const sentence = `The configuration of OpenCode turns it off ("-${entry}").`;
  const about = { format: "opencode-plugin", why, unsupportedFeatures: [sentence] } as const;
  return { tools: [], problems: [], about, dependsOnHost: true };
}

/** `value` has the type that its form implies. */
type Reader = (value: never, at: ExportContext) => Promise<Contributions>;

const READERS: Readonly<Record<ToolForm, Reader>> = {
  tool: async (value, at) => single(await readTool(value, at), at),
  define: async (value, at) => (await import("./toolwright/read-defined-tool.ts")).readDefinedTool(value, at),
  sdk: async (value, at) => single(await (await import("./frameworks/sdk.ts")).readSdkTool(value, at), at),
  "sdk-server": async (value, at) => (await import("./frameworks/sdk-server.ts")).readSdkServer(value, at),
  "mcp-server": async (value, at) => (await import("./mcp-module/exported-server.ts")).readExportedServer(value, at),
  "mcp-factory": async (value, at) => (await import("./mcp-module/smithery.ts")).readServerFactory(value, at),
  "mcp-register": async (value, at) => (await import("./mcp-module/register.ts")).readRegistration(value, at),
  "ai-sdk": async (value, at) => single(await (await import("./frameworks/ai-sdk.ts")).readAiSdkTool(value, at), at),
  mastra: async (value, at) => single(await (await import("./frameworks/mastra.ts")).readMastraTool(value, at), at),
  langchain: async (value, at) =>
    single(await (await import("./frameworks/langchain.ts")).readLangChainTool(value, at), at),
  "langchain-class": async (value, at) =>
    single(await (await import("./frameworks/langchain.ts")).readLangChainClass(value, at), at),
  "openai-agents": async (value, at) =>
    single(await (await import("./frameworks/openai-agents.ts")).readAgentsTool(value, at), at),
  anthropic: async (value, at) =>
    single(await (await import("./frameworks/anthropic.ts")).readAnthropicTool(value, at), at),
  llamaindex: async (value, at) =>
    single(await (await import("./frameworks/llamaindex.ts")).readLlamaIndexTool(value, at), at),
  strands: async (value, at) => single(await (await import("./frameworks/strands.ts")).readStrandsTool(value, at), at),
  voltagent: async (value, at) =>
    single(await (await import("./frameworks/voltagent.ts")).readVoltAgentTool(value, at), at),
  "tanstack-ai": async (value, at) =>
    single(await (await import("./frameworks/tanstack-ai.ts")).readTanStackTool(value, at), at),
  agentkit: async (value, at) =>
    single(await (await import("./frameworks/agentkit.ts")).readAgentKitTool(value, at), at),
  adk: async (value, at) => single(await (await import("./frameworks/adk.ts")).readAdkTool(value, at), at),
  roo: async (value, at) => single(await (await import("./roo/read-roo-tool.ts")).readRooTool(value, at), at),
  "amp-plugin": async (value, at) => (await import("./amp/read-amp-plugin.ts")).readAmpPlugin(value, at),
  "pi-tool": async (value, at) => (await import("./pi/factory-tools.ts")).readExportedTool(value, at),
  "setup-plugin": async (value, at) => (await import("./opencode/setup-plugin.ts")).readSetupPlugin(value, at),
  "openclaw-plugin": async (value, at) => (await import("./openclaw/read-plugin.ts")).readOpenClawPlugin(value, at),
  creator: async (value: () => unknown, at) => readCreated(await value(), at),
  function: async (value, at) =>
    (await import("./read-function.ts")).readFunction(functionOf(value), at, readReturnedValue),
};

/**
 * Reads the return value of a function, as if it were an export. A function that is exported by name gives its name to the
 * tool. Outside plugin folders it is called for the hooks of a plugin only: it may be a helper of the author. Never rejects.
 */
async function readReturnedValue(returned: object, at: ExportContext): Promise<Contributions | undefined> {
  const isNamed = at.exportName !== "default";
  if (isNamed && !isInPluginFolder(at.file)) return undefined;
  return readReturned(returned, { ...at, name: isNamed ? at.exportName : at.name });
}

async function readCreated(returned: unknown, at: ExportContext): Promise<Contributions> {
  const read = isObject(returned) || Array.isArray(returned) ? await readReturned(returned, at) : undefined;
  if (read) return read;
  throw new ExportError(
    "not_a_tool",
    `Its function "${at.exportName}" returned no tool. Return a tool or a list of tools.`,
  );
}

async function readReturned(returned: object, at: ExportContext): Promise<Contributions | undefined> {
  const { form, why } = detectForm(returned, at.exportName, at) ?? {};
  if (form === undefined || why === undefined || form === "function") return undefined;
  const here = { ...at, why: why.replace("exports", "has a function that returns") };
  const detected =
    form === "list" || form === "record" ? detectMembers(returned, form, here) : [{ form, value: returned, at: here }];
  const parts = await Promise.all(detected.map(readExport));
  return { ...mergeContributions(parts), dependsOnHost: true };
}

function single(tool: Tool, { why }: ExportContext): Contributions {
  return { tools: [tool], problems: [], about: { format: tool.origin.format, why, unsupportedFeatures: [] } };
}

/** An OpenCode plugin is a function, or an object `{ id, server }`. */
function functionOf(
  value: ((...args: unknown[]) => unknown) | { server(...args: unknown[]): unknown },
): (...args: unknown[]) => unknown {
  return typeof value === "function" ? value : value.server.bind(value);
}

const ACCEPTED =
  'Export a tool as default or by name: export default tool({ description: "…", args: { … }, async execute(args, context) { … } }). Tools of Tool.define, the Claude and Copilot SDKs, the AI SDK, Mastra, LangChain and OpenAI Agents are accepted too, and default functions written for pi, oh-my-pi, OpenCode or OpenClaw.';

const NOT_OPENCLAW =
  'A plugin of OpenClaw exports a function or an object with "register" as default: export default { id: "…", register(api) { api.registerTool({ … }) } }.';

function notATool(module: Record<string, unknown>, file: ModuleFile): ExportProblem {
  const names = Object.keys(module).filter((name) => name !== "module.exports" && name !== "__esModule");
  const found = names.length > 0 ? `None of its exports (${names.join(", ")}) is a tool` : "It exports nothing";
  const uncalled = whyNotCalled(module, file);
  if (file.system === "openclaw") return { file: file.path, code: "not_a_tool", message: `${found}. ${NOT_OPENCLAW}` };
  if (uncalled !== undefined) return { file: file.path, code: "not_a_tool", exportName: "default", message: uncalled };
  const called = names.find((name) => name !== "default" && isPlainFunction(tryOrUndefined(() => module[name])));
  const [unfinished] = names.flatMap((name) => tryOrUndefined(() => withoutExecute(name, module[name])) ?? []);
  if (unfinished !== undefined) return { file: file.path, code: "not_a_tool", message: `${found}. ${unfinished}` };
  const advice = called === undefined ? "" : `${namedNotCalled(called)} `;
  return { file: file.path, code: "not_a_tool", message: `${found}. ${advice}${ACCEPTED}` };
}

/** A sentence about an export that is a tool except for its function. */
function withoutExecute(exportName: string, value: unknown): string | undefined {
  if (!isObject(value) || typeof value.description !== "string") return undefined;
  const [meant] = misspelled("execute", Object.keys(value));
  if (meant === undefined) return `"${exportName}" has a description, but no function "execute". Add it.`;
  if (meant === "execute") return `"execute" of "${exportName}" is not a function. Correct it.`;
  return `"${exportName}" has a description and "${meant}". Did you mean "execute"?`;
}

function namedNotCalled(name: string): string {
  return `Functions that are exported by name are not called: if ${name}() creates a tool, export the tool itself.`;
}

function isPlainFunction(value: unknown): boolean {
  return typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value));
}
