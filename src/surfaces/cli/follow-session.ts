import { setTimeout as sleep } from "node:timers/promises";
import type { FollowedEvent, LiveEvent, PartialEvent } from "../../core/session-log.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { printableJson } from "../../platform/text/printable.ts";
import { followLog } from "../../sessions/follow-log.ts";
import { Transcript } from "../../sessions/transcript/transcript.ts";
import { type Invocation, isSet } from "./args/command.ts";
import { StatusLine } from "./output/status-line.ts";
import type { Output } from "./output/terminal.ts";
import { itemLines } from "./session-lines.ts";

/**
 * Prints the events of a session after a position as they occur, up to `limit` stored ones. Ends when the signal fires or
 * the output is closed.
 */
export async function followSession(
  store: SessionStore,
  sessionID: string,
  { after, limit, signal }: { readonly after: number; readonly limit: number; readonly signal: AbortSignal },
  invocation: Invocation,
): Promise<void> {
  const { stdout } = invocation.terminal;
  const printer = invocation.globals.json ? jsonPrinter(stdout) : textPrinter(invocation);
  let printed = 0;
  try {
    for await (const event of followLog(store, sessionID, after, { signal })) {
      await drained(stdout, signal);
      printer.print(event);
      if (stdout.isClosed) return;
      if (!("position" in event)) continue;
      printed += 1;
      if (printed === limit) return;
    }
  } finally {
    printer.end();
  }
}

/** Waits while the output is not read, so that it does not fill the memory. */
export async function drained(output: Output, signal?: AbortSignal): Promise<void> {
  while (output.unread > MAX_UNREAD && !output.isClosed && !signal?.aborted) await sleep(WAIT_MS);
}

const MAX_UNREAD = 1_000_000;
const WAIT_MS = 20;

interface Printer {
  print(event: FollowedEvent): void;
  end(): void;
}

function jsonPrinter(stdout: Output): Printer {
  return { print: (event) => stdout.write(`${printableJson(event)}\n`), end: () => {} };
}

function textPrinter(invocation: Invocation): Printer {
  const { stdout, stderr } = invocation.terminal;
  const transcript = new Transcript();
  const status = new StatusLine(stderr);
  const full = isSet(invocation, "full");
  const texts = new Map<string, string>();
  return {
    print: (event) => {
      if ("position" in event) {
        status.clear();
        if (event.type === "message.complete") texts.delete(event.messageID);
        stdout.write(`${itemLines(transcript.item(event), stdout, full).join("\n")}\n`);
      } else if (stderr.isTTY) status.show(liveText(event, texts));
    },
    end: () => status.clear(),
  };
}

/** The end of a streamed text that is kept. */
const MAX_TEXT = 200;

/** What is being streamed, on one line. `texts` holds the end of each unfinished message. */
function liveText(event: LiveEvent | PartialEvent, texts: Map<string, string>): string {
  if (event.type === "tool.update") return callText(event);
  if (event.type === "session.partial") {
    for (const { messageID, text } of event.messages) texts.set(messageID, text.slice(-MAX_TEXT));
    const [call] = event.calls;
    if (call) return callText(call);
    return `Model: ${lastLine(event.messages.at(-1)?.text ?? "")}`;
  }
  if (event.type === "thinking.delta") return "Model is thinking …";
  const text = `${texts.get(event.messageID) ?? ""}${event.text}`.slice(-MAX_TEXT);
  texts.set(event.messageID, text);
  return `Model: ${lastLine(text)}`;
}

function callText({ tool, title }: PartialEvent["calls"][number]): string {
  return title === undefined ? tool : `${tool}: ${title}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.slice(-60) ?? "";
}
