import type { SettingsWarning } from "../config/read-settings.ts";
import type { Settings } from "../config/settings.ts";
import { nearest } from "../core/nearest.ts";
import type { ToolInfo } from "../registry/entry.ts";

const OF_EVERY_TOOL = ["timeoutMs", "maxLines", "maxBytes", "keep"];

/** Limits in the settings that the tool they are for does not know: whoever set one must not believe that it holds. */
export function limitWarnings(
  { toolLimits }: Pick<Settings, "toolLimits">,
  find: (name: string) => ToolInfo | undefined,
  file: string,
): SettingsWarning[] {
  return Object.entries(toolLimits).flatMap(([name, { own = {} }]) => {
    const tool = find(name);
    if (!tool) return [];
    const known = [...OF_EVERY_TOOL, ...Object.keys(tool.limits.own ?? {})];
    const unknown = Object.keys(own).filter((key) => !known.includes(key));
    return unknown.map((key) => ({ file, message: `"toolLimits.${name}.${key}" ${hint(key, name, known)}` }));
  });
}

function hint(key: string, tool: string, known: readonly string[]): string {
  const [near] = nearest(key, known);
  const meant = near === undefined ? `It has: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  return `is not a limit of "${tool}". ${meant} It is ignored.`;
}
