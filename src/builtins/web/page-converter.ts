import { text } from "node:stream/consumers";
import { htmlToText } from "./html-to-text.ts";

/** The entry of the process that turns one page, from its standard input, into what its first argument says. */
const [, , form, url = ""] = process.argv;
const html = await text(process.stdin);
process.stdout.write(form === "markdown" ? await asMarkdown() : htmlToText(html));

async function asMarkdown(): Promise<string> {
  const { htmlToMarkdown } = await import("./html-to-markdown.ts");
  return htmlToMarkdown(html, url);
}
