import type { Card } from "../../core/card.ts";
import { type Check, isText, optional, union } from "./checks.ts";

const isName: Check = (value) => typeof value === "string" && value !== "" && value.length <= 200;
const mayName = optional(isName);

/** Whether a value from a tool file, an agent or a log is a card. */
export const isCard: Check = union<"kind", Card>("kind", {
  command: { kind: isText, command: isName, directory: mayName },
  file: { kind: isText, path: isName, first: mayName, count: mayName, last: mayName, range: mayName },
  diff: {
    kind: isText,
    path: mayName,
    before: mayName,
    after: mayName,
    edits: mayName,
    patch: mayName,
    diff: mayName,
    changes: mayName,
  },
  list: { kind: isText, pattern: mayName, path: mayName },
  todos: { kind: isText, items: isName, text: mayName },
});
