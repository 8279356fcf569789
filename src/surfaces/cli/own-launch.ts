import { fileURLToPath } from "node:url";
import type { Launch } from "../../agent-configs/agent.ts";

/**
 * The command with which an agent starts our MCP server. It has absolute paths, because `node` on the agent's PATH may be too
 * old. `flags` are passed to `toolwright mcp`.
 */
export function ownLaunch(flags: readonly string[] = []): Launch {
  const beside = import.meta.url.endsWith(".ts") ? "./main.ts" : "./cli.mjs";
  return { command: process.execPath, args: [fileURLToPath(new URL(beside, import.meta.url)), "mcp", ...flags] };
}
