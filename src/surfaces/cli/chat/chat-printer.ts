import { isAllowable } from "../../../calls/failures.ts";
import type { Update } from "../../../core/events.ts";
import { textOf } from "../../../core/result.ts";
import type { DurableEvent, FollowedEvent } from "../../../core/session-log.ts";
import { printableJson } from "../../../platform/text/printable.ts";
import type { TurnResult } from "../../../sessions/turn.ts";
import type { Invocation } from "../args/command.ts";
import { printable, type Style, styled } from "../output/print.ts";
import { ProgressLines } from "../output/progress-lines.ts";
import { StatusLine } from "../output/status-line.ts";
import type { Output } from "../output/terminal.ts";
import { cut } from "../output/text-width.ts";
import { wrapped } from "../output/wrap.ts";

/** Prints the events of a turn. */
export interface ChatPrinter {
  print(event: FollowedEvent): void;
  /** Prints a sentence for the user. */
  notice(text: string): void;
  /** Prints what runs, while nothing is printed. */
  waiting(text: string): void;
  /** Prints how the turn ended. Called once, last. */
  end(result: TurnResult): void;
}

/** Events as lines of JSON, each with the id of the session. The last one says how the turn ended. Notices go to stderr. */
export function jsonPrinter({ terminal }: Invocation, sessionID: string): ChatPrinter {
  const { stdout, stderr } = terminal;
  const write = ({ type, ...event }: { readonly type: string }): void => {
    stdout.write(`${printableJson({ type, sessionID, ...event })}\n`);
  };
  let last: FollowedEvent | undefined;
  return {
    print: (event) => {
      if (isEnd(event)) last = event;
      else write(event);
    },
    notice: (text) => stderr.report(`${printable(text)}\n`),
    waiting: () => {},
    end: (result) => {
      const { text } = result;
      const aborted = result.ok && result.aborted ? { aborted: true } : {};
      const end = result.ok
        ? { type: "session.idle", text, ...aborted }
        : { type: "session.error", ...result.error, text };
      write({ ...(last?.type === end.type ? last : {}), ...end });
    },
  };
}

function isEnd({ type }: FollowedEvent): boolean {
  return type === "session.idle" || type === "session.error" || type === "session.interrupted";
}

type ToolEnd = DurableEvent & { readonly type: "tool.complete" | "tool.failed" };

/** The longest input of a call that is shown. */
const MAX_INPUT = 100;
/** The longest message of a failed call that is shown. The session has all of it. */
const MAX_MESSAGE = 500;

/** The model's text on stdout as it is streamed; calls, progress and notices on stderr. */
export class TextPrinter implements ChatPrinter {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #quiet: boolean;
  readonly #status: StatusLine;
  /** What has been printed of each unfinished message. */
  readonly #printed = new Map<string, string>();
  readonly #progress = new Map<string, ProgressLines>();
  readonly #refused = new Set<string>();
  /** Whether the last line on stdout has no end yet. */
  #isMidLine = false;

  constructor({ terminal: { stdout, stderr } }: Invocation, quiet: boolean) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#quiet = quiet;
    this.#status = new StatusLine(stderr);
  }

  print(event: FollowedEvent): void {
    switch (event.type) {
      case "message.delta":
        return this.#grow(event.messageID, event.text);
      case "session.partial":
        for (const { messageID, text } of event.messages) this.#complete(messageID, text);
        return;
      case "message.complete":
        this.#complete(event.messageID, textOf(event.content));
        this.#printed.delete(event.messageID);
        return this.#endLine();
      case "thinking.delta":
        return this.waiting("Thinking …");
      case "tool.start":
        return this.#report(`${event.tool} ${onOneLine(printableJson(event.input) ?? "", MAX_INPUT)}`, "call", "dim");
      case "tool.update":
        return this.#update(event.callID, event.tool, event);
      case "tool.complete":
      case "tool.failed":
        return this.#endCall(event);
    }
  }

  notice(text: string): void {
    this.#report(text, "note", "yellow");
  }

  waiting(text: string): void {
    if (this.#stderr.isTTY && !this.#quiet && !this.#isMidLine) this.#status.show(text);
  }

  end(result: TurnResult): void {
    for (const progress of this.#progress.values()) progress.end("");
    this.#status.clear();
    this.#endLine();
    if (result.ok) {
      if (result.aborted) this.#say("The turn was stopped.");
    } else this.#say(`${styled(this.#stderr, "red", "error:")} ${printable(result.error.message)}`);
    if (this.#refused.size === 0) return;
    const flags = [...this.#refused].map((tool) => `--allow ${tool}`).join(" ");
    this.#say(`Calls were refused, because with -p no person can be asked. To allow them, add: ${flags}`);
  }

  #say(text: string): void {
    this.#stderr.write(`${wrapped(text, this.#stderr.columns).join("\n")}\n`);
  }

  #grow(messageID: string, text: string): void {
    if (text === "") return;
    this.#status.clear();
    this.#printed.set(messageID, (this.#printed.get(messageID) ?? "") + text);
    this.#stdout.write(this.#stdout.isTTY ? printable(text) : text);
    this.#isMidLine = !text.endsWith("\n");
  }

  /** Prints what is missing of a message: its end, or all of it if it was not streamed. */
  #complete(messageID: string, text: string): void {
    const printed = this.#printed.get(messageID) ?? "";
    if (text.startsWith(printed)) this.#grow(messageID, text.slice(printed.length));
  }

  #endLine(): void {
    if (!this.#isMidLine) return;
    this.#stdout.write("\n");
    this.#isMidLine = false;
  }

  /** Prints a text that may be lost, after a label. */
  #report(text: string, label: string, style: Style): void {
    if (this.#quiet) return;
    this.#status.clear();
    // On a terminal, both outputs are on the same screen.
    if (this.#stdout.isTTY && this.#stderr.isTTY) this.#endLine();
    const line = `${styled(this.#stderr, style, `${label}:`)} ${printable(text)}`;
    this.#stderr.report(`${wrapped(line, this.#stderr.columns, "", "  ").join("\n")}\n`);
  }

  #update(callID: string, tool: string, update: Update): void {
    if (this.#quiet || this.#isMidLine) return;
    const progress = this.#progress.get(callID) ?? new ProgressLines(this.#status, this.#stderr.isTTY);
    this.#progress.set(callID, progress);
    const title = update.title === undefined ? tool : `${tool}: ${update.title}`;
    progress.add({ ...update, title });
  }

  #endCall({ callID, tool, result }: ToolEnd): void {
    this.#progress.get(callID)?.end(textOf(result.content));
    this.#progress.delete(callID);
    const seconds = `${(result.notes.durationMs / 1_000).toFixed(1)} s`;
    if (result.ok) return this.#report(`${tool} (${seconds})`, "done", "dim");
    if (isAllowable(result.error)) this.#refused.add(tool);
    const message = `${result.error.message}\n${textOf(result.content)}`;
    this.#report(`${tool}: ${onOneLine(message, MAX_MESSAGE)}`, "failed", "red");
  }
}

function onOneLine(text: string, columns: number): string {
  return cut(text.replace(/\s+/g, " ").trim(), columns);
}
