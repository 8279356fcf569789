import { decodeEntities } from "./entities.ts";
import { scanHtml } from "./scan-html.ts";

/** How far it is looked for. */
const HEAD = 262_144;

/** The title of a page, in one line; undefined when it has none. */
export function titleOf(html: string): string | undefined {
  for (const token of scanHtml(html.slice(0, HEAD))) {
    if (token.kind !== "raw" || token.name !== "title") continue;
    return decodeEntities(token.text).replace(/\s+/g, " ").trim() || undefined;
  }
  return undefined;
}
