import { messageOf } from "../../core/error.ts";
import { isObject, isPlainObject } from "../../platform/values/is-object.ts";
import { bunNeedOf } from "../protocol/source-problem.ts";
import type { Contributions, ExportProblem } from "./contributions.ts";
import type { ExportContext } from "./export-context.ts";
import { mergeContributions } from "./merge-contributions.ts";
import { destructuresPluginInput, isInPluginFolder } from "./opencode/plugin-function.ts";
import { createApi } from "./pi/create-api.ts";
import { readReturnedTools } from "./pi/factory-tools.ts";
import { createPiRuntime, type PiRuntime } from "./pi/pi-runtime.ts";
import { emitStartup, readExtension } from "./pi/read-extension.ts";
import { Registrations } from "./pi/registrations.ts";

/** Reads the return value of a function as if it were an export. Resolves to undefined if it is neither a tool nor a set of tools. */
export type ReadReturnedValue = (returned: object, at: ExportContext) => Promise<Contributions | undefined>;

/**
 * Calls an exported function and reads what it registers (pi extension), the tools that it returns (factory), the hooks
 * that it returns (OpenCode plugin), or several of these. Rejects only if the code needs Bun.
 */
export async function readFunction(
  value: (...args: never[]) => unknown,
  at: ExportContext,
  readReturnedValue: ReadReturnedValue,
): Promise<Contributions> {
  const source = at.source || Function.prototype.toString.call(value);
  const runtime = createPiRuntime(at.file, source, at.host);
  const registrations = new Registrations(at, runtime);
  const plugin = await openCodeInput(value, at, source);
  try {
    const api = createApi(runtime, registrations, plugin ?? {});
    const options = at.file.opencodePlugin?.options;
    const returned: unknown = await (value as (...given: unknown[]) => unknown)(api, ...(options ? [options] : []));
    await emitStartup(registrations, runtime);
    const isExtension = !registrations.isEmpty || (runtime.system === "pi" && returned === undefined);
    const parts = [
      ...(isExtension ? [readExtension(registrations, runtime)] : []),
      ...(await fromReturned(returned, { at, runtime, readReturnedValue, isPlugin: plugin !== undefined })),
    ];
    return parts.length > 0 ? joinParts(parts) : nothingContributed(returned, at);
  } catch (error) {
    if (bunNeedOf(error)) throw error;
    return failed(error, at, plugin !== undefined);
  }
}

async function fromReturned(
  returned: unknown,
  {
    at,
    runtime,
    readReturnedValue,
    isPlugin,
  }: { at: ExportContext; runtime: PiRuntime; readReturnedValue: ReadReturnedValue; isPlugin: boolean },
): Promise<Contributions[]> {
  const isOfPluginFolder = isInPluginFolder(at.file);
  const isNameless = isObject(returned) && typeof returned.name !== "string";
  const tools = isOfPluginFolder && isNameless ? undefined : await readReturnedTools(returned, at, runtime);
  if (tools) return [tools];
  const { readPluginHooks, isPluginResult } = await import("./opencode/plugin.ts");
  if (typeof returned !== "object" || returned === null) {
    return isOfPluginFolder && (returned ?? undefined) === undefined ? [await readPluginHooks({}, at)] : [];
  }
  if (isPluginResult(returned) || (isPlugin && isEmpty(returned))) return [await readPluginHooks(returned, at)];
  const read = await readReturnedValue(returned, at);
  if (read) return [read];
  return isOfPluginFolder && isPlainObject(returned) ? [await readPluginHooks(returned, at)] : [];
}

/** A plugin that contributes nothing in this project returns `{}` or nothing. */
function isEmpty(returned: object): boolean {
  return !Array.isArray(returned) && Object.keys(returned).length === 0;
}

function failed(error: unknown, at: ExportContext, isPlugin: boolean): Contributions {
  const message = `Its ${nameOf(at)} failed: ${messageOf(error)}`;
  return problem(at, { code: isPlugin ? "plugin_failed" : "init_failed", message });
}

function nothingContributed(returned: unknown, at: ExportContext): Contributions {
  const what = returned === undefined ? "nothing" : Array.isArray(returned) ? "a list without tools" : nounOf(returned);
  const message = `Its ${nameOf(at)} registered nothing and returned ${what}. Return a tool { name, description, parameters, execute } or a list of tools, call pi.registerTool({ … }), or return { tool: { … } }.`;
  return problem(at, { code: "not_a_tool", message });
}

function nounOf(value: unknown): string {
  return typeof value === "object" ? "an object that is not a tool" : `a ${typeof value}`;
}

function nameOf({ exportName }: ExportContext): string {
  return exportName === "default" ? "default function" : `function "${exportName}"`;
}

function problem({ file, exportName }: ExportContext, found: Pick<ExportProblem, "code" | "message">): Contributions {
  return { tools: [], problems: [{ file: file.path, exportName, ...found }], dependsOnHost: true };
}

function joinParts(parts: readonly Contributions[]): Contributions {
  const joined = mergeContributions(parts);
  return Object.defineProperties({ dependsOnHost: true }, Object.getOwnPropertyDescriptors(joined)) as Contributions;
}

/** The argument of an OpenCode plugin; undefined if nothing indicates that the function is one. */
async function openCodeInput(
  value: unknown,
  { file, host }: ExportContext,
  source: string,
): Promise<object | undefined> {
  if (file.system !== "opencode" && !IMPORT.test(source) && !destructuresPluginInput(value)) return undefined;
  const { pluginInput } = await import("./opencode/plugin.ts");
  return pluginInput(host);
}

const IMPORT = /["']@opencode-ai\/(?:plugin|sdk)/;
