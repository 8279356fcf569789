import { messageOf } from "../core/error.ts";
import type { Contributions, ExportProblem } from "./contributions.ts";
import type { ExportContext } from "./export-context.ts";
import { mergeContributions } from "./merge-contributions.ts";
import { createApi } from "./pi/create-api.ts";
import { readReturnedTools } from "./pi/factory-tools.ts";
import { createPiRuntime, type PiRuntime } from "./pi/pi-runtime.ts";
import { emitStartup, readExtension } from "./pi/read-extension.ts";
import { Registrations } from "./pi/registrations.ts";

/** Reads what a function has returned as if it were an export. Undefined when that is no tool, nor a set of them. */
export type ReadReturned = (returned: object, at: ExportContext) => Promise<Contributions | undefined>;

/**
 * Calls the function that a file exports, and takes what comes of it: what it registers (an extension of pi), the tools
 * it returns (a factory), or the hooks it returns (a plugin of OpenCode), or several of these. Never rejects.
 */
export async function readFunction(
  value: (...args: never[]) => unknown,
  at: ExportContext,
  readReturned: ReadReturned,
): Promise<Contributions> {
  const source = at.source || Function.prototype.toString.call(value);
  const runtime = createPiRuntime(at.file, source, at.host);
  const registrations = new Registrations(at, runtime);
  const plugin = await pluginMembers(value, at, source);
  try {
    const api = createApi(runtime, registrations, plugin ?? {});
    const returned: unknown = await (value as (api: object) => unknown)(api);
    await emitStartup(registrations, runtime);
    const isExtension = !registrations.isEmpty || (runtime.system === "pi" && returned === undefined);
    const parts = [
      ...(isExtension ? [readExtension(registrations, runtime)] : []),
      ...(await fromReturned(returned, { at, runtime, readReturned, isPlugin: plugin !== undefined })),
    ];
    return parts.length > 0 ? joinParts(parts) : nothing(returned, at);
  } catch (error) {
    return failed(error, at, plugin !== undefined);
  }
}

async function fromReturned(
  returned: unknown,
  {
    at,
    runtime,
    readReturned,
    isPlugin,
  }: { at: ExportContext; runtime: PiRuntime; readReturned: ReadReturned; isPlugin: boolean },
): Promise<Contributions[]> {
  const tools = await readReturnedTools(returned, at, runtime);
  if (tools) return [tools];
  if (typeof returned !== "object" || returned === null) return [];
  const { readPluginHooks, isPluginResult } = await import("./opencode/plugin.ts");
  if (isPluginResult(returned) || (isPlugin && isEmpty(returned))) return [await readPluginHooks(returned, at)];
  return [await readReturned(returned, at)].filter((read) => read !== undefined);
}

/** A plugin may find that there is nothing for it to do here, as an extension of pi may. */
function isEmpty(returned: object): boolean {
  return !Array.isArray(returned) && Object.keys(returned).length === 0;
}

function failed(error: unknown, at: ExportContext, isPlugin: boolean): Contributions {
  const message = `Its ${functionOf(at)} was called and failed: ${messageOf(error)}`;
  return problem(at, { code: isPlugin ? "plugin_failed" : "init_failed", message });
}

function nothing(returned: unknown, at: ExportContext): Contributions {
  const what = returned === undefined ? "nothing" : Array.isArray(returned) ? "a list without tools" : nounOf(returned);
  const message = `Its ${functionOf(at)} was called with all that tool factories, extensions of pi and plugins of OpenCode are providedAs. It registered nothing and returned ${what}. Return a tool { name, description, parameters, execute } or a list of tools, or call pi.registerTool({ … }), or return { tool: { … } }.`;
  return problem(at, { code: "not_a_tool", message });
}

function nounOf(value: unknown): string {
  return typeof value === "object" ? "an object that is no tool" : `a ${typeof value}`;
}

function functionOf({ exportName }: ExportContext): string {
  return exportName === "default" ? "default function" : `function "${exportName}"`;
}

function problem({ file, exportName }: ExportContext, found: Pick<ExportProblem, "code" | "message">): Contributions {
  return { tools: [], problems: [{ file: file.path, exportName, ...found }], dependsOnHost: true };
}

/** What came of one function, in whichever ways it gave it. */
function joinParts(parts: readonly Contributions[]): Contributions {
  const joined = mergeContributions(parts);
  return Object.defineProperties({ dependsOnHost: true }, Object.getOwnPropertyDescriptors(joined)) as Contributions;
}

/** What OpenCode's plugins are called with; undefined where nothing says that the function is one. */
async function pluginMembers(
  value: unknown,
  { file, host }: ExportContext,
  source: string,
): Promise<object | undefined> {
  if (file.system !== "opencode" && !IMPORT.test(source) && !takesMembers(value)) return undefined;
  const { pluginInput } = await import("./opencode/plugin.ts");
  return pluginInput(host);
}

const IMPORT = /["']@opencode-ai\/(?:plugin|sdk)/;

/** Plugins mostly take their one argument apart, by names that nothing else has. */
function takesMembers(value: unknown): boolean {
  const text = Function.prototype.toString.call(value);
  // A method that was bound to its object: only plugins are exported as methods.
  if (/\{\s*\[native code\]\s*\}$/.test(text)) return true;
  const head = /^[^{(]*\(\s*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  return /(?:^|[\s,])(?:client|project|serverUrl|worktree|\$)(?=[\s,:=]|$)/.test(head);
}
