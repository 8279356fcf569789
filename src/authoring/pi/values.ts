import { homedir } from "node:os";
import { join } from "node:path";
import type { ToolDefinition } from "./extension-types.ts";

export { withFileMutationQueue } from "../../platform/files/file-queue.ts";
export { StringEnum } from "../string-enum.ts";
export * from "./atomic-values.ts";
export * from "./compaction.ts";
export { createEventBus } from "./event-bus.ts";
export { parseFrontmatter, stripFrontmatter } from "./frontmatter.ts";
export { Type } from "./lazy-typebox.ts";
export { logger } from "./logger.ts";
export * from "./pi-builtin-tools.ts";
export { type Unavailable, unavailable } from "./stand-in.ts";
export * from "./terminal-ui.ts";
export { generateDiffString, generateUnifiedPatch } from "./text-diff.ts";
export * from "./truncate-text.ts";

/** Returns its argument. It only adds types. */
export function defineTool<T extends ToolDefinition>(tool: T): T {
  return tool;
}

/** The version of pi whose API is reproduced. */
export const VERSION = "0.87.1";
export const CURRENT_SESSION_VERSION = 3;

export const CONFIG_DIR_NAME = ".pi";

/** The user folder of pi. */
export function getAgentDir(): string {
  const set = process.env.PI_CODING_AGENT_DIR;
  if (!set) return join(homedir(), CONFIG_DIR_NAME, "agent");
  return set === "~" || set.startsWith("~/") ? join(homedir(), set.slice(1)) : set;
}

/** A UUID of version 7, which sorts by time. */
export function uuidv7(timestampMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const time = timestampMs.toString(16).padStart(12, "0");
  const variant = (8 + ((bytes[8] ?? 0) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
