import { applyPlan } from "../../clients/apply-plan.ts";
import { isLink, linkTarget } from "../../clients/config-file.ts";
import type { Plan, Target } from "../../clients/plan.ts";
import { messageOf } from "../../core/error.ts";
import { type Invocation, isSet } from "./command.ts";
import { indented, printable, printJson } from "./print.ts";
import { askYesNo, canAsk } from "./prompt.ts";
import { shellWord } from "./shell-word.ts";

/** What became of one configuration; as `--json` has it. */
export interface Outcome {
  readonly agent: string;
  readonly level: string;
  readonly file: string;
  /** What was to be done. */
  readonly does: "add" | "update" | "replace" | "remove" | "nothing";
  /** Whether the configuration is now as it was asked for. */
  readonly done: boolean;
  readonly command?: readonly string[];
  readonly backup?: string;
  readonly next?: readonly string[];
  readonly error?: { readonly message: string };
}

/** What the two commands say in different words. */
export interface Wording {
  readonly question: string;
  readonly done: string;
  /** Why there is nothing to do. */
  readonly nothing: (target: Target) => string;
  /** What an agent will start; not for one that will start it no more. */
  readonly command?: (target: Target) => readonly string[];
  readonly next: (target: Target) => readonly string[];
}

/** Shows each change, asks where somebody can answer, carries it out, and reports. One that fails does not stop the others. */
export async function configureClients(
  targets: readonly Target[],
  plan: (target: Target) => Plan,
  wording: Wording,
  invocation: Invocation,
): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const target of targets) outcomes.push(await configure(target, plan(target), wording, invocation));
  const dryRun = isSet(invocation, "dry-run");
  if (invocation.globals.json) printJson(invocation.terminal, { dryRun, agents: outcomes });
  return outcomes.every(({ done, error }) => !error && (done || dryRun)) ? 0 : 1;
}

async function configure(target: Target, plan: Plan, wording: Wording, invocation: Invocation): Promise<Outcome> {
  const { client, level, file } = target;
  const command = wording.command?.(target);
  const about = { agent: client.id, level, file, ...(command ? { command } : {}) };
  if (plan.kind === "refused") return failed(about, "nothing", plan.problem, invocation);
  const say = sayer(invocation);
  say(`${client.name}, ${level === "user" ? "for all projects" : "for this project"}: ${shownFile(file)}`);
  if (plan.kind === "done") {
    say(`  ${wording.nothing(target)}`);
    return { ...about, does: "nothing", done: true };
  }
  showChange(plan, command, say);
  const answer = await consent(wording.question, invocation);
  if (answer.given)
    return carryOut(target, plan, about, { ...wording, done: `${wording.done}${answer.remark}` }, invocation);
  say(`  ${answer.remark}`);
  return { ...about, does: plan.does, done: false };
}

function carryOut(target: Target, plan: Change, about: About, wording: Wording, invocation: Invocation): Outcome {
  try {
    const { backup } = applyPlan(target, plan);
    const next = wording.next(target);
    const say = sayer(invocation);
    say(`  ${wording.done}`);
    if (backup !== undefined) say(`  The file as it was before: ${backup}`);
    for (const [at, line] of next.entries()) say(`  ${at === 0 ? "Next: " : "      "}${line}`);
    return { ...about, does: plan.does, done: true, ...(backup ? { backup } : {}), next };
  } catch (error) {
    return failed(about, plan.does, messageOf(error), invocation);
  }
}

type Change = Plan & { readonly kind: "change" };
type About = Pick<Outcome, "agent" | "level" | "file" | "command">;

function failed(about: About, does: Outcome["does"], message: string, { globals, terminal }: Invocation): Outcome {
  if (!globals.json) terminal.stderr.write(`toolwright: ${printable(message)}\n`);
  return { ...about, does, done: false, error: { message } };
}

function sayer({ globals, terminal }: Invocation): (line: string) => void {
  return (line) => {
    if (!globals.json) terminal.stdout.write(`${printable(line)}\n`);
  };
}

const TITLES = {
  add: "Adds:",
  update: "Changes the command to:",
  replace: "Puts this in its place:",
  remove: "",
} as const;

function showChange(plan: Change, command: readonly string[] | undefined, say: (line: string) => void): void {
  if (plan.was.length > 0) say(`  ${plan.does === "remove" ? "Removes" : "Until now"}: ${shown(plan.was)}`);
  if (command) say(`  Starts: ${shown(command)}`);
  if (plan.shown === undefined) return;
  say(`  ${TITLES[plan.does]}`);
  for (const line of indented(plan.shown, "    ")) say(line);
}

/** Whoever agrees to a change must know which file it is in the end. */
function shownFile(file: string): string {
  return isLink(file) ? `${file} (a link to ${linkTarget(file)})` : file;
}

function shown(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** Whether to go on, and what to say of how that was decided. */
async function consent(question: string, invocation: Invocation): Promise<{ given: boolean; remark: string }> {
  if (isSet(invocation, "dry-run")) return { given: false, remark: "Nothing is written: this is a dry run." };
  if (isSet(invocation, "yes")) return { given: true, remark: "" };
  if (!canAsk(invocation)) return { given: true, remark: " Nobody was asked, since there is no terminal." };
  return (await askYesNo(invocation.terminal, question))
    ? { given: true, remark: "" }
    : { given: false, remark: "Nothing was written." };
}
