import type { ExportAt } from "../export-at.ts";

/** What OpenCode's plugins are called with; undefined where nothing says that the function is one. */
export async function pluginMembers(
  value: unknown,
  { file, host }: ExportAt,
  source: string,
): Promise<object | undefined> {
  if (file.system !== "opencode" && !IMPORT.test(source) && !takesMembers(value)) return undefined;
  const { pluginInput } = await import("../opencode/plugin.ts");
  return pluginInput(host);
}

const IMPORT = /["']@opencode-ai\/(?:plugin|sdk)/;

/** Plugins mostly take their one argument apart, by names that nothing else has. */
function takesMembers(value: unknown): boolean {
  const text = Function.prototype.toString.call(value);
  // A method that was bound to its object: only plugins are exported as methods.
  if (/\{\s*\[native code\]\s*\}$/.test(text)) return true;
  const head = /^[^{(]*\(\s*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  return /(?:^|[\s,])(?:client|project|serverUrl|worktree|\$)(?=[\s,:=]|$)/.test(head);
}
