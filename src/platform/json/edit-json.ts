import type * as Jsonc from "jsonc-parser";
import { jsoncParser } from "./parse-json.ts";

/**
 * Sets the value at a path in a JSON text, and creates the objects on the way. The index -1 appends to a list. All other text,
 * comments included, stays byte for byte. `oneLine` writes the value on one line.
 */
export function setJsonValue(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
  { oneLine = false }: { readonly oneLine?: boolean } = {},
): string {
  const jsonc = jsoncParser();
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  if (!rootOf(text, jsonc)) {
    return setJsonValue(`${text}${/[^\n]$/.test(text) ? eol : ""}{}${eol}`, path, value, { oneLine });
  }
  const [edit] = jsonc.modify(text, [...path], value, {});
  if (!edit) return text;
  if (edit.length === 0) return inserted(text, edit, { eol, oneLine }, jsonc);
  const old = text.slice(edit.offset, edit.offset + edit.length);
  const wasOneLine = old.length > 2 && !old.includes("\n");
  return formatted(jsonc.applyEdits(text, [edit]), edit.offset, edit.content, { eol, oneLine: wasOneLine });
}

/**
 * Removes a property, or an item of a list, from a JSON text, with its comma and its line. `modify` would remove the comments
 * around it as well.
 */
export function removeJsonValue(text: string, path: readonly (string | number)[]): string {
  const jsonc = jsoncParser();
  const root = rootOf(text, jsonc);
  const found = root && jsonc.findNodeAtLocation(root, [...path]);
  const item = found?.parent?.type === "property" ? found.parent : found;
  const container = item?.parent;
  if (!item || !container?.children) return text;
  const end = endOf(item);
  const { comma } = afterItem(text, end, jsonc);
  const cutEnd = comma === undefined ? end : comma + 1;
  const start = startOfCut(text, item.offset, cutEnd, jsonc);
  const isOnly = container.children.length === 1;
  if (isOnly && `${text.slice(container.offset + 1, start)}${text.slice(cutEnd, endOf(container) - 1)}`.trim() === "") {
    const content = container.type === "array" ? "[]" : "{}";
    return jsonc.applyEdits(text, [{ offset: container.offset, length: container.length, content }]);
  }
  const previous = container.children[container.children.indexOf(item) - 1];
  const commaBefore = previous && comma === undefined ? afterItem(text, endOf(previous), jsonc).comma : undefined;
  return jsonc.applyEdits(text, [
    ...(commaBefore === undefined ? [] : [{ offset: commaBefore, length: 1, content: "" }]),
    { offset: start, length: cutEnd - start, content: "" },
  ]);
}

interface Layout {
  readonly eol: string;
  readonly oneLine: boolean;
}

/** `modify` inserts right after the last item, before its comment; this inserts after the comment. */
function inserted(text: string, { offset, content }: Jsonc.Edit, layout: Layout, jsonc: typeof Jsonc): string {
  const isFirst = !content.startsWith(",");
  const { comma, end, close } = afterItem(text, offset, jsonc);
  const isOneLine = !text.slice(offset, close).includes("\n");
  const item = `${isFirst ? content : content.slice(1)}${comma === undefined ? "" : ","}`;
  const oneLine = isOneLine && !isFirst;
  const added = oneLine ? ` ${item}` : `${layout.eol}${item}${isOneLine ? layout.eol : ""}`;
  const before = `${text.slice(0, offset)}${isFirst || comma !== undefined ? "" : ","}${text.slice(offset, end)}`;
  const changed = `${before}${added}${text.slice(end)}`;
  return formatted(changed, before.length, added, { ...layout, oneLine: oneLine || layout.oneLine });
}

/** Lays out `part`, which begins at `offset`, with the indentation of the text. */
function formatted(text: string, offset: number, part: string, layout: Layout): string {
  const jsonc = jsoncParser();
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const insertSpaces = !indent.startsWith("\t");
  const options = {
    eol: layout.eol,
    keepLines: layout.oneLine,
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
  };
  return jsonc.applyEdits(text, jsonc.format(text, { offset, length: part.length }, options));
}

interface AfterItem {
  readonly comma: number | undefined;
  /** The end of the comma and of the comments that follow the item. */
  readonly end: number;
  /** The next bracket or item. */
  readonly close: number;
}

function afterItem(text: string, offset: number, jsonc: typeof Jsonc): AfterItem {
  // Constants of the library's `SyntaxKind`, which exists only as a type.
  const [COMMA, LINE_COMMENT, BLOCK_COMMENT, LINE_BREAK, TRIVIA] = [5, 12, 13, 14, 15];
  const scanner = jsonc.createScanner(text, false);
  scanner.setPosition(offset);
  let comma: number | undefined;
  let end = offset;
  for (;;) {
    const kind: number = scanner.scan();
    const start = scanner.getTokenOffset();
    if (kind === COMMA && comma === undefined) comma = start;
    else if (kind !== LINE_COMMENT && kind !== BLOCK_COMMENT) {
      if (kind === LINE_BREAK || kind === TRIVIA) continue;
      return { comma, end, close: start };
    }
    end = start + scanner.getTokenLength();
  }
}

/** The line break before the property belongs to the cut if nothing but a comment follows the property on its line. */
function startOfCut(text: string, start: number, end: number, { stripComments }: typeof Jsonc): number {
  const [rest = ""] = text.slice(end).split("\n", 1);
  const space = stripComments(rest).trim() === "" ? /(?:\r?\n)?[ \t]*$/ : /[ \t]*$/;
  return start - (space.exec(text.slice(0, start))?.[0].length ?? 0);
}

function endOf({ offset, length }: Jsonc.Node): number {
  return offset + length;
}

function rootOf(text: string, { parseTree }: typeof Jsonc): Jsonc.Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
}
