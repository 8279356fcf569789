import { join, resolve } from "node:path";
import { isObject } from "../core/is-object.ts";
import { type AgentHomes, folderNamedBy, xdgFolder } from "./agent-homes.ts";

/** The folder that every version reads: to OpenCode 1 `$OPENCODE_CONFIG_DIR` is one more, to OpenCode 2 it is instead of the usual. */
export function opencodeFolder(at: AgentHomes): string {
  return folderNamedBy("OPENCODE_CONFIG_DIR", usualFolder(at), at);
}

/** The user's configurations, those that override others first. None need exist. */
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

/** The configurations in the folder of a project, those that override others first. */
export function opencodeProjectFiles(folder: string): string[] {
  return [...opencodeFilesIn(join(folder, ".opencode")), ...opencodeFilesIn(folder)];
}

/** Both are read where both are there, and the first overrides the second. */
export function opencodeFilesIn(folder: string): [string, string] {
  return [join(folder, "opencode.jsonc"), join(folder, "opencode.json")];
}

/**
 * Where in a configuration the servers stand: `mcp.servers`, as OpenCode 2 has it, overrides `mcp`, which every version
 * reads. A server may itself be called "servers".
 */
export function opencodeSections(config: unknown): [readonly string[], ...(readonly string[])[]] {
  const mcp = isObject(config) ? config.mcp : undefined;
  const servers = isObject(mcp) ? mcp.servers : undefined;
  return isObject(servers) && !isServer(servers) ? [["mcp", "servers"], ["mcp"]] : [["mcp"]];
}

/** Whether what stands in `mcp` under a name is a server: OpenCode 2 has settings for all of them there. */
export function isOpencodeServer(name: string, value: unknown): boolean {
  return !["servers", "timeout"].includes(name) || isServer(value);
}

function isServer(value: unknown): boolean {
  return isObject(value) && ["type", "command", "url", "enabled"].some((key) => Object.hasOwn(value, key));
}

function usualFolder(at: AgentHomes): string {
  return join(xdgFolder(at), "opencode");
}
