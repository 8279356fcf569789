import { isDeepStrictEqual } from "node:util";
import { applyAgreed, type Planner } from "../../agents/setup/apply-plan.ts";
import { isLink } from "../../agents/setup/config-file.ts";
import type { Plan } from "../../agents/setup/plan.ts";
import type { ConfigTarget } from "../../agents/setup/target.ts";
import { messageOf } from "../../core/error.ts";
import { resolveLinks } from "../../platform/files/real-path.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { type Invocation, isSet } from "./args/command.ts";
import { indented, printable, printJson } from "./output/print.ts";
import { askYesNo, canAsk } from "./prompt.ts";

/** The result for one config file, as `--json` prints it. */
interface Outcome {
  readonly agent: string;
  readonly level: string;
  readonly file: string;
  readonly does: "add" | "update" | "replace" | "remove" | "nothing";
  /** Whether the config file is now as requested. */
  readonly done: boolean;
  readonly command?: readonly string[];
  readonly backup?: string;
  readonly next?: readonly string[];
  readonly error?: { readonly message: string };
}

/** The texts in which `install` and `uninstall` differ. */
interface Wording {
  readonly question: string;
  readonly done: string;
  /** The message if nothing has to change. */
  readonly nothing: (target: ConfigTarget) => string;
  /** The command that the agent will start; absent for `uninstall`. */
  readonly command?: (target: ConfigTarget) => readonly string[];
  readonly next: (target: ConfigTarget) => readonly string[];
}

/** The levels in messages. */
export const LEVELS = { user: "for all projects", project: "for this project" } as const;

/** Shows each change, asks for confirmation on a terminal, makes the change and reports. A failure does not stop the others. */
export async function configureAgents(
  targets: readonly ConfigTarget[],
  plan: Planner,
  wording: Wording,
  invocation: Invocation,
): Promise<number> {
  const outcomes: Outcome[] = [];
  const say = linePrinter(invocation);
  for (const target of targets) {
    if (outcomes.length > 0) say("");
    outcomes.push(await configure(target, plan, wording, invocation));
  }
  const dryRun = isSet(invocation, "dry-run");
  if (dryRun && outcomes.some(({ does }) => does !== "nothing")) say("\nDry run: nothing was written.");
  if (invocation.globals.json) printJson(invocation.terminal, { dryRun, agents: outcomes });
  return outcomes.every(({ done, error }) => !error && (done || dryRun)) ? 0 : 1;
}

async function configure(
  target: ConfigTarget,
  planFor: Planner,
  wording: Wording,
  invocation: Invocation,
): Promise<Outcome> {
  const plan = planFor(target);
  const { agent, level, file } = target;
  const command = wording.command?.(target);
  const base = { agent: agent.id, level, file, ...(command ? { command } : {}) };
  if (plan.kind === "refused") return failed(base, "nothing", plan.problem, invocation);
  const say = linePrinter(invocation);
  say(`${agent.name}, ${LEVELS[level]}: ${shownFile(file)}`);
  if (plan.kind === "done") {
    for (const line of indented(wording.nothing(target), "  ", invocation.terminal.stdout.columns)) say(line);
    return { ...base, does: "nothing", done: true };
  }
  showChange(plan, command, say);
  if (isSet(invocation, "dry-run")) return { ...base, does: plan.does, done: false };
  const answer = await consent(wording.question, invocation);
  if (answer.agreed) return carryOut({ target, plan, planFor, base, remark: answer.remark }, wording, invocation);
  say(`  ${answer.remark}`);
  return { ...base, does: plan.does, done: false };
}

interface Agreed {
  readonly target: ConfigTarget;
  readonly plan: Change;
  readonly planFor: Planner;
  readonly base: OutcomeBase;
  /** Added to the message of success. */
  readonly remark: string;
}

async function carryOut(agreed: Agreed, wording: Wording, invocation: Invocation): Promise<Outcome> {
  const { target, plan, planFor, base, remark } = agreed;
  const { does } = plan;
  try {
    const { backup } = await applyAgreed(target, plan, planFor);
    const next = wording.next(target);
    const say = linePrinter(invocation);
    say(`  ${wording.done}${remark}`);
    if (backup !== undefined) say(`  Backup: ${backup}`);
    const lines = next.flatMap((text) => indented(text, "        ", invocation.terminal.stdout.columns));
    for (const [at, line] of lines.entries()) say(at === 0 ? `  Next: ${line.trimStart()}` : line);
    return { ...base, does, done: true, ...(backup ? { backup } : {}), next };
  } catch (error) {
    return failed(base, does, messageOf(error), invocation);
  }
}

type Change = Plan & { readonly kind: "change" };
type OutcomeBase = Pick<Outcome, "agent" | "level" | "file" | "command">;

function failed(base: OutcomeBase, does: Outcome["does"], message: string, { globals, terminal }: Invocation): Outcome {
  if (!globals.json) terminal.stderr.write(`toolwright: ${printable(message)}\n`);
  return { ...base, does, done: false, error: { message } };
}

function linePrinter({ globals, terminal }: Invocation): (line: string) => void {
  return (line) => {
    if (!globals.json) terminal.stdout.write(`${printable(line)}\n`);
  };
}

const TITLES = {
  add: "Adds:",
  update: "Changes it to:",
  replace: "Replaces it with:",
  remove: "",
} as const;

function showChange(plan: Change, command: readonly string[] | undefined, say: (line: string) => void): void {
  if (plan.was.length > 0 && !isDeepStrictEqual(plan.was, command)) {
    say(`  ${plan.does === "remove" ? "Removes" : "Until now"}: ${shown(plan.was)}`);
  }
  if (command) say(`  Starts: ${shown(command)}`);
  if (plan.shown === undefined) return;
  say(`  ${TITLES[plan.does]}`);
  for (const line of indented(plan.shown, "    ")) say(line);
}

/** The user must see the target of a link before agreeing. */
function shownFile(file: string): string {
  return isLink(file) ? `${file} (a link to ${resolveLinks(file)})` : file;
}

function shown(words: readonly string[]): string {
  return words.map((word) => shellWord(word)).join(" ");
}

/** Asks for confirmation. Without a terminal, the answer is yes, and the remark says so. */
async function consent(question: string, invocation: Invocation): Promise<{ agreed: boolean; remark: string }> {
  if (isSet(invocation, "yes")) return { agreed: true, remark: "" };
  if (!canAsk(invocation)) return { agreed: true, remark: " There is no terminal, so no confirmation was asked." };
  return (await askYesNo(invocation.terminal, question))
    ? { agreed: true, remark: "" }
    : { agreed: false, remark: "Nothing was written." };
}
