import { textOf } from "../../../core/result.ts";
import type { LoggedResult } from "../../../core/session-log.ts";
import type { ChatTheme } from "../chat-theme.ts";
import { safeLine } from "../safe-text.ts";
import { BoundedText } from "./bounded-text.ts";
import { attachmentRow, inputText } from "./call-text.ts";
import { cutRow } from "./fit-lines.ts";

const COLLAPSED_LINES = 8;

/** The result of a call as plain rows. Only the first lines of its output are kept. */
export class CallResult {
  readonly #theme: ChatTheme;
  readonly #texts: readonly BoundedText[];
  readonly #attachments: readonly string[];
  readonly #failure: readonly string[];

  constructor(result: LoggedResult, theme: ChatTheme) {
    this.#theme = theme;
    const content = result.content ?? [];
    const text = textOf(content) || dataText(result);
    const message = result.ok ? "" : (result.error?.message ?? "The call failed.");
    // The text of a failed call often repeats its message.
    this.#texts = [
      ...(message === "" ? [] : [new BoundedText(message, { theme, style: theme.error })]),
      ...(text.trim() === "" || text === message ? [] : [new BoundedText(text, { theme, isOutput: true })]),
    ];
    this.#attachments = content.filter((part) => part.type !== "text").map(attachmentRow);
    this.#failure = failureLines(result);
  }

  rows(width: number, isExpanded: boolean): string[] {
    const texts = this.#texts.flatMap((text) =>
      isExpanded ? text.expanded(width) : text.collapsed(width, COLLAPSED_LINES),
    );
    const lines = [...(isExpanded ? this.#failure : []), ...this.#attachments];
    return [...texts, ...lines.map((line) => this.#theme.dim(cutRow(line, width, this.#theme)))];
  }
}

/** A result without content may still have data. */
function dataText({ ok, content = [], data }: LoggedResult): string {
  return ok && content.length === 0 && data !== undefined ? inputText(data) : "";
}

/** Where and why a tool has failed, for its author. */
function failureLines(result: LoggedResult): string[] {
  if (result.ok) return [];
  const { error, notes } = result;
  const lines = [
    `Code: ${error?.code}`,
    ...(notes?.thrownAt === undefined ? [] : [`Thrown at: ${notes.thrownAt}`]),
    ...(notes?.causes ?? []).map((cause) => `Cause: ${cause}`),
  ];
  return lines.map((line) => safeLine(line.slice(0, 1_000)));
}
