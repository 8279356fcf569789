import { isObject } from "../../platform/values/is-object.ts";

export interface TodoItem {
  readonly text: string;
  readonly state: "open" | "active" | "done" | "cancelled";
}

/** The words that agents use; others mean an open item. */
const STATES: ReadonlyMap<unknown, TodoItem["state"]> = new Map([
  ["completed", "done"],
  ["done", "done"],
  ["x", "done"],
  ["in_progress", "active"],
  ["in-progress", "active"],
  ["~", "active"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
]);

/** The items of a to-do list: objects, or lines of Markdown. Undefined if the value is neither. */
export function todoItems(value: unknown, textField = "content"): readonly TodoItem[] | undefined {
  if (typeof value === "string") return markdownItems(value);
  if (!Array.isArray(value)) return undefined;
  const items = value.flatMap((item): TodoItem[] => {
    const text = isObject(item) ? item[textField] : undefined;
    return typeof text === "string" ? [{ text, state: STATES.get(item.status) ?? "open" }] : [];
  });
  return items.length === value.length ? items : undefined;
}

function markdownItems(text: string): readonly TodoItem[] | undefined {
  const items = text.split("\n").flatMap((line): TodoItem[] => {
    const [, mark, item] = /^\s*[-*] \[(.)\] (.*)$/.exec(line) ?? [];
    return mark === undefined || item === undefined
      ? []
      : [{ text: item, state: STATES.get(mark.toLowerCase()) ?? "open" }];
  });
  return items.length === 0 ? undefined : items;
}
