import type { ProcessResult } from "../../platform/processes/run-process.ts";
import type { SystemShell } from "./shell.ts";

interface CommandEnd extends Pick<ProcessResult, "code" | "signal" | "timedOut" | "leftRunning"> {
  /** Whether the call was stopped before the command ended: the call's error says why. */
  readonly stopped: boolean;
  readonly timeoutMs: number;
  /** Where the time limit comes from, as in "after 500 ms, …". */
  readonly limit: string;
  readonly mostMs: number;
  readonly shell: SystemShell["name"];
}

/** The line after the output that says how a command ended. Empty when it succeeded and had output. */
export function exitLine(output: { isEmpty: boolean; endsLine: boolean }, end: CommandEnd): string {
  const notes = [...(output.isEmpty ? ["no output"] : []), ...exitNotes(end), ...leftRunningNotes(end)];
  if (notes.length === 0) return "";
  return `${output.isEmpty || output.endsLine ? "" : "\n"}[${notes.join("; ")}]`;
}

function exitNotes({ code, signal, timedOut, stopped, timeoutMs, limit, mostMs, shell }: CommandEnd): string[] {
  if (timedOut) {
    const more = timeoutMs < mostMs ? `send a larger "timeout" (at most ${mostMs}), ` : "";
    return [
      `timed out after ${timeoutMs} ms, ${limit}, and was ended with all processes that it had started`,
      `${more}${more ? "or " : ""}start it in the background with its output in a file`,
    ];
  }
  if (stopped) return ["stopped before it ended"];
  if (code === null) return [`ended by signal ${signal}`];
  if (code === 0) return [];
  return [`exit code ${code}`, ...(shell === "bash" ? [] : [`run by ${shell}, since bash is not installed`])];
}

function leftRunningNotes({ leftRunning }: CommandEnd): string[] {
  if (!leftRunning) return [];
  return [
    "a process that it started is still running, and its further output is lost",
    "to see it, start it with its output in a file: command > out.log 2>&1 &",
  ];
}
