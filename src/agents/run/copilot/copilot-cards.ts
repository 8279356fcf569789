import { type CardOf, cardsIn } from "../own-card.ts";

/** The tools of Copilot's runtime. */
export const copilotCard: CardOf = cardsIn({
  bash: { kind: "command", command: "command" },
  powershell: { kind: "command", command: "command" },
  view: { kind: "file", path: "path", range: "view_range" },
  edit: { kind: "diff", path: "path", before: "old_str", after: "new_str" },
  create: { kind: "diff", path: "path", after: "file_text" },
  apply_patch: { kind: "diff", patch: "patch" },
  glob: { kind: "list", pattern: "pattern", path: "path" },
  grep: { kind: "list", pattern: "pattern", path: "path" },
  rg: { kind: "list", pattern: "pattern", path: "path" },
  update_todo: { kind: "todos", items: "todos" },
});
