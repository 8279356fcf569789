import { buildJsonPluginConfigSchema, type PluginConfigSchema } from "./config-schema.ts";
import { jsonResult, textResult } from "./results.ts";

/** A tool of `defineToolPlugin`: its `execute` gets the arguments first. */
interface PluginTool {
  readonly name: string;
  readonly label?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly optional?: boolean;
  execute?(params: unknown, config: unknown, context: object): unknown;
  factory?(context: object): unknown;
}

interface ToolPlugin {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly configSchema?: unknown;
  tools(tool: (definition: PluginTool) => PluginTool): readonly PluginTool[];
}

interface ToolApi {
  readonly pluginConfig?: unknown;
  registerTool(tool: unknown, options?: object): void;
}

/** A plugin that consists of tools. */
export function defineToolPlugin(plugin: ToolPlugin): {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly configSchema: PluginConfigSchema;
  register(api: ToolApi): void;
} {
  const { id, name, description, configSchema = { type: "object", properties: {} } } = plugin;
  const tools = plugin.tools((definition) => ({ ...definition, label: definition.label ?? definition.name }));
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    configSchema: buildJsonPluginConfigSchema(configSchema),
    register: (api) => {
      for (const tool of tools) register(tool, api);
    },
  };
}

function register(tool: PluginTool, api: ToolApi): void {
  const { name, optional, factory, execute } = tool;
  const config = api.pluginConfig ?? {};
  const options = { name, ...(optional ? { optional } : {}) };
  if (factory) return api.registerTool((toolContext: object) => factory({ api, config, toolContext }), options);
  if (!execute)
    throw new Error(`The tool "${name}" has neither execute nor factory. Add execute(params, config) { … }.`);
  api.registerTool(
    {
      ...tool,
      execute: async (toolCallId: string, params: unknown, signal?: AbortSignal, onUpdate?: unknown) =>
        asResult(await execute(params, config, { api, signal, toolCallId, onUpdate })),
    },
    options,
  );
}

/** Results that consist of content stay as they are. */
function asResult(returned: unknown): unknown {
  const content = (returned as { content?: unknown } | null | undefined)?.content;
  if (Array.isArray(content) && content.length > 0 && content.every(isBlock)) return returned;
  return typeof returned === "string" ? textResult(returned, returned) : jsonResult(returned);
}

function isBlock(value: unknown): boolean {
  const { type, text, data } = (value ?? {}) as { type?: unknown; text?: unknown; data?: unknown };
  return type === "text" ? typeof text === "string" : type === "image" && typeof data === "string";
}
