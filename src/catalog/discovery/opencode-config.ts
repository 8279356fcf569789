import { join, resolve } from "node:path";
import { isObject } from "../../platform/values/is-object.ts";
import { type AgentHomes, folderNamedBy, xdgFolder } from "./agent-homes.ts";

/** The folder that every version reads: OpenCode 1 reads `$OPENCODE_CONFIG_DIR` and the default, OpenCode 2 only the former. */
export function opencodeFolder(at: AgentHomes): string {
  return folderNamedBy("OPENCODE_CONFIG_DIR", usualFolder(at), at);
}

/** The user's folders with tools and plugins, highest priority first. */
export function opencodeFolders(at: AgentHomes): string[] {
  return [...new Set([opencodeFolder(at), join(at.home, ".opencode"), usualFolder(at)])];
}

/** The user's config files, highest priority first. None need exist. */
export function opencodeUserFiles(at: AgentHomes): string[] {
  const { OPENCODE_CONFIG: named } = at.env;
  const files = [
    ...opencodeFilesIn(opencodeFolder(at)),
    ...opencodeFilesIn(join(at.home, ".opencode")),
    ...(named ? [resolve(at.cwd, named)] : []),
    ...opencodeFilesIn(usualFolder(at)),
    join(usualFolder(at), "config.json"),
  ];
  return [...new Set(files)];
}

/** The config files in a folder of a project, highest priority first. */
export function opencodeProjectFiles(folder: string): string[] {
  return [...opencodeFilesIn(join(folder, ".opencode")), ...opencodeFilesIn(folder)];
}

/** OpenCode reads both. The first overrides the second. */
export function opencodeFilesIn(folder: string): [string, string] {
  return [join(folder, "opencode.jsonc"), join(folder, "opencode.json")];
}

/**
 * The sections that hold servers: `mcp.servers` of OpenCode 2 overrides `mcp`, which every version reads. A server may itself
 * be called "servers".
 */
export function opencodeSections(config: unknown): [readonly string[], ...(readonly string[])[]] {
  const mcp = isObject(config) ? config.mcp : undefined;
  const servers = isObject(mcp) ? mcp.servers : undefined;
  return isObject(servers) && !isServer(servers) ? [["mcp", "servers"], ["mcp"]] : [["mcp"]];
}

/** Whether an entry of `mcp` is a server: OpenCode 2 also has settings for all servers there. */
export function isOpencodeServer(name: string, value: unknown): boolean {
  return !["servers", "timeout"].includes(name) || isServer(value);
}

function isServer(value: unknown): boolean {
  return isObject(value) && ["type", "command", "url", "enabled"].some((key) => Object.hasOwn(value, key));
}

function usualFolder(at: AgentHomes): string {
  return join(xdgFolder(at), "opencode");
}
