import { describe, expect, it } from "vitest";
import { ALLOWABLE } from "../../../calls/failures.ts";
import type { FollowedEvent } from "../../../core/session-log.ts";
import type { TurnResult } from "../../../sessions/turn.ts";
import type { Invocation } from "../args/command.ts";
import type { Output } from "../output/terminal.ts";
import { jsonPrinter, TextPrinter } from "./chat-printer.ts";

const DONE: TurnResult = { ok: true, text: "x", usage: {} };

/** What is printed on each output. `both` has both, in order. */
function outputs(isTTY: boolean): { invocation: Invocation; said: { stdout: string; stderr: string; both: string } } {
  const said = { stdout: "", stderr: "", both: "" };
  const output = (name: "stdout" | "stderr"): Output => {
    const write = (text: string): void => {
      said[name] += text;
      said.both += text;
    };
    return { isTTY, columns: undefined, colour: false, unread: 0, isClosed: false, write, report: write };
  };
  return { said, invocation: { terminal: { stdout: output("stdout"), stderr: output("stderr") } } as Invocation };
}

function printed(
  events: readonly object[],
  { isTTY = false, quiet = false, result = DONE }: { isTTY?: boolean; quiet?: boolean; result?: TurnResult } = {},
): { stdout: string; stderr: string; both: string } {
  const { invocation, said } = outputs(isTTY);
  const printer = new TextPrinter(invocation, quiet);
  for (const event of events) printer.print(event as FollowedEvent);
  printer.end(result);
  return said;
}

const delta = (messageID: string, text: string): object => ({ type: "message.delta", messageID, text });
const complete = (messageID: string, text: string): object => ({
  type: "message.complete",
  messageID,
  content: text === "" ? [] : [{ type: "text", text }],
});
const call = { callID: "c", tool: "lint", messageID: "m", agent: "demo" };
const started = { type: "tool.start", ...call, input: { path: "a\nb" } };
const failed = (message: string, data?: object): object => ({
  type: "tool.failed",
  ...call,
  result: { ok: false, content: [], error: { code: "denied", message, data }, notes: { durationMs: 1_234 } },
});

describe("[U2] the text of a turn", () => {
  it.each<[string, readonly object[], string]>([
    ["streamed", [delta("m", "Hel"), delta("m", "lo"), complete("m", "Hello")], "Hello\n"],
    ["not streamed", [complete("m", "Hello")], "Hello\n"],
    ["streamed in part", [delta("m", "Hel"), complete("m", "Hello")], "Hello\n"],
    ["with a line break at its end", [delta("m", "Hello\n"), complete("m", "Hello\n")], "Hello\n"],
    ["streamed differently from its end", [delta("m", "Hullo"), complete("m", "Hello")], "Hullo\n"],
    ["without an end", [delta("m", "Hel")], "Hel\n"],
    ["of messages without text", [complete("m", ""), complete("n", "")], ""],
    [
      "of two messages",
      [delta("m", "One"), complete("m", "One"), delta("n", "Two"), complete("n", "Two")],
      "One\nTwo\n",
    ],
    [
      "that a reader joins late",
      [
        { type: "session.partial", messages: [{ messageID: "m", text: "Hel", thinking: "" }], calls: [] },
        delta("m", "lo"),
        complete("m", "Hello"),
      ],
      "Hello\n",
    ],
    [
      "of which a slow reader has missed a part",
      [
        delta("m", "He"),
        { type: "session.partial", messages: [{ messageID: "m", text: "Hello t", thinking: "" }], calls: [] },
        delta("m", "here"),
        complete("m", "Hello there"),
      ],
      "Hello there\n",
    ],
  ])("[U2] %s", (_, events, text) => {
    expect(printed(events)).toEqual({ stdout: text, stderr: "", both: text });
  });

  it("[X1] cannot control a terminal, and is unchanged in a pipe", () => {
    const events = [delta("m", "\x1b[2J\x07"), complete("m", "\x1b[2J\x07")];
    expect(printed(events, { isTTY: true }).stdout).toBe("\\x1b[2J\\x07\n");
    expect(printed(events).stdout).toBe("\x1b[2J\x07\n");
  });

  it("[U2] is not mixed with the lines about calls on a terminal, and has no added line break in a pipe", () => {
    const events = [delta("m", "Let me"), started, failed("No."), delta("m", " see"), complete("m", "Let me see")];
    expect(printed(events, { isTTY: true }).both).toBe(
      'Let me\ncall: lint {"path":"a\\nb"}\nfailed: lint: No.\n see\n',
    );
    expect(printed(events).stdout).toBe("Let me see\n");
  });
});

describe("[U2] the end of a turn", () => {
  const refused = '"lint" was not allowed to run. No person can be asked here, so it was refused.';

  it("[U2] says which calls could be allowed, each once", () => {
    const events = [1, 2].flatMap(() => [started, failed(`${refused} Find another way, or tell the user.`, ALLOWABLE)]);
    expect(printed(events).stderr).toMatch(
      /\nCalls were refused, because with -p no person can be asked\. To allow them, add: --allow lint\n$/,
    );
    const other = [started, failed(`${refused} To allow it, the user can add {} to "permissions" in /x.`)];
    expect(printed(other).stderr).not.toContain("To allow them");
  });

  it("[U2] prints errors also if it is quiet, but no calls", () => {
    const result: TurnResult = { ok: false, text: "", error: { code: "unauthorized", message: "Wrong \x1b key." } };
    expect(printed([started, failed("No.")], { quiet: true, result }).both).toBe("error: Wrong \\x1b key.\n");
    expect(printed([], { result: { ...DONE, aborted: true } }).stderr).toBe("The turn was stopped.\n");
  });

  it("[U2] is one event in JSON, the last, whatever the log has", () => {
    const ended = (events: readonly object[], result: TurnResult): unknown[] => {
      const { invocation, said } = outputs(false);
      const printer = jsonPrinter(invocation, "s");
      for (const event of events) printer.print(event as FollowedEvent);
      printer.notice("A notice.");
      printer.end(result);
      expect(said.stderr).toBe("A notice.\n");
      return said.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const error = { code: "no_answer", message: "No answer." } as const;
    expect(ended([], DONE)).toEqual([{ type: "session.idle", sessionID: "s", text: "x" }]);
    expect(ended([{ type: "session.idle", position: 4 }], { ...DONE, text: "", aborted: true })).toEqual([
      { type: "session.idle", sessionID: "s", position: 4, text: "", aborted: true },
    ]);
    expect(ended([{ type: "session.error", position: 4, ...error }], { ok: false, text: "", error })).toEqual([
      { type: "session.error", sessionID: "s", position: 4, ...error, text: "" },
    ]);
    const interrupted = { type: "session.interrupted", position: 4, reason: "x", calls: [], questions: [] };
    expect(ended([interrupted], { ok: false, text: "a", error })).toEqual([
      { type: "session.error", sessionID: "s", ...error, text: "a" },
    ]);
  });
});
