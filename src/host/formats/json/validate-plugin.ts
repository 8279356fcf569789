import { isPlainObject } from "../../../platform/values/is-object.ts";
import { checkPluginHead, checkPluginTool } from "./check-plugin.ts";
import type { PluginConfigFile } from "./plugin-file.ts";
import { whyNoTools } from "./why-no-tools.ts";

/** Checks a parsed JSON file of tools, and lists every mistake. */
export function validatePluginConfigFile(data: unknown): {
  valid: boolean;
  errors: string[];
  config?: PluginConfigFile;
} {
  if (!isPlainObject(data)) {
    return { valid: false, errors: [whyNoTools(data).message] };
  }
  const { tools } = data;
  const errors = checkPluginHead(data).map(({ message }) => message);
  if (!Array.isArray(tools)) errors.push(whyNoTools(data).message);
  else errors.push(...tools.flatMap((tool, index) => errorsOf(tool, index, tools)));
  return errors.length > 0
    ? { valid: false, errors }
    : { valid: true, errors, config: data as unknown as PluginConfigFile };
}

/** Checks one tool of a JSON file, and lists every mistake. */
export function validatePluginToolDefinition(data: unknown): { valid: boolean; errors: string[] } {
  const errors = checkPluginTool(data).map(({ message }) => message);
  return { valid: errors.length === 0, errors };
}

function errorsOf(tool: unknown, index: number, all: readonly unknown[]): string[] {
  const name = nameOf(tool);
  const where = name === undefined ? `tools[${index}]` : `tools[${index}] ("${name}")`;
  const twice = name !== undefined && all.slice(0, index).some((other) => nameOf(other) === name);
  const taken = twice ? [`Another tool above is called "${name}" too. Rename one of them.`] : [];
  return [...checkPluginTool(tool).map(({ message }) => message), ...taken].map((message) => `${where}: ${message}`);
}

function nameOf(tool: unknown): string | undefined {
  return isPlainObject(tool) && typeof tool.name === "string" ? tool.name : undefined;
}
