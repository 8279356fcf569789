import { setTimeout as sleep } from "node:timers/promises";
import { knownAgents } from "../../../agents/known-agents.ts";
import { AgentError, type AgentErrorCode } from "../../../core/agent-error.ts";
import type { SessionInfo } from "../../../core/session-log.ts";
import { shellWord } from "../../../core/shell-word.ts";
import { matchText } from "../../../core/wildcard.ts";
import type { SendOptions, Turn, TurnResult } from "../../../sessions/turn.ts";
import { agentContext } from "../../../toolbox/agent-context.ts";
import type { RunPermissions, Toolbox } from "../../../toolbox/toolbox.ts";
import { type ChatPrinter, jsonPrinter, TextPrinter } from "../chat-printer.ts";
import { type Command, type Invocation, isSet, optionValue } from "../command.ts";
import { drained } from "../follow-session.ts";
import { onInterrupt } from "../interrupt.ts";
import { missingTools } from "../missing-tools.ts";
import { isPiped, readStdin } from "../read-input.ts";
import { builtinsWanted } from "../tool-names.ts";
import { didYouMean, UsageError } from "../usage-error.ts";
import { requireSession } from "../with-session-store.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright chat`. */
export const chat: Command = {
  spec: {
    usage: 'toolwright chat --agent NAME -p "PROMPT" [options]',
    about: `Sends a prompt to a coding agent, which works on it with its own tools and with yours. The text of the model goes to
stdout, calls and notices go to stderr. The session is kept on disk: see "toolwright help sessions".

No person is asked: a call runs if a permission rule, --mode or --allow allows it, and is refused otherwise. Reading in the
project is allowed, unless a rule denies it.

Without -p, the prompt is read from stdin. "toolwright agents" lists the agents and what they need. The agent "demo" needs no
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
      'toolwright chat --agent demo -p "Hello"',
      'toolwright chat --agent claude -p "Run the tests and fix them" --mode acceptEdits --allow claude:Bash',
      'toolwright chat --resume -p "Now commit it"',
      "toolwright chat --agent langchain --model openai:gpt-5 < prompt.md",
    ],
  },
  run: async (invocation) => {
    const permissions = permissionsOf(invocation);
    const prompt = await readPrompt(invocation);
    const options = { agents: knownAgents, sessions: "disk", permissions } as const;
    return withToolbox(invocation, (toolbox) => converse(toolbox, prompt, invocation), options);
  },
};

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

const NO_PROMPT =
  'Missing prompt. There is no interactive chat yet. Pass a prompt: toolwright chat -p "PROMPT", or pipe it to stdin.';

/** The session of `--resume`. Throws a `UsageError` if there is none. */
async function sessionToResume(toolbox: Toolbox, { values, globals }: Invocation): Promise<SessionInfo | undefined> {
  const { resume } = values;
  if (resume === undefined) return undefined;
  const store = await toolbox.sessions.store();
  if (typeof resume === "string") return requireSession(store, resume);
  const { sessions } = await store.list({ limit: 1_000 });
  const last = sessions.find(({ directory, agent, parent }) => directory === globals.cwd && agent && !parent);
  if (last) return last;
  throw new UsageError(
    "No session with an agent was begun in this directory. To list those of the project: toolwright sessions",
    "session_not_found",
  );
}

/** The name of the agent. Throws a `UsageError` if there is no such agent. */
async function agentFor(
  { project }: Toolbox,
  resumed: SessionInfo | undefined,
  invocation: Invocation,
): Promise<string> {
  const name = optionValue(invocation, "agent") ?? resumed?.agent ?? project.settings.agents.default;
  const context = agentContext(project, invocation.terminal.env);
  if (name === undefined) {
    const names = knownAgents.names(context).join(", ");
    throw new UsageError(
      `No agent is named. Add --agent NAME, or set "agents": { "default": "NAME" } in your settings. Agents: ${names}.`,
      "unknown_agent",
    );
  }
  try {
    await knownAgents.create(name, context);
  } catch (error) {
    if (AgentError.is(error) && error.code === "unknown_agent") throw new UsageError(error.message, error.code);
  }
  return name;
}

function sendOptions(invocation: Invocation): SendOptions {
  const { builtins } = invocation.values;
  const model = optionValue(invocation, "model");
  const baseUrl = readUrl(invocation);
  return {
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(builtins === undefined ? {} : { builtins: builtinsWanted(builtins) }),
  };
}

function readUrl(invocation: Invocation): string | undefined {
  const text = optionValue(invocation, "base-url");
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new UsageError(`--base-url takes an http or https URL, not ${JSON.stringify(text)}.`);
}

const MODES: readonly NonNullable<RunPermissions["mode"]>[] = ["default", "acceptEdits", "plan", "bypass"];

function permissionsOf(invocation: Invocation): RunPermissions {
  // Read here, so that wrong options are reported before the prompt is read.
  sendOptions(invocation);
  const text = optionValue(invocation, "mode");
  const mode = MODES.find((each) => each === text);
  if (text !== undefined && mode === undefined) {
    const hint = didYouMean(text, MODES, `Use one of ${MODES.join(", ")}.`);
    throw new UsageError(`There is no mode ${JSON.stringify(text)}. ${hint}`);
  }
  const rules = allowed(invocation).map((tool) => ({ tool, action: "allow" }) as const);
  return { rules, ...(mode === undefined ? {} : { mode }) };
}

function allowed({ values }: Invocation): readonly string[] {
  return Array.isArray(values.allow) ? values.allow : [];
}

/** What the user should know before the turn: why tools are missing, and mistyped names. */
function warningsOf(toolbox: Toolbox, invocation: Invocation): string[] {
  const names = toolbox.list().map(({ name }) => name);
  const unknown = allowed(invocation).filter(
    // The tools of an agent, such as "claude:Bash", are not known here.
    (pattern) => !pattern.includes(":") && !names.some((name) => matchText(pattern, name)),
  );
  const hint = (pattern: string): string => didYouMean(pattern, names, "To list the tools: toolwright list");
  return [
    ...missingTools(toolbox),
    ...unknown.map((pattern) => `--allow: no tool is called "${pattern}". ${hint(pattern)}`),
  ];
}

function sayHowToResume(sessionID: string, { terminal, values }: Invocation): void {
  const url = typeof values["base-url"] === "string" ? ` --base-url ${shellWord(values["base-url"])}` : "";
  const command = `toolwright chat --resume ${shellWord(sessionID)}${url} -p "…"`;
  terminal.stderr.report(`To continue: ${command}\n`);
}
