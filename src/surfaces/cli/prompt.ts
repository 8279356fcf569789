import type { Approver, Question } from "../../calls/permission-question.ts";
import { type Answer, saidNo } from "../../calls/permission-question.ts";
import type { Invocation } from "./args/command.ts";
import { printable } from "./output/print.ts";
import type { Terminal } from "./output/terminal.ts";

/** Whether a question can be asked: on a terminal, without `--json`. */
export function canAsk({ terminal, globals }: Invocation): boolean {
  return terminal.interactive && !globals.json;
}

/** Asks on stderr. Everything except "y" and "yes" is a no. */
export async function askYesNo(terminal: Terminal, question: string, signal?: AbortSignal): Promise<boolean> {
  return /^y(?:es)?$/i.test(await askLine(terminal, question, signal));
}

/**
 * Asks the user at the terminal, one question at a time; undefined without a terminal. `sessionID` is a session that lasts
 * longer than the command.
 */
export function terminalApprover(invocation: Invocation, sessionID?: string): Approver | undefined {
  if (!canAsk(invocation)) return undefined;
  let turn: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = turn.then(async () => {
      const line = signal.aborted ? "" : await askLine(invocation.terminal, questionText(question, sessionID), signal);
      return toAnswer(line, question.choices);
    });
    turn = answer;
    return answer;
  };
}

/** The question as a person at a terminal reads it. */
export function questionText(question: Question, sessionID?: string): string {
  const { reason, request, rules, settingsFile, choices } = question;
  const about = request?.patterns.length ? ` (${request.patterns.join(", ")})` : "";
  const written = rules.map((rule) => JSON.stringify(rule)).join(", ");
  const lines = [
    // On one line: a line break in the text could imitate the lines below.
    `${reason}${about}`.replaceAll("\n", "\\n"),
    "  y  yes, this once",
    ...(choices.includes("session") ? [`  s  yes, for this session (${sessionID ?? question.sessionID})`] : []),
    ...(choices.includes("always") ? [`  a  always: adds ${written} to ${settingsFile}`] : []),
    "  n  no, or type a reason for the model",
    "Allow it?",
  ];
  return lines.join("\n");
}

/** The answer in a typed line. Everything except a clear yes is a no; any other text is its reason. */
export function toAnswer(line: string, choices: Question["choices"]): Answer {
  if (/^y(?:es)?$/i.test(line)) return { allowed: true };
  if (choices.includes("session") && /^s(?:ession)?$/i.test(line)) return { allowed: true, remember: "session" };
  if (choices.includes("always") && /^a(?:lways)?$/i.test(line)) return { allowed: true, remember: "always" };
  const reason = line.replace(/^no?(?![\p{L}\p{N}])[\s,.:;-]*/iu, "");
  return { allowed: false, reason: saidNo(reason) };
}

/** The typed answer, trimmed; empty if the input ends. */
async function askLine(terminal: Terminal, question: string, signal?: AbortSignal): Promise<string> {
  return (await readLine(terminal, `${printable(question)} [y/N] `, signal)) ?? "";
}

/** Shows a text on stderr, and reads a line, trimmed. Undefined if the input ends or the signal fires. */
export async function readLine(terminal: Terminal, shown: string, signal?: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: terminal.stdin, output: process.stderr });
  // Ctrl-C at the question interrupts the program.
  reader.on("SIGINT", () => {
    process.kill(process.pid, "SIGINT");
    reader.close();
  });
  const closed = new Promise<undefined>((resolve) => reader.on("close", () => resolve(undefined)));
  try {
    const answer = reader.question(shown, signal ? { signal } : {});
    return (await Promise.race([answer, closed]))?.trim();
  } catch {
    return undefined;
  } finally {
    reader.close();
  }
}
