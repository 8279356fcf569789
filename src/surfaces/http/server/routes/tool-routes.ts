import { explainDisabled, explainMissing } from "../../../../calls/resolve-tool.ts";
import type { ToolInfo } from "../../../../catalog/registry/registry-entry.ts";
import type { ApiReload, ApiTool, ApiTools } from "../../../../core/api.ts";
import type { Source } from "../../../../core/tool.ts";
import { printableJson } from "../../../../platform/text/printable.ts";
import type { Report, Toolbox } from "../../../../toolbox/toolbox.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { json, jsonBytes } from "../../parts/json-response.ts";
import { shareRuns } from "../share-runs.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { untilToolsChange } from "./until-tools-change.ts";

export function listTools(context: RouteContext): RouteHandler {
  const { toolbox } = context;
  const body = untilToolsChange(context, () => new TextEncoder().encode(printableJson(toApiTools(toolbox))));
  const respond = (): Response => jsonBytes(body());
  return () => {
    const loading = toolbox.ready();
    // hono answers faster without a promise.
    return loading ? loading.then(respond) : respond();
  };
}

export function getTool({ toolbox, fail }: RouteContext): RouteHandler {
  return async ({ req }) => {
    const name = req.param("name") ?? "";
    await toolbox.ready(name);
    const tool = toolbox.get(name);
    return tool?.enabled ? json(toApiTool(tool)) : fail(missingTool(name, tool, toolbox));
  };
}

export function reloadTools({ toolbox, admission, fail }: RouteContext): RouteHandler {
  const reload = shareRuns(() => toolbox.reload());
  return async ({ env: { incoming, outgoing } }) => {
    incoming.resume();
    const error = admission.admit(outgoing);
    return error ? fail(error) : json(toApiReload(await reload(), toolbox));
  };
}

function toApiTools(toolbox: Toolbox): ApiTools {
  const tools = enabledTools(toolbox).map(toApiTool);
  const count = (wanted: Source): number => tools.filter(({ source }) => source === wanted).length;
  const counts = { builtin: count("builtin"), custom: count("custom"), plugin: count("plugin"), mcp: count("mcp") };
  return { tools, counts: { total: tools.length, ...counts } };
}

function toApiTool({ name, description, source, pluginName, inputSchema, outputSchema }: ToolInfo): ApiTool {
  const plugin = pluginName === undefined ? {} : { pluginName };
  const output = outputSchema === undefined ? {} : { outputSchema };
  return { name, description, source, ...plugin, inputSchema, ...output };
}

function toApiReload({ problems }: Report, toolbox: Toolbox): ApiReload {
  const errors = problems.map(({ file, tool, message }) => ({
    source: file,
    ...(tool === undefined ? {} : { toolName: tool }),
    message,
  }));
  return { success: errors.length === 0, toolCount: enabledTools(toolbox).length, errors };
}

function enabledTools(toolbox: Toolbox): ToolInfo[] {
  return toolbox.list().filter(({ enabled }) => enabled);
}

/** The same message as for a call of the tool. */
function missingTool(name: string, disabled: ToolInfo | undefined, toolbox: Toolbox): ErrorResponse {
  if (disabled) return { code: "not_found", message: explainDisabled(disabled.name) };
  const { code, message } = explainMissing(name, toolbox).error;
  return { code: code === "denied" ? "denied" : "not_found", message };
}
