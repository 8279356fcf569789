import type { Card, CommandCard, FileCard, ListCard, TodosCard } from "../../core/card.ts";
import type { FileDiff } from "../../platform/text/line-diff.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { CallFields, type ViewedCall } from "./call-fields.ts";
import { changedFiles, diffTitle } from "./diff-view.ts";
import { type TodoItem, todoItems } from "./todo-items.ts";

/** What people are shown of a call, as plain data. Its texts are not safe, and of any size. */
export type CallView = CallParts & {
  /** One line: what the call is about. */
  readonly title: string;
  /** The fields of the input that the view does not show. */
  readonly rest: Readonly<Record<string, unknown>>;
};

type CallParts =
  | { readonly kind: "command"; readonly command: string }
  /** The lines of the file are the result. */
  | { readonly kind: "file" }
  | { readonly kind: "diff"; readonly files: readonly FileDiff[] }
  /** The entries are the result. */
  | { readonly kind: "list" }
  | { readonly kind: "todos"; readonly items: readonly TodoItem[] };

type Viewed = CallParts & Pick<CallView, "title">;

const MAX_TITLE = 1_000;

/**
 * The view of a call whose tool declares a card. Undefined if it declares none, or if the call does not have the fields of its card:
 * the call is then shown as data. Paths in `directory` are shortened.
 */
export function callView(call: ViewedCall, directory?: string): CallView | undefined {
  const { card, input } = call;
  if (!isObject(card) || !isObject(input)) return undefined;
  const fields = new CallFields(call, input, directory);
  // A log may have been written by another version.
  const viewed = tryOrUndefined(() => viewOf(card as unknown as Card, fields));
  return viewed && { ...viewed, title: viewed.title.slice(0, MAX_TITLE), rest: fields.rest };
}

/** Whether the text of a result that is ok adds nothing for most readers. */
export function replacesResult(view: CallView): boolean {
  if (view.kind === "diff") return view.files.some(({ lines }) => lines.length > 0);
  return view.kind === "todos" && view.items.length > 0;
}

function viewOf(card: Card, fields: CallFields): Viewed | undefined {
  switch (card.kind) {
    case "command":
      return commandView(card, fields);
    case "file":
      return fileView(card, fields);
    case "diff": {
      const files = changedFiles(card, fields);
      return files && { kind: "diff", files, title: diffTitle(files) };
    }
    case "list":
      return listView(card, fields);
    case "todos":
      return todosView(card, fields);
    default:
      return undefined;
  }
}

function commandView(card: CommandCard, fields: CallFields): Viewed | undefined {
  const command = fields.text(card.command) ?? fields.texts(card.command)?.join(" ");
  if (command === undefined) return undefined;
  const directory = fields.text(card.directory);
  const where = directory === undefined ? "" : `${fields.shortPath(directory)} `;
  const [line = "", ...more] = command.trim().split("\n", 2);
  return { kind: "command", command, title: `${where}$ ${line}${more.length > 0 ? " …" : ""}` };
}

function fileView(card: FileCard, fields: CallFields): Viewed | undefined {
  const path = fields.text(card.path);
  return path === undefined ? undefined : { kind: "file", title: `${fields.shortPath(path)}${linesOf(card, fields)}` };
}

function linesOf(card: FileCard, fields: CallFields): string {
  const [from, to] = fields.numbers(card.range) ?? [];
  const first = from ?? fields.number(card.first);
  const count = fields.number(card.count);
  const last = to ?? fields.number(card.last) ?? (count === undefined ? undefined : (first ?? 1) + count - 1);
  if (first === undefined && last === undefined) return "";
  // Agents write -1 for the end of the file.
  return last === undefined || last < 0 ? `, from line ${first ?? 1}` : `:${first ?? 1}-${last}`;
}

function listView(card: ListCard, fields: CallFields): Viewed | undefined {
  const [pattern, path] = [fields.text(card.pattern), fields.text(card.path)];
  if (card.pattern !== undefined && pattern === undefined) return undefined;
  const where = path === undefined || path === "" ? undefined : fields.shortPath(path);
  const title = pattern === undefined ? (where ?? ".") : [`"${pattern}"`, ...(where ? [where] : [])].join(" in ");
  return { kind: "list", title };
}

function todosView(card: TodosCard, fields: CallFields): Viewed | undefined {
  const items = todoItems(fields.value(card.items) ?? fields.resultValue(card.items), card.text);
  if (!items) return undefined;
  const done = items.filter(({ state }) => state === "done").length;
  return { kind: "todos", items, title: items.length === 0 ? "no items" : `${done} of ${items.length} done` };
}
