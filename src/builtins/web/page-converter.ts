import { text } from "node:stream/consumers";
import { htmlToText } from "./html-to-text.ts";

/** The entry of the child process: converts the page on standard input to the format in its first argument. */
const [, , form, url = ""] = process.argv;
const html = await text(process.stdin);
process.stdout.write(form === "markdown" ? await asMarkdown() : htmlToText(html));

async function asMarkdown(): Promise<string> {
  const { htmlToMarkdown } = await import("./html-to-markdown.ts");
  return htmlToMarkdown(html, url);
}
