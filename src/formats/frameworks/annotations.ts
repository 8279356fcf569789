import type { Hints } from "../../core/tool.ts";

/** MCP's annotations of a tool, as hints. What is not of the right kind is left out: it is only advice. */
export function fromAnnotations(annotations: unknown): Hints {
  if (typeof annotations !== "object" || annotations === null) return {};
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations as Record<
    string,
    unknown
  >;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof readOnlyHint === "boolean" ? { readOnly: readOnlyHint } : {}),
    ...(typeof destructiveHint === "boolean" ? { destructive: destructiveHint } : {}),
    ...(typeof idempotentHint === "boolean" ? { idempotent: idempotentHint } : {}),
    ...(typeof openWorldHint === "boolean" ? { openWorld: openWorldHint } : {}),
  };
}
