import type { SessionInfo, StoredEvent } from "../../core/session-log.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { printableJson } from "../../platform/text/printable.ts";
import { markdownHeader, markdownItem } from "./markdown-transcript.ts";
import { Transcript } from "./transcript.ts";

export type ExportFormat = "jsonl" | "markdown";

/** Events that are in memory at the same time. If they are large, a store reads fewer. */
const PAGE = 200;
/** The size of a part, at least. */
const PART = 64_000;

/**
 * The text of a session in parts, of which only one is in memory. "jsonl" is one stored event per line. Events that are added
 * meanwhile are not part of it.
 */
export async function* exportSession(
  store: SessionStore,
  info: SessionInfo,
  format: ExportFormat,
): AsyncGenerator<string> {
  let text = format === "markdown" ? markdownHeader(info) : "";
  const transcript = new Transcript();
  const toText = (event: StoredEvent): string =>
    format === "jsonl" ? `${printableJson(event)}\n` : markdownItem(transcript.item(event));
  for await (const events of pagesOf(store, info.id, { after: 0, last: info.position })) {
    for (const event of events) {
      text += toText(event);
      if (text.length < PART) continue;
      yield text;
      text = "";
    }
  }
  if (text !== "") yield text;
}

/** Events of a session as one Markdown text, with the header if they begin with the first event. */
export function markdownOf(info: SessionInfo, events: readonly StoredEvent[]): string {
  const transcript = new Transcript();
  const items = events.map((event) => markdownItem(transcript.item(event)));
  return [...(events[0]?.position === 1 ? [markdownHeader(info)] : []), ...items].join("");
}

/** The stored events after one position, up to another, in pages. */
export async function* pagesOf(
  store: SessionStore,
  sessionID: string,
  { after, last }: { readonly after: number; readonly last: number },
): AsyncGenerator<readonly StoredEvent[]> {
  let position = after;
  while (position < last) {
    const events = await store.read(sessionID, position, Math.min(PAGE, last - position));
    const end = events.at(-1);
    if (end === undefined) return;
    yield events;
    position = end.position;
  }
}
