import type { Approver, Question } from "../../pipeline/permission-question.ts";
import { type Answer, SAID_NO } from "../../pipeline/permission-question.ts";
import type { Invocation } from "./command.ts";
import { printable } from "./print.ts";
import type { Terminal } from "./terminal.ts";

/** Whether a question may be asked at all: somebody is there, and no program reads the answer. */
export function canAsk({ terminal, globals }: Invocation): boolean {
  return terminal.interactive && !globals.json;
}

/** Asks on stderr; anything but a clear yes is a no. */
export async function askYesNo(terminal: Terminal, question: string, signal?: AbortSignal): Promise<boolean> {
  return /^y(?:es)?$/i.test(await askLine(terminal, question, signal));
}

/** Puts what must be asked to the person at the terminal, one question after another; undefined where nobody is. */
export function terminalApprover(invocation: Invocation): Approver | undefined {
  if (!canAsk(invocation)) return undefined;
  let turn: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = turn.then(async () => {
      const line = signal.aborted ? "" : await askLine(invocation.terminal, questionText(question), signal);
      return toAnswer(line, choicesOf(question));
    });
    turn = answer;
    return answer;
  };
}

/** The question as a person at a terminal reads it. */
export function questionText(question: Question): string {
  const { reason, request, rules, settingsFile } = question;
  const about = request?.patterns.length ? ` (${request.patterns.join(", ")})` : "";
  const written = rules.map((rule) => JSON.stringify(rule)).join(", ");
  const choices = choicesOf(question);
  const lines = [
    // One line, whatever is in it: lines of its own could pass for ours.
    `${reason}${about}`.replaceAll("\n", "\\n"),
    "  y  yes, this once",
    ...(choices.includes("session") ? ["  s  yes, as often as it asks in this run"] : []),
    ...(choices.includes("always") ? [`  a  always: adds ${written} to ${settingsFile}`] : []),
    "  n  no; a reason may be typed instead, and the model reads it",
    "Allow it?",
  ];
  return lines.join("\n");
}

/** What a typed line means. Anything but a clear yes is a no, and more than a no is its reason. */
export function toAnswer(line: string, choices: Question["choices"]): Answer {
  if (/^y(?:es)?$/i.test(line)) return { allowed: true };
  if (choices.includes("session") && /^s(?:ession)?$/i.test(line)) return { allowed: true, remember: "session" };
  if (choices.includes("always") && /^a(?:lways)?$/i.test(line)) return { allowed: true, remember: "always" };
  const reason = line.replace(/^no?(?![\p{L}\p{N}])[\s,.:;-]*/iu, "");
  if (reason === "") return { allowed: false, reason: SAID_NO };
  return { allowed: false, reason: `The user said: ${reason}${/[.!?]$/.test(reason) ? "" : "."}` };
}

/** This program ends with the call, and its session too: only what the call itself asks can come again. */
function choicesOf({ choices, request }: Question): Question["choices"] {
  return request ? choices : choices.filter((choice) => choice !== "session");
}

/** The line that is typed, without the white space around it; empty where nobody types any. */
async function askLine(terminal: Terminal, question: string, signal?: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: terminal.stdin, output: process.stderr });
  // Ctrl-C at the question is for the whole program, as it is everywhere else.
  reader.on("SIGINT", () => {
    process.kill(process.pid, "SIGINT");
    reader.close();
  });
  const closed = new Promise<string>((resolve) => reader.on("close", () => resolve("")));
  try {
    const answer = reader.question(`${printable(question)} [y/N] `, signal ? { signal } : {});
    return (await Promise.race([answer, closed])).trim();
  } catch {
    return "";
  } finally {
    reader.close();
  }
}
