import { explainDisabled, explainMissing } from "../../../../calls/resolve-tool.ts";
import type { ToolInfo } from "../../../../catalog/registry/registry-entry.ts";
import type { ApiReload, ApiTool, ApiTools } from "../../../../core/api.ts";
import type { ApiRendering, ApiRenderRequest } from "../../../../core/api-page.ts";
import type { Content } from "../../../../core/result.ts";
import type { Source } from "../../../../core/tool.ts";
import { printableJson } from "../../../../platform/text/printable.ts";
import { defined } from "../../../../platform/values/defined.ts";
import { catalogOf, catalogTools } from "../../../../toolbox/catalog-view.ts";
import type { DrawRequest, Report, Toolbox } from "../../../../toolbox/toolbox.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { json, jsonBytes } from "../../parts/json-response.ts";
import { shareRuns } from "../share-runs.ts";
import { readJsonBody } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

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
  const errors = problems.map(({ file, tool, message }) => ({ source: file, ...defined({ toolName: tool }), message }));
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

/** Returns a function that makes a value when it is first asked for, and again after the tools have changed. */
function untilToolsChange<T>({ toolbox, stopping }: RouteContext, make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  const forget = (): void => {
    made = undefined;
  };
  const stops = [toolbox.on("change", forget), toolbox.on("session", forget)];
  stopping.addEventListener("abort", () => {
    for (const stop of stops) stop();
  });
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** All tools with their places. They are cached until the tools change, since their files are read for it. */
export function getCatalog(context: RouteContext): RouteHandler {
  const { toolbox, command, commandOptions } = context;
  const tools = untilToolsChange(context, () => catalogTools(toolbox));
  return async () => {
    await toolbox.ready();
    return json(catalogOf(toolbox, { command, commandOptions }, tools()));
  };
}

/** Draws a call or its result as the author of the tool does in a terminal. */
export function renderCall({ toolbox, admission, limits, fail }: RouteContext): RouteHandler {
  return async ({ req, env: { incoming, outgoing } }) => {
    const refused = admission.admit(outgoing);
    if (refused) return fail(refused);
    const read = await readJsonBody(incoming, limits, "POST /api/tools/{name}/render");
    if (read.kind === "invalid") return fail(read.error);
    const name = req.param("name") ?? "";
    const view = toView(read.body, name, toolbox.project.directory);
    return json({ lines: (await toolbox.render(view)) ?? null } satisfies ApiRendering);
  };
}

function toView({ result, ...call }: ApiRenderRequest, name: string, cwd: string): DrawRequest {
  const base = { ...call, name, cwd, color: true };
  if (!result) return { ...base, kind: "call" };
  // The kinds of content are checked, and the renderer of the author must expect any values.
  return { ...base, ...result, kind: "result", content: result.content as readonly Content[] };
}
