import { type CardOf, cardsIn } from "../own-card.ts";

/** The tools of Claude Code. */
export const claudeCard: CardOf = cardsIn({
  Bash: { kind: "command", command: "command" },
  Read: { kind: "file", path: "file_path", first: "offset", count: "limit" },
  Edit: { kind: "diff", path: "file_path", before: "old_string", after: "new_string" },
  MultiEdit: { kind: "diff", path: "file_path", edits: "edits", before: "old_string", after: "new_string" },
  Write: { kind: "diff", path: "file_path", after: "content" },
  Glob: { kind: "list", pattern: "pattern", path: "path" },
  Grep: { kind: "list", pattern: "pattern", path: "path" },
  LS: { kind: "list", path: "path" },
  TodoWrite: { kind: "todos", items: "todos" },
});
