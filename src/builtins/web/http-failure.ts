import { ToolError } from "../../index.ts";
import type { FetchedPage } from "./fetch-page.ts";
import { htmlToText } from "./html-to-text.ts";
import { recogniseContent } from "./recognise-content.ts";

/** Only the beginning of an error page is converted. */
const BEGINNING = 65_536;
const ADVICE: Readonly<Record<number, string>> = {
  401: "It requires a login, and credentials are never sent. Find another source.",
  403: "Access is forbidden. Find another source.",
  404: "Check the address, or find the page through another one.",
  410: "The page was removed permanently. Find another source.",
  429: "The server limits requests. Wait before you try again.",
};

/** The error for a response with a failure status: the status, advice, and the beginning of the page. */
export async function httpFailure(page: FetchedPage, maxCharacters: number): Promise<ToolError> {
  const { url, status, statusText, retryAfter } = page;
  const advice = ADVICE[status] ?? (status >= 500 ? "The server failed. Try again later." : undefined);
  const wait = retryAfter && /^\d{1,9}$/.test(retryAfter) ? `It asks to wait ${retryAfter} seconds.` : undefined;
  const first = [`${url} answered ${`${status} ${statusText}`.trim()}.`, advice, wait].filter(Boolean).join(" ");
  const text = (await textOf(page)).trim();
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text;
  return new ToolError("failed", cut ? `${first}\n\n${cut}` : first, { data: { status, url } });
}

async function textOf({ body, contentType }: FetchedPage): Promise<string> {
  const content = await recogniseContent(body, contentType);
  if (content.kind !== "text") return "";
  return content.isHtml ? htmlToText(content.text.slice(0, BEGINNING)) : content.text;
}
