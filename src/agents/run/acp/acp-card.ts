import type { Card } from "../../../core/card.ts";
import { defined } from "../../../platform/values/defined.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { MAX_CHANGES_SIZE, textField } from "../own-card.ts";
import type { ToolCallFields } from "./acp-sdk.ts";

/** The protocol names kinds of calls, but no fields of their input: agents have their own words. */
const FIELDS = {
  command: ["command", "cmd"],
  path: ["path", "file_path", "filePath", "absolute_path", "dir_path"],
  pattern: ["pattern", "query", "regex"],
  before: ["old_string", "oldText", "old_str", "oldString"],
  after: ["new_string", "newText", "new_str", "newString", "content", "file_text"],
  patch: ["patch", "patchText"],
} as const;

/** The card of a call of an agent's own tool, by its kind. `input` is what is logged of the call. */
export function acpCard(kind: string | null | undefined, input: unknown): Card | undefined {
  const fields = isObject(input) ? input : {};
  const find = (names: readonly string[]): string | undefined => textField(fields, names);
  const path = find(FIELDS.path);
  switch (kind) {
    case "execute":
      // An agent that sends no input has the command in the title.
      return {
        kind: "command",
        command: Array.isArray(fields.command) ? "command" : (find(FIELDS.command) ?? "title"),
      };
    case "read":
      return { kind: "file", path: path ?? "title", first: "offset", count: "limit" };
    case "search": {
      const pattern = find(FIELDS.pattern) ?? (path === undefined ? "title" : undefined);
      return { kind: "list", ...defined({ pattern, path }) };
    }
    case "edit":
    case "delete":
    case "move": {
      const [before, after, patch] = [find(FIELDS.before), find(FIELDS.after), find(FIELDS.patch)];
      return { kind: "diff", ...defined({ path, before, after, patch }), changes: "changes" };
    }
    default:
      return undefined;
  }
}

/** The texts that a call has changed, for its card. */
export function acpChanges({ content }: ToolCallFields): { readonly changes: readonly object[] } | undefined {
  const changes = (content ?? []).flatMap((part) => {
    if (part.type !== "diff") return [];
    const { path, oldText, newText } = part;
    return [{ path, ...(typeof oldText === "string" ? { before: oldText } : {}), after: newText }];
  });
  const size = changes.reduce((sum, { before, after }) => sum + String(before ?? "").length + String(after).length, 0);
  return changes.length === 0 || size > MAX_CHANGES_SIZE ? undefined : { changes };
}
