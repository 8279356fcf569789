// Looks into a JSON document by a dotted path, e.g. "scripts.test" or "files.0".
import type { ToolContext } from "toolwright";

export const description = "not a tool, only shares its text";

async function execute(this: { separator: string }, args: { json: string; path: string }, _context: ToolContext) {
  let value: unknown;
  try {
    value = JSON.parse(args.json);
  } catch (cause) {
    throw new Error("json does not parse", { cause });
  }
  for (const key of args.path.split(this.separator).filter(Boolean)) {
    if (typeof value !== "object" || value === null || !(key in value)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const tool = {
  separator: ".",
  description: "Get a value out of a JSON document. Nothing comes back when it is not there.",
  args: {
    json: { type: "string", description: "The document" },
    path: { type: "string", description: "Keys and indices, separated by dots" },
  },
  execute,
};

export default tool;
export { tool as jsonPath };
