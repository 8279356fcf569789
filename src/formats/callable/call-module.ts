import { messageOf } from "../../core/error.ts";
import type { ExportAt } from "../export-at.ts";
import type { ExportProblem, FromFile } from "../module.ts";
import { createApi } from "./create-api.ts";
import { fromRegistrations, startUp } from "./from-registrations.ts";
import { joinParts } from "./join-parts.ts";
import { pluginMembers } from "./plugin-members.ts";
import { Registrations } from "./registrations.ts";
import { returnedTools } from "./returned-tools.ts";
import { createScope, type Scope } from "./scope.ts";

/**
 * Calls the function that a file exports, and takes what comes of it: what it registers (an extension of pi), the tools
 * it returns (a factory), or the hooks it returns (a plugin of OpenCode), or several of these. Never rejects.
 */
export async function callModule(value: (...args: never[]) => unknown, at: ExportAt): Promise<FromFile> {
  const source = at.source || Function.prototype.toString.call(value);
  const scope = createScope(at.file, source, at.host);
  const registrations = new Registrations(at, scope);
  const plugin = await pluginMembers(value, at, source);
  try {
    const api = createApi(scope, registrations, plugin ?? {});
    const returned: unknown = await (value as (api: object) => unknown)(api);
    await startUp(registrations, scope);
    const parts = [
      ...(registrations.isEmpty ? [] : [fromRegistrations(registrations, scope)]),
      ...(await fromReturned(returned, at, scope)),
    ];
    return parts.length > 0 ? joinParts(parts) : nothing(returned, at);
  } catch (error) {
    return failed(error, at, plugin !== undefined);
  }
}

async function fromReturned(returned: unknown, at: ExportAt, scope: Scope): Promise<FromFile[]> {
  const tools = await returnedTools(returned, at, scope);
  if (tools) return [tools];
  if (typeof returned !== "object" || returned === null) return [];
  const { fromPlugin, isPluginResult } = await import("../opencode-plugin.ts");
  return isPluginResult(returned) ? [await fromPlugin(returned, at)] : [];
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
