export { tool } from "./authoring/tool.ts";
export { ToolError } from "./core/error.ts";

import type { Toolbox, ToolboxOptions } from "./toolbox.ts";

/** Finds, checks and serves tools for a directory. Never rejects because of a tool file. */
export async function createToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const { openToolbox } = await import("./toolbox.ts");
  return openToolbox(options);
}
