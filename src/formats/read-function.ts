import { messageOf } from "../core/error.ts";
import type { ExportAt } from "./export-at.ts";
import { mergeFiles } from "./merge-files.ts";
import type { ExportProblem, FromFile } from "./module.ts";
import { createApi } from "./pi/create-api.ts";
import { returnedTools } from "./pi/factory-tools.ts";
import { createScope, type Scope } from "./pi/pi-runtime.ts";
import { fromRegistrations, startUp } from "./pi/read-extension.ts";
import { Registrations } from "./pi/registrations.ts";

/** Reads what a function has returned as if it were an export. Undefined when that is no tool, nor a set of them. */
export type ReadReturned = (returned: object, at: ExportAt) => Promise<FromFile | undefined>;

/**
 * Calls the function that a file exports, and takes what comes of it: what it registers (an extension of pi), the tools
 * it returns (a factory), or the hooks it returns (a plugin of OpenCode), or several of these. Never rejects.
 */
export async function callModule(
  value: (...args: never[]) => unknown,
  at: ExportAt,
  readReturned: ReadReturned,
): Promise<FromFile> {
  const source = at.source || Function.prototype.toString.call(value);
  const scope = createScope(at.file, source, at.host);
  const registrations = new Registrations(at, scope);
  const plugin = await pluginMembers(value, at, source);
  try {
    const api = createApi(scope, registrations, plugin ?? {});
    const returned: unknown = await (value as (api: object) => unknown)(api);
    await startUp(registrations, scope);
    const isExtension = !registrations.isEmpty || (scope.system === "pi" && returned === undefined);
    const parts = [
      ...(isExtension ? [fromRegistrations(registrations, scope)] : []),
      ...(await fromReturned(returned, { at, scope, readReturned, isPlugin: plugin !== undefined })),
    ];
    return parts.length > 0 ? joinParts(parts) : nothing(returned, at);
  } catch (error) {
    return failed(error, at, plugin !== undefined);
  }
}

async function fromReturned(
  returned: unknown,
  { at, scope, readReturned, isPlugin }: { at: ExportAt; scope: Scope; readReturned: ReadReturned; isPlugin: boolean },
): Promise<FromFile[]> {
  const tools = await returnedTools(returned, at, scope);
  if (tools) return [tools];
  if (typeof returned !== "object" || returned === null) return [];
  const { fromPlugin, isPluginResult } = await import("./opencode/plugin.ts");
  if (isPluginResult(returned) || (isPlugin && isEmpty(returned))) return [await fromPlugin(returned, at)];
  return [await readReturned(returned, at)].filter((read) => read !== undefined);
}

/** A plugin may find that there is nothing for it to do here, as an extension of pi may. */
function isEmpty(returned: object): boolean {
  return !Array.isArray(returned) && Object.keys(returned).length === 0;
}

function failed(error: unknown, at: ExportAt, isPlugin: boolean): FromFile {
  const message = `Its ${functionOf(at)} was called and failed: ${messageOf(error)}`;
  return problem(at, { code: isPlugin ? "plugin_failed" : "init_failed", message });
}

function nothing(returned: unknown, at: ExportAt): FromFile {
  const what = returned === undefined ? "nothing" : Array.isArray(returned) ? "a list without tools" : nounOf(returned);
  const message = `Its ${functionOf(at)} was called with all that tool factories, extensions of pi and plugins of OpenCode are given. It registered nothing and returned ${what}. Return a tool { name, description, parameters, execute } or a list of tools, or call pi.registerTool({ … }), or return { tool: { … } }.`;
  return problem(at, { code: "not_a_tool", message });
}

function nounOf(value: unknown): string {
  return typeof value === "object" ? "an object that is no tool" : `a ${typeof value}`;
}

function functionOf({ exportName }: ExportAt): string {
  return exportName === "default" ? "default function" : `function "${exportName}"`;
}

function problem({ file, exportName }: ExportAt, found: Pick<ExportProblem, "code" | "message">): FromFile {
  return { tools: [], problems: [{ file: file.path, exportName, ...found }], made: true };
}

/** What came of one function, in whichever ways it gave it. */
function joinParts(parts: readonly FromFile[]): FromFile {
  const joined = mergeFiles(parts);
  return Object.defineProperties({ made: true }, Object.getOwnPropertyDescriptors(joined)) as FromFile;
}

/** What OpenCode's plugins are called with; undefined where nothing says that the function is one. */
async function pluginMembers(value: unknown, { file, host }: ExportAt, source: string): Promise<object | undefined> {
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
