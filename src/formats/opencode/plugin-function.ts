import { matchText } from "../../core/wildcard.ts";
import type { ModuleFile } from "../contributions.ts";

const PLUGIN_FOLDER = /[\\/]\.?opencode[\\/]plugins?[\\/]/;
const PLUGIN_IMPORT =
  /\bimport\b[^;"']*\b(?:Plugin|PluginInput|PluginModule|Hooks)\b[^;"']*\bfrom\s*["']@opencode-ai\/plugin["']/;
const INDEX_FILE = /[\\/]index\.\w+$/;

/** Whether OpenCode loads the file as a plugin. */
export function isInPluginFolder({ path, opencodePlugin }: Pick<ModuleFile, "path" | "opencodePlugin">): boolean {
  return opencodePlugin !== undefined || PLUGIN_FOLDER.test(path);
}

/** The entry "-id" of OpenCode's configuration that turns a plugin off. */
export function turnedOffBy(id: unknown, { opencodePlugin }: Pick<ModuleFile, "opencodePlugin">): string | undefined {
  return typeof id === "string" ? opencodePlugin?.disabled.find((pattern) => matchText(pattern, id)) : undefined;
}

/**
 * Whether a function that is exported by name is a plugin. OpenCode calls every exported function of a file in a plugin folder,
 * and of a package. The index file of a subfolder may be a helper of other files, and tool files may export helper functions
 * too: in these, only a function that looks like a plugin is called.
 */
export function isPluginFunction(value: object, exportName: string, file: ModuleFile, source: string): boolean {
  if (PLUGIN_IMPORT.test(source)) return true;
  if (!isInPluginFolder(file)) return false;
  if (file.plugin !== undefined || !INDEX_FILE.test(file.path)) return true;
  return exportName.endsWith("Plugin") || destructuresPluginInput(value);
}

/** Most plugins destructure their argument, by names that only plugins have. */
export function destructuresPluginInput(value: unknown): boolean {
  const text = Function.prototype.toString.call(value);
  // A bound method: only plugins are exported as methods.
  if (/\{\s*\[native code\]\s*\}$/.test(text)) return true;
  const head = /^[^{(]*\(\s*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  return /(?:^|[\s,])(?:client|project|serverUrl|worktree|\$)(?=[\s,:=]|$)/.test(head);
}
