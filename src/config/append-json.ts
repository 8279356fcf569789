import type * as Jsonc from "jsonc-parser";

/** How a list or an object is laid out, for what is put into it. */
export interface Layout {
  /** Whether it stands on one line. */
  readonly inline: boolean;
  readonly eol: string;
  /** What the lines of its items begin with. */
  readonly indent: string;
  /** One step to the right. */
  readonly step: string;
}

/**
 * Puts items after the last one of a list or an object in a JSON text, and after the comments that belong to that one.
 * Nothing else in the text changes. `spell` writes an item as it fits there.
 */
export function appendToJson<T>(
  text: string,
  { offset, length, children = [] }: Jsonc.Node,
  items: readonly T[],
  spell: (item: T, layout: Layout) => string,
  { stripComments }: typeof Jsonc,
): string {
  const close = offset + length - 1;
  const last = children.at(-1);
  const start = last ? last.offset + last.length : offset + 1;
  const tail = text.slice(start, close);
  const kept = tail.trimEnd();
  const hasComma = stripComments(kept).includes(",");
  const layout = layoutOf(text, { offset, close, last });
  const between = layout.inline ? " " : `${layout.eol}${layout.indent}`;
  const added = items.map((item) => spell(item, layout)).join(`,${between}`);
  const end = last ? tail.slice(kept.length) : `${layout.eol}${indentAt(text, offset)}`;
  const [before, after] = [last && !hasComma ? "," : "", hasComma ? "," : ""];
  return `${text.slice(0, start)}${before}${kept}${between}${added}${after}${end}${text.slice(close)}`;
}

interface Container {
  readonly offset: number;
  readonly close: number;
  readonly last: Jsonc.Node | undefined;
}

function layoutOf(text: string, { offset, close, last }: Container): Layout {
  const step = /^[ \t]+/m.exec(text)?.[0].startsWith("\t") ? "\t" : "  ";
  return {
    inline: last !== undefined && !text.slice(offset, close).includes("\n"),
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    indent: last ? indentAt(text, last.offset) : `${indentAt(text, offset)}${step}`,
    step,
  };
}

/** The white space at the beginning of the line. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
