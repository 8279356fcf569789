import { matchText } from "../../../platform/text/wildcard.ts";
import type { ModuleFile } from "../contributions.ts";

/** Not a folder of another system, or another project, below it. */
const PLUGIN_FOLDER = /[\\/](?:\.|\.config[\\/])(?:opencode|kilo)[\\/]plugins?[\\/](?:[^\\/.][^\\/]*[\\/])*[^\\/]+$/;
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
 * Whether OpenCode calls a function that is exported by name: every one of a file in a plugin folder, and of a package. The
 * index file of a subfolder may be a helper of other files: in it, only a function that looks like a plugin is called.
 */
export function isCalledByOpenCode(value: object, exportName: string, file: ModuleFile): boolean {
  if (!isInPluginFolder(file)) return false;
  return file.plugin !== undefined || !INDEX_FILE.test(file.path) || looksLikePlugin(value, exportName);
}

export function looksLikePlugin(value: object, exportName: string): boolean {
  return /plugin$/i.test(exportName) || destructuresPluginInput(value);
}

/** Most plugins destructure their argument, by names that only plugins have. */
export function destructuresPluginInput(value: unknown): boolean {
  const text = Function.prototype.toString.call(value);
  // A bound method: only plugins are exported as methods.
  if (/\{\s*\[native code\]\s*\}$/.test(text)) return true;
  const head = /^[^{(]*\(\s*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  return /(?:^|[\s,])(?:client|project|serverUrl|worktree|\$)(?=[\s,:=]|$)/.test(head);
}
