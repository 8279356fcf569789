import { ownFile } from "./own-files.ts";

/** Names under which tool files import `tool()`. */
const AUTHOR_DOOR = new Set(["toolwright", "@atomic/plugin", "@opencode-ai/plugin", "@opencode-ai/plugin/tool"]);

/** Packages that a tool file may import with nothing installed: they come with this one. */
const BUNDLED = ["zod", "typebox", "@sinclair/typebox", "@oxc-project/runtime"];

/**
 * What an import means when the file's own folder does not have it: a file of ours, or a name to resolve from our
 * own package. Undefined for every other name.
 */
export function aliasOf(specifier: string): { file: string } | { bundled: string } | undefined {
  if (AUTHOR_DOOR.has(specifier)) return { file: ownFile("index") };
  if (BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return { bundled: specifier };
  return undefined;
}
