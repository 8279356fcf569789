import { MODE_NAMES, type Mode, modeNamed } from "../../../core/permission-mode.ts";
import type { SessionInfo } from "../../../core/session-log.ts";
import { printable } from "../../../platform/text/printable.ts";
import { shellWord } from "../../../platform/text/shell-word.ts";
import { matchText } from "../../../platform/text/wildcard.ts";
import { defined } from "../../../platform/values/defined.ts";
import type { SendOptions } from "../../../sessions/turn.ts";
import type { Rule } from "../../../settings/permissions/rule.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Invocation, optionValue } from "../args/command.ts";
import { builtinsWanted, toolLists } from "../args/tool-names.ts";
import { didYouMean, UsageError } from "../args/usage-error.ts";
import { missingTools } from "../missing-tools.ts";
import { namedSession } from "../named-session.ts";

/** The session of `--resume`. Throws a `UsageError` if there is none. */
export async function sessionToResume(
  toolbox: Toolbox,
  { values, globals }: Invocation,
): Promise<SessionInfo | undefined> {
  const { resume } = values;
  if (resume === undefined) return undefined;
  const store = await toolbox.sessions.store();
  if (typeof resume === "string") return namedSession(store, resume);
  const { sessions } = await store.list({ limit: 1_000 });
  const last = sessions.find(({ directory, agent, parent }) => directory === globals.cwd && agent && !parent);
  if (last) return last;
  throw new UsageError(
    "No session with an agent was begun in this directory. To list those of the project: toolwright sessions",
    "session_not_found",
  );
}

/** How the turns of this command run. Throws a `UsageError`. */
export function sendOptions(invocation: Invocation): SendOptions {
  const { builtins } = invocation.values;
  const model = optionValue(invocation, "model");
  const baseUrl = readUrl(invocation);
  const tools = toolLists(invocation, "tools");
  return {
    ...(tools.length > 0 ? { tools } : {}),
    ...defined({ model, baseUrl }),
    ...(builtins === undefined ? {} : { builtins: builtinsWanted(builtins) }),
  };
}

function readUrl(invocation: Invocation): string | undefined {
  const text = optionValue(invocation, "base-url");
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new UsageError(`--base-url takes an http or https URL, not ${JSON.stringify(text)}.`);
}

/** The permissions of one command. */
export interface PermissionFlags {
  readonly mode?: Mode;
  readonly rules: readonly Rule[];
}

/** The mode and the rules of the options. Throws a `UsageError`. */
export function permissionFlags(invocation: Invocation): PermissionFlags {
  // Read here, so that wrong options are reported before the prompt is read.
  sendOptions(invocation);
  const text = optionValue(invocation, "mode");
  const mode = modeNamed(text);
  if (text !== undefined && mode === undefined) {
    const hint = didYouMean(text, MODE_NAMES, `Use one of ${MODE_NAMES.join(", ")}.`);
    throw new UsageError(`There is no mode ${JSON.stringify(text)}. ${hint}`);
  }
  const rules = allowed(invocation).map((tool) => ({ tool, action: "allow" }) as const);
  return { rules, ...defined({ mode }) };
}

function allowed({ values }: Invocation): readonly string[] {
  return Array.isArray(values.allow) ? values.allow : [];
}

/** What the user should know before the turn: why tools are missing, and mistyped names. */
export function warningsOf(toolbox: Toolbox, invocation: Invocation): string[] {
  const names = toolbox.list().map(({ name }) => name);
  const unknown = (option: string, patterns: readonly string[]): string[] =>
    patterns
      // The tools of an agent, such as "claude:Bash", are not known here.
      .filter((pattern) => !pattern.includes(":") && !names.some((name) => matchText(pattern, name)))
      .map((pattern) => `--${option}: no tool is called "${pattern}". ${hint(pattern)}`);
  const hint = (pattern: string): string => didYouMean(pattern, names, "To list the tools: toolwright list");
  return [
    ...missingTools(toolbox),
    ...unknown("allow", allowed(invocation)),
    ...unknown("tools", toolLists(invocation, "tools")),
  ];
}

/** Prints the command that continues a session. */
export function sayHowToResume(
  sessionID: string,
  { terminal, globals, values }: Invocation,
  isInteractive = false,
): void {
  const url = typeof values["base-url"] === "string" ? ` --base-url ${shellWord(values["base-url"])}` : "";
  const cwd = globals.cwd === terminal.cwd ? "" : ` --cwd ${shellWord(globals.cwd)}`;
  const prompt = isInteractive ? "" : ' -p "…"';
  const command = `toolwright chat --resume ${shellWord(sessionID)}${url}${cwd}${prompt}`;
  terminal.stderr.report(`To continue: ${printable(command)}\n`);
}
