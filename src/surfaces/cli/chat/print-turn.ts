import type { AgentErrorCode } from "../../../core/agent-error.ts";
import type { Mode } from "../../../core/permission-mode.ts";
import { defined } from "../../../platform/values/defined.ts";
import { within } from "../../../platform/waiting/within.ts";
import type { Turn, TurnResult } from "../../../sessions/turn.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Invocation, isSet } from "../args/command.ts";
import { drained } from "../follow-session.ts";
import { onInterrupt } from "../interrupt.ts";
import { sendOptions } from "./chat-options.ts";
import { type ChatPrinter, jsonPrinter, TextPrinter } from "./chat-printer.ts";

/** A prompt to send, and to whom. */
interface PromptToSend {
  readonly sessionID: string;
  readonly prompt: string;
  readonly agent: string;
  /** The mode to choose for the session. */
  readonly mode?: Mode;
  /** What the user should know before the turn. */
  readonly warnings?: readonly string[];
}

/** Runs one turn and prints it: the text of the model to stdout, the rest to stderr. Resolves to the exit code. */
export async function printTurn(
  toolbox: Toolbox,
  { sessionID, prompt, agent, mode, warnings = [] }: PromptToSend,
  invocation: Invocation,
): Promise<number> {
  const { json } = invocation.globals;
  const quiet = isSet(invocation, "quiet");
  const printer = json ? jsonPrinter(invocation, sessionID) : new TextPrinter(invocation, quiet);
  if (!quiet) for (const text of warnings) printer.notice(text);
  const stopNotices = toolbox.on("notice", ({ message }) => quiet || printer.notice(message));
  const stopLog = toolbox.on("log", ({ text }) => quiet || json || printer.notice(text.trimEnd()));
  const turn = toolbox.sessions.send(sessionID, prompt, { agent, ...defined({ mode }), ...sendOptions(invocation) });
  try {
    const { result, code } = await follow(turn, printer, invocation.terminal, { toolbox, agent });
    printer.end(result);
    return code;
  } finally {
    stopNotices();
    stopLog();
  }
}

/** How long the toolbox may take to close after a second Ctrl-C. */
const CLOSE_MS = 1_000;
/** After this time without an event, a line says what is waited for. */
const SILENT_MS = 1_000;

async function follow(
  turn: Turn,
  printer: ChatPrinter,
  { stdout }: Invocation["terminal"],
  { toolbox, agent }: { readonly toolbox: Toolbox; readonly agent: string },
): Promise<{ result: TurnResult; code: number }> {
  let isInterrupted = false;
  const stopInterrupt = onInterrupt(
    () => {
      isInterrupted = true;
      printer.waiting("Stopping … (Ctrl-C again ends at once)");
      turn.abort();
      return turn.result;
    },
    () => within(CLOSE_MS, toolbox.close()),
  );
  const timer = setTimeout(() => printer.waiting(`Waiting for ${agent} …`), SILENT_MS);
  try {
    for await (const event of turn) {
      if (event.type !== "message.user" && event.type !== "state.set") clearTimeout(timer);
      await drained(stdout);
      printer.print(event);
      // Without a reader, the turn would go on unseen.
      if (stdout.isClosed) turn.abort();
    }
    const result = await turn.result;
    return { result, code: isInterrupted ? 130 : exitCode(result) };
  } finally {
    clearTimeout(timer);
    stopInterrupt();
  }
}

/** Failures that the command line or the installation is the reason for. */
const WRONG_USE: ReadonlySet<string> = new Set<AgentErrorCode>(["unknown_agent", "not_installed", "unsupported"]);

function exitCode(result: TurnResult): number {
  if (result.ok) return result.aborted ? 1 : 0;
  return WRONG_USE.has(result.error.code) ? 2 : 1;
}
