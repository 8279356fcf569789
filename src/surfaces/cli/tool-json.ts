import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import { defined } from "../../platform/values/defined.ts";

/** A tool in `list --json`. Other programs rely on exactly these keys. */
type ToolJson = Omit<ToolInfo, "limits" | "hints" | "pluginVersion">;

export function toToolJson(tool: ToolInfo): ToolJson {
  const { name, description, source, place, format, file, inputSchema, outputSchema, enabled, pluginName } = tool;
  const output = defined({ outputSchema });
  const plugin = defined({ pluginName });
  const overriding = tool.overridesBuiltin ? { overridesBuiltin: true as const } : {};
  return { name, description, source, place, format, file, inputSchema, ...output, enabled, ...plugin, ...overriding };
}
