import { setTimeout as sleep } from "node:timers/promises";
import { knownAgents } from "../../../agents/known-agents.ts";
import type { AgentErrorCode } from "../../../core/agent-error.ts";
import type { Turn, TurnResult } from "../../../sessions/turn.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { agentFor, permissionsOf, sayHowToResume, sendOptions, sessionToResume, warningsOf } from "../chat-options.ts";
import { type ChatPrinter, jsonPrinter, TextPrinter } from "../chat-printer.ts";
import { type Command, type Invocation, isSet, optionValue } from "../command.ts";
import { drained } from "../follow-session.ts";
import { interactiveChat } from "../interactive-chat.ts";
import { onInterrupt } from "../interrupt.ts";
import { isPiped, readStdin } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright chat`. */
export const chat: Command = {
  spec: {
    usage: 'toolwright chat [--agent NAME] [-p "PROMPT"] [options]',
    about: `Opens a chat with a coding agent, which works with its own tools and with yours. Type /help in it to list commands and
keys. The session is kept on disk: see "toolwright help sessions".

With -p, or if stdin or stdout is not a terminal, one prompt is sent (-p, else stdin). The text of the model goes to stdout,
calls and notices go to stderr. No person is asked: a call runs if a permission rule, --mode or --allow allows it, and is
refused otherwise. Reading in the project is allowed, unless a rule denies it.

"toolwright agents" lists the agents and what they need. The agent "demo" needs no
model and no key. Keys are read from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …).

With --json, each event is a line. The last one is {"type":"session.idle","sessionID","text"}, or "session.error" with
"code" and "message".

Exit code: 0 success, 1 the turn failed, 2 wrong usage or an agent that is not installed, 130 stopped with Ctrl-C.`,
    options: {
      agent: { type: "string", value: "NAME", help: 'The agent; by default "agents.default" of your settings' },
      prompt: { type: "string", short: "p", value: "TEXT", help: 'The prompt; "-" reads it from stdin' },
      resume: {
        type: "boolean",
        value: "ID",
        follows: /^[^-]/,
        help: "Continue a session; without ID, the last one of this directory",
      },
      model: { type: "string", value: "MODEL", help: "The model, as the agent names it" },
      "base-url": { type: "string", value: "URL", help: "The address of the model's API" },
      mode: { type: "string", value: "MODE", help: "Permission mode: default, acceptEdits, plan or bypass" },
      allow: { type: "string", multiple: true, value: "TOOL", help: "Allow a tool, or a wildcard (repeatable)" },
      builtins: { type: "boolean", value: "LIST", help: "Also give the agent our built-in tools, or those in LIST" },
      quiet: { type: "boolean", short: "q", help: "Print no calls, progress and notices" },
    },
    positionals: [0, Number.POSITIVE_INFINITY],
    examples: [
      "toolwright chat --agent claude",
      'toolwright chat --agent demo -p "Hello"',
      'toolwright chat --agent claude -p "Run the tests and fix them" --mode acceptEdits --allow claude:Bash',
      'toolwright chat --resume -p "Now commit it"',
      "toolwright chat --agent langchain --model openai:gpt-5 < prompt.md",
    ],
  },
  run: async (invocation) => {
    const permissions = permissionsOf(invocation);
    if (isInteractive(invocation)) return interactiveChat(invocation, permissions);
    const prompt = await readPrompt(invocation);
    const options = { agents: knownAgents, sessions: "disk", permissions } as const;
    return withToolbox(invocation, (toolbox) => converse(toolbox, prompt, invocation), options);
  },
};

/** Without a prompt, a person at a terminal types prompts. */
function isInteractive(invocation: Invocation): boolean {
  const { terminal, globals, positionals } = invocation;
  const isAsked = optionValue(invocation, "prompt") !== undefined || positionals.length > 0;
  return !isAsked && !globals.json && terminal.interactive && terminal.stdout.isTTY;
}

async function converse(toolbox: Toolbox, prompt: string, invocation: Invocation): Promise<number> {
  const resumed = await sessionToResume(toolbox, invocation);
  const agent = await agentFor(toolbox, resumed, invocation);
  const sessionID = resumed?.id ?? crypto.randomUUID();
  const { json } = invocation.globals;
  const quiet = isSet(invocation, "quiet");
  const printer = json ? jsonPrinter(invocation, sessionID) : new TextPrinter(invocation, quiet);
  if (!quiet) for (const text of warningsOf(toolbox, invocation)) printer.notice(text);
  const stopNotices = toolbox.on("notice", ({ message }) => quiet || printer.notice(message));
  const stopLog = toolbox.on("log", ({ text }) => quiet || json || printer.notice(text.trimEnd()));
  const turn = toolbox.sessions.send(sessionID, prompt, { agent, ...sendOptions(invocation) });
  try {
    const { result, code } = await follow(turn, toolbox, printer, invocation, agent);
    printer.end(result);
    if (!quiet && !json) sayHowToResume(sessionID, invocation);
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
  toolbox: Toolbox,
  printer: ChatPrinter,
  { terminal }: Invocation,
  agent: string,
): Promise<{ result: TurnResult; code: number }> {
  const { stdout } = terminal;
  let isInterrupted = false;
  const stopInterrupt = onInterrupt(
    () => {
      isInterrupted = true;
      printer.waiting("Stopping … (Ctrl-C again ends at once)");
      turn.abort();
      return turn.result;
    },
    () => Promise.race([toolbox.close(), sleep(CLOSE_MS)]),
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

/** Throws a `UsageError` if there is no prompt. */
async function readPrompt(invocation: Invocation): Promise<string> {
  const [first] = invocation.positionals;
  if (first !== undefined) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(first)}. Pass the prompt with -p: ${chat.spec.usage}`);
  }
  const option = optionValue(invocation, "prompt");
  if (option === undefined && !isPiped(invocation)) throw new UsageError(NO_PROMPT);
  const isStdin = option === undefined || option === "-";
  const text = isStdin ? await readStdin(invocation, "Waiting for the prompt on stdin.") : option;
  if (text.trim() === "") throw new UsageError(`The prompt${isStdin ? " on stdin" : ""} is empty.`);
  return text;
}

const NO_PROMPT = `Missing prompt. The interactive chat needs a terminal for input and output, and no --json. Pass a prompt:
toolwright chat -p "PROMPT", or pipe it to stdin.`;
