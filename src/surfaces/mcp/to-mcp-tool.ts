import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Hints, ShownTool } from "../../core/tool.ts";

/** Adds `type: "object"` to an input schema without it: clients reject the whole list otherwise. */
export function toMcpTool(
  { name, description, inputSchema, outputSchema }: ShownTool,
  hints: Hints,
  meta: McpTool["_meta"],
): McpTool {
  const schema = inputSchema.type === "object" ? inputSchema : { ...inputSchema, type: "object" };
  const annotations = toAnnotations(hints);
  return {
    name,
    ...(hints.title === undefined ? {} : { title: hints.title }),
    description,
    inputSchema: schema as McpTool["inputSchema"],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as NonNullable<McpTool["outputSchema"]> }),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function toAnnotations({
  title,
  readOnly,
  destructive,
  idempotent,
  openWorld,
}: Hints): NonNullable<McpTool["annotations"]> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  };
}
