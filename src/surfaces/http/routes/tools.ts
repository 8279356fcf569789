import type { ApiReload, ApiTool, ApiTools } from "../../../core/api.ts";
import type { Source } from "../../../core/tool.ts";
import { notThere } from "../../../pipeline/resolve-tool.ts";
import type { ToolInfo } from "../../../registry/entry.ts";
import type { Report, Toolbox } from "../../../toolbox/toolbox.ts";
import { json, jsonBytes } from "../json-response.ts";
import type { Refusal } from "../refusal.ts";
import { sharingWork } from "../sharing-work.ts";
import type { Routes } from "./routes.ts";

/** Which tools there are. */
export const toolRoutes: Routes = (app, { toolbox, admission, stopping, refuse }) => {
  const listing = keptListing(toolbox, stopping);
  const reload = sharingWork(() => toolbox.reload());
  app.get("/api/tools", (): Response | Promise<Response> => {
    const answer = (): Response => jsonBytes(listing());
    const reading = toolbox.ready();
    // An answer that is there at once is sent faster.
    return reading ? reading.then(answer) : answer();
  });
  app.get("/api/tools/:name", async ({ req }) => {
    const name = req.param("name");
    await toolbox.ready(name);
    const tool = toolbox.get(name);
    return tool?.enabled ? json(toApiTool(tool)) : refuse(noTool(name, tool, toolbox));
  });
  app.post("/api/tools/reload", async ({ env: { incoming, outgoing } }) => {
    incoming.resume();
    const refusal = admission.admit(outgoing);
    return refusal ? refuse(refusal) : json(toApiReload(await reload(), toolbox));
  });
};

/** The list as it is sent, made again when anything in it may have changed. */
function keptListing(toolbox: Toolbox, stopping: AbortSignal): () => Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  const forget = (): void => {
    bytes = undefined;
  };
  const stops = [toolbox.on("change", forget), toolbox.on("session", forget)];
  stopping.addEventListener("abort", () => {
    for (const stop of stops) stop();
  });
  return () => {
    bytes ??= new TextEncoder().encode(JSON.stringify(toApiTools(toolbox)));
    return bytes;
  };
}

function toApiTools(toolbox: Toolbox): ApiTools {
  const tools = callable(toolbox).map(toApiTool);
  const of = (wanted: Source): number => tools.filter(({ source }) => source === wanted).length;
  const counts = { builtin: of("builtin"), custom: of("custom"), plugin: of("plugin"), mcp: of("mcp") };
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
  return { success: errors.length === 0, toolCount: callable(toolbox).length, errors };
}

function callable(toolbox: Toolbox): ToolInfo[] {
  return toolbox.list().filter(({ enabled }) => enabled);
}

/** The same words as for a call of it. */
function noTool(name: string, disabled: ToolInfo | undefined, toolbox: Toolbox): Refusal {
  if (disabled) {
    const fix = 'To use it, take it out of "tools.disabled" in the settings.';
    return { code: "not_found", message: `"${disabled.name}" is disabled. ${fix}` };
  }
  const { code, message } = notThere(name, toolbox).error;
  return { code: code === "denied" ? "denied" : "not_found", message };
}
