import type { Hints } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";

/** Converts MCP tool annotations to hints. Fields of a wrong type are ignored. */
export function fromAnnotations(annotations: unknown): Hints {
  if (!isObject(annotations)) return {};
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof readOnlyHint === "boolean" ? { readOnly: readOnlyHint } : {}),
    ...(typeof destructiveHint === "boolean" ? { destructive: destructiveHint } : {}),
    ...(typeof idempotentHint === "boolean" ? { idempotent: idempotentHint } : {}),
    ...(typeof openWorldHint === "boolean" ? { openWorld: openWorldHint } : {}),
  };
}
