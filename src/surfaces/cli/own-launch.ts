import { basename, dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Launch } from "../../agents/setup/agent.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import type { Globals } from "./args/command.ts";

/**
 * The command with which an agent starts our MCP server. It has absolute paths, because `node` on the agent's PATH may be too
 * old. `flags` are passed to `toolwright mcp`.
 */
export function ownLaunch(flags: readonly string[] = []): Launch {
  const beside = import.meta.url.endsWith(".ts") ? "./main.ts" : "./cli.mjs";
  return { command: process.execPath, args: [fileURLToPath(new URL(beside, import.meta.url)), "mcp", ...flags] };
}

/**
 * The words with which the user has started this program, for commands to copy. A Node that a package has installed is named
 * by its path, because the one on the user's PATH may be too old.
 */
export function ownCommand(script: string = process.argv[1] ?? "", node: string = process.execPath): string {
  if (!/^toolwright(?:\.\w+)?$/.test(basename(script)))
    return `${node.split(sep).includes("node_modules") ? shellWord(node) : "node"} ${shellWord(script)}`;
  return dirname(script).endsWith(`node_modules${sep}.bin`) ? "npx toolwright" : "toolwright";
}

/** The options with which another command, in any folder, finds the same tools. */
export function ownOptions({ cwd, trust, toolsPaths }: Omit<Globals, "json">): string {
  const paths = toolsPaths.flatMap(({ path }) => ["--tools-path", path]);
  return ["--cwd", cwd, ...paths, ...(trust ? ["--trust"] : [])].map((word) => shellWord(word)).join(" ");
}
