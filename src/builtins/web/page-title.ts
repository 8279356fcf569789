import { tokenizeHtml } from "./tokenize-html.ts";

/** The title is searched for in this many characters from the beginning. */
const HEAD = 262_144;
const MAX_CHARACTERS = 300;

/** The title of a page, in one line; undefined when it has none. */
export function titleOf(html: string): string | undefined {
  let text: string | undefined;
  tokenizeHtml(html.slice(0, HEAD), {
    open(name) {
      if (name === "title") text = "";
    },
    close: (name) => name !== "title",
    text(part) {
      if (text !== undefined) text += part;
    },
  });
  const title = text?.replace(/\s+/g, " ").trim() || undefined;
  return title && title.length > MAX_CHARACTERS ? `${title.slice(0, MAX_CHARACTERS).toWellFormed()}...` : title;
}
