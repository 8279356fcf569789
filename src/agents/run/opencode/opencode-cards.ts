import { isObject } from "../../../platform/values/is-object.ts";
import { type CardOf, cardsIn, MAX_CHANGES_SIZE } from "../own-card.ts";

/** The tools of OpenCode. Those that change a file report a unified diff. */
export const opencodeCard: CardOf = cardsIn({
  bash: { kind: "command", command: "command", directory: "workdir" },
  read: { kind: "file", path: "filePath", first: "offset", count: "limit" },
  edit: { kind: "diff", path: "filePath", before: "oldString", after: "newString", diff: "diff" },
  multiedit: { kind: "diff", path: "filePath", edits: "edits", before: "oldString", after: "newString" },
  write: { kind: "diff", path: "filePath", after: "content", diff: "diff" },
  patch: { kind: "diff", patch: "patchText", diff: "diff" },
  apply_patch: { kind: "diff", patch: "patchText", diff: "diff" },
  glob: { kind: "list", pattern: "pattern", path: "path" },
  grep: { kind: "list", pattern: "pattern", path: "path" },
  list: { kind: "list", path: "path" },
  todowrite: { kind: "todos", items: "todos" },
  todoread: { kind: "todos", items: "todos" },
});

/** The part of what a call reports that its card needs. */
export function opencodeData(metadata: unknown): { readonly data?: unknown } {
  const { diff, todos } = isObject(metadata) ? metadata : {};
  if (typeof diff === "string" && diff.length <= MAX_CHANGES_SIZE) return { data: { diff } };
  return Array.isArray(todos) ? { data: { todos } } : {};
}
