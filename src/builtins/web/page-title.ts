import { decodeEntities } from "./entities.ts";
import { scanHtml } from "./scan-html.ts";

/** How far it is looked for. */
const HEAD = 262_144;
/** A title that is longer is cut: it stands before the page, and must not take its place. */
const LONGEST = 300;

/** The title of a page, in one line; undefined when it has none. */
export function titleOf(html: string): string | undefined {
  for (const token of scanHtml(html.slice(0, HEAD))) {
    if (token.kind !== "raw" || token.name !== "title") continue;
    const title = decodeEntities(token.text).replace(/\s+/g, " ").trim();
    return (title.length > LONGEST ? `${title.slice(0, LONGEST).toWellFormed()}...` : title) || undefined;
  }
  return undefined;
}
