import { type Component, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { Usage } from "../../core/session-log.ts";
import type { ChatTheme } from "./chat-theme.ts";
import { safeLine } from "./safe-text.ts";

export interface Status {
  readonly agent: string;
  readonly model: string | undefined;
  readonly mode: string;
  readonly title: string | undefined;
  readonly usage: Usage;
  /** Texts that tool files show with `ui.setStatus()`. */
  readonly ofTools: readonly string[];
}

/** The last lines of the screen: agent, model, mode and title; tokens and cost, as far as they are known. */
export class ChatStatusLine implements Component {
  readonly #theme: ChatTheme;
  readonly #status: () => Status;

  constructor(theme: ChatTheme, status: () => Status) {
    this.#theme = theme;
    this.#status = status;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const status = this.#status();
    const { agent, model, mode, title, ofTools } = status;
    const left = [agent === "" ? "no agent" : agent, model ?? status.usage.model, mode, title]
      .filter((part) => part !== undefined && part !== "")
      .map((part) => safeLine(part ?? ""))
      .join(" · ");
    const right = usageText(status.usage);
    const room = width - visibleWidth(right) - 2;
    const isWide = right !== "" && room >= 12;
    const text = truncateToWidth(left, isWide ? room : width, "…");
    const gap = " ".repeat(Math.max(1, width - visibleWidth(text) - visibleWidth(right)));
    const first = isWide ? `${text}${gap}${right}` : text;
    const lines = [first, ...(ofTools.length > 0 ? [ofTools.map(safeLine).join(" · ")] : [])];
    return lines.map((line) => this.#theme.dim(truncateToWidth(line, width, "…")));
  }
}

/** Tokens and cost, such as "12.3k in · 820 out · $0.0412"; empty if nothing is known. */
export function usageText({ inputTokens, outputTokens, costUsd }: Usage): string {
  return [
    inputTokens === undefined ? undefined : `${short(inputTokens)} in`,
    outputTokens === undefined ? undefined : `${short(outputTokens)} out`,
    costUsd === undefined ? undefined : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

function short(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
