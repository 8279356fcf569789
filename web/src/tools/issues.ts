import { isObject } from "../../../src/platform/values/is-object.ts";
import type { PlainResult } from "../../../src/surfaces/http/client/index.ts";

/** A mistake in the input that the server found. `path` is a JSON Pointer. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/** The mistakes of a call that was refused for its input. */
export function issuesOf(result: PlainResult): readonly InputIssue[] {
  const data = result.ok || result.error.code !== "invalid_input" ? undefined : result.error.data;
  const issues = isObject(data) && Array.isArray(data.issues) ? data.issues : [];
  return issues.filter(
    (issue): issue is InputIssue =>
      isObject(issue) && typeof issue.path === "string" && typeof issue.message === "string",
  );
}

/** The names and indexes of a JSON Pointer. */
export function pointerParts(pointer: string): readonly string[] {
  if (!pointer.startsWith("/")) return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
