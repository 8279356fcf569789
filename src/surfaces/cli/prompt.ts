import type { Approver } from "../../pipeline/permit.ts";
import type { Invocation } from "./command.ts";
import { printable } from "./print.ts";
import type { Terminal } from "./terminal.ts";

/** Whether a question may be asked at all: somebody is there, and no program reads the answer. */
export function canAsk({ terminal, globals }: Invocation): boolean {
  return terminal.interactive && !globals.json;
}

/** Asks on stderr; anything but a clear yes is a no. */
export async function askYesNo(terminal: Terminal, question: string, signal?: AbortSignal): Promise<boolean> {
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
    return /^\s*y(?:es)?\s*$/i.test(await Promise.race([answer, closed]));
  } catch {
    return false;
  } finally {
    reader.close();
  }
}

/** Puts what must be asked to the person at the terminal; undefined where nobody is. */
export function terminalApprover(invocation: Invocation): Approver | undefined {
  if (!canAsk(invocation)) return undefined;
  return async ({ reason, request }, signal) => {
    const about = request?.patterns.length ? ` (${request.patterns.join(", ")})` : "";
    const yes = await askYesNo(invocation.terminal, `${reason}${about}\nAllow it?`, signal);
    return yes ? { allowed: true } : { allowed: false, reason: "The user said no." };
  };
}
