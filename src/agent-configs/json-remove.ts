import type * as Jsonc from "jsonc-parser";

/** Takes a property out of a JSON text, with its comma and its lines. All comments around it stay. */
export function removeProperty(text: string, property: Jsonc.Node, jsonc: typeof Jsonc): string {
  const { offset, length, children = [] } = property.parent ?? property;
  const at = children.indexOf(property);
  const end = property.offset + property.length;
  const after = commaIn(text, end, children[at + 1]?.offset ?? text.length, jsonc);
  const cutEnd = after === undefined ? end : after + 1;
  const cutStart = startOfCut(text, property.offset, cutEnd, jsonc);
  const isOnly =
    children.length === 1 && isBlank(text.slice(offset + 1, cutStart), text.slice(cutEnd, offset + length - 1));
  if (isOnly) return `${text.slice(0, offset)}{}${text.slice(offset + length)}`;
  const before = children[at - 1];
  // The last one takes the comma before it along, unless the text has commas after last ones.
  const comma =
    before && after === undefined ? commaIn(text, before.offset + before.length, cutStart, jsonc) : undefined;
  const head = comma === undefined ? text.slice(0, cutStart) : text.slice(0, comma) + text.slice(comma + 1, cutStart);
  return head + text.slice(cutEnd);
}

function isBlank(...parts: readonly string[]): boolean {
  return parts.join("").trim() === "";
}

/** The first comma outside comments, up to the end of the object. */
function commaIn(text: string, from: number, to: number, { stripComments }: typeof Jsonc): number | undefined {
  const [between = ""] = stripComments(text.slice(from, to), " ").split("}");
  const found = between.indexOf(",");
  return found < 0 ? undefined : from + found;
}

/** The whole line goes where nothing else stands on it: what follows must not end up behind a comment. */
function startOfCut(text: string, start: number, end: number, { stripComments }: typeof Jsonc): number {
  const [rest = ""] = text.slice(end).split("\n");
  const white = stripComments(rest).trim() === "" ? /(?:\r?\n)?[ \t]*$/ : /[ \t]*$/;
  return start - (white.exec(text.slice(0, start))?.[0].length ?? 0);
}
