import { textOf } from "../../../src/core/result.ts";
import type { SessionItem } from "../../../src/sessions/log/session-item.ts";

const LINE = 20;
const CHARACTERS = 90;

/** The height of a row before it is drawn, in pixels. The better it is, the less the view moves while a person scrolls. */
export function estimateHeight(item: SessionItem | undefined): number {
  switch (item?.kind) {
    case "user":
      return 44 + textHeight(textOf(item.content));
    case "reply":
      return 24 + textHeight(item.text) + (item.thinking === "" ? 0 : 28);
    case "call":
      return item.state === "failed" || item.state === "unknown" ? 78 : 48;
    case "question":
      return item.state === "open" ? 260 : 34;
    case "end":
      return item.outcome === "completed" || item.outcome === "aborted" ? 40 : 120;
    default:
      return 48;
  }
}

function textHeight(text: string): number {
  const breaks = text.match(/\n/g)?.length ?? 0;
  return LINE * (1 + breaks + Math.floor(text.length / CHARACTERS));
}
