import { createRequire } from "node:module";
import type { ToolDefinition } from "./extension-types.ts";
import { lazyValue } from "./lazy-value.ts";

export { withFileMutationQueue } from "../../files/file-queue.ts";
export { CONFIG_DIR_NAME, getAgentDir } from "./agent-dir.ts";
export * from "./component-themes.ts";
export { DynamicBorder } from "./dynamic-border.ts";
export { createEventBus } from "./event-bus.ts";
export { parseFrontmatter, stripFrontmatter } from "./frontmatter.ts";
export { keyHint, keyText, rawKeyHint } from "./key-hints.ts";
export { logger } from "./logger.ts";
export {
  createBashTool,
  createBashToolDefinition,
  createCodingTools,
  createEditTool,
  createEditToolDefinition,
  createFindTool,
  createFindToolDefinition,
  createGrepTool,
  createGrepToolDefinition,
  createLsTool,
  createLsToolDefinition,
  createPowerShellTool,
  createPowerShellToolDefinition,
  createReadOnlyTools,
  createReadTool,
  createReadToolDefinition,
  createWriteTool,
  createWriteToolDefinition,
} from "./own-tools.ts";
export { StringEnum } from "./string-enum.ts";
export * from "./tool-events.ts";
export * from "./truncate-text.ts";
export * from "./unavailable.ts";
export { uuidv7 } from "./uuid.ts";

const require = createRequire(import.meta.url);

/** TypeBox, loaded on its first use. */
export const Type: typeof import("typebox").Type = lazyValue(
  () => (require("typebox") as typeof import("typebox")).Type,
);

/** Gives back the definition it is given: it is there for the types. */
export function defineTool<T extends ToolDefinition>(tool: T): T {
  return tool;
}

/** The version of pi whose API this is. */
export const VERSION = "0.87.1";
export const CURRENT_SESSION_VERSION = 3;

export const DEFAULT_COMPACTION_SETTINGS: { enabled: boolean; reserveTokens: number; keepRecentTokens: number } = {
  enabled: true,
  reserveTokens: 16384,
  keepRecentTokens: 20000,
};
