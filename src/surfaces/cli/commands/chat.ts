import { knownAgents } from "../../../agents/run/known-agents.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Command, type Invocation, isSet, optionValue } from "../args/command.ts";
import { isPiped, readStdin } from "../args/read-input.ts";
import { UsageError } from "../args/usage-error.ts";
import { permissionFlags, sayHowToResume, sessionToResume, warningsOf } from "../chat/chat-options.ts";
import { agentFor } from "../chat/chosen-agent.ts";
import { interactiveChat } from "../chat/interactive-chat.ts";
import { lineChat } from "../chat/line-chat.ts";
import { printTurn } from "../chat/print-turn.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright chat`. */
export const chat: Command = {
  spec: {
    usage: 'toolwright chat [--agent NAME] [-p "PROMPT"] [options]',
    about: `Opens a chat with a coding agent, which works with its own tools and with yours. Type /help in it to list commands and
keys. The session is kept on disk: see "toolwright help sessions".

With -p, or if stdin or stdout is not a terminal, one prompt is sent (-p, else stdin). The text of the model goes to stdout,
calls and notices go to stderr. No person is asked: a call runs if a permission rule, --mode or --allow allows it, and is
refused otherwise. Reading in the project is allowed, unless a rule denies it. With --resume, a mode that was chosen for the
session applies only if it is stricter, and only without --mode.

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
      tools: { type: "string", multiple: true, value: "LIST", help: "Show the model only these of our tools" },
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
    const permissions = permissionFlags(invocation);
    // A dumb terminal cannot move the cursor.
    const open = invocation.terminal.env.TERM === "dumb" ? lineChat : interactiveChat;
    if (isInteractive(invocation)) return open(invocation, permissions);
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
  const code = await printTurn(
    toolbox,
    { sessionID, prompt, agent, warnings: warningsOf(toolbox, invocation) },
    invocation,
  );
  if (!isSet(invocation, "quiet") && !invocation.globals.json) sayHowToResume(sessionID, invocation);
  return code;
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

const NO_PROMPT =
  'Missing prompt. The interactive chat needs a terminal for input and output, and no --json. Pass a prompt: toolwright chat -p "PROMPT", or pipe it to stdin.';
