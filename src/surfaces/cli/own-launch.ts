import { fileURLToPath } from "node:url";
import type { Launch } from "../../agent-configs/agent.ts";

/**
 * How another program starts our MCP server: by whole paths, since what its PATH calls `node` may be too old.
 * `flags` go to `toolwright mcp`.
 */
export function ownLaunch(flags: readonly string[] = []): Launch {
  const beside = import.meta.url.endsWith(".ts") ? "./main.ts" : "./cli.mjs";
  return { command: process.execPath, args: [fileURLToPath(new URL(beside, import.meta.url)), "mcp", ...flags] };
}
