import type { Explanation } from "../../pipeline/explain-call.ts";
import { indented, printable, shownPath, shownPlace, styled } from "./print.ts";
import type { Output } from "./terminal.ts";

type Decision = Explanation["decision"];

/** The decision on a call, and the positions of the rules. */
export interface ExplainedView extends Explanation {
  readonly rules: readonly {
    readonly tool: string;
    readonly match?: string;
    readonly agent?: string;
    readonly action: "allow" | "ask" | "deny";
    readonly from: "user" | "project";
    readonly file: string;
    /** Counted from 1, within its file. */
    readonly position: number;
    readonly line?: number;
  }[];
  /** The file to which "always" adds rules. */
  readonly settingsFile: string;
}

/** The outcome of a call: of `toolwright run`, of a model while a person can be asked, and of a model otherwise. */
export function outcomesOf(action: Decision["action"]): Record<"run" | "attended" | "unattended", Outcome> {
  switch (action) {
    case "allow":
      return { run: "runs", attended: "runs", unattended: "runs" };
    case "implicit-ask":
      return { run: "runs", attended: "asks", unattended: "refused" };
    case "ask":
      return { run: "asks", attended: "asks", unattended: "refused" };
    case "deny":
      return { run: "refused", attended: "refused", unattended: "refused" };
  }
}

type Outcome = "runs" | "asks" | "refused";

const WORDS: Record<Outcome, string> = { runs: "it runs", asks: "a person is asked", refused: "it is refused" };
const VERDICTS: Record<Decision["action"], string> = {
  allow: "allowed",
  "implicit-ask": "needs approval",
  ask: "asks",
  deny: "denied",
};

/** The decision as text. */
export function explainedLines(view: ExplainedView, output: Output, cwd: string): string[] {
  const { tool, agents, mode, decisions, decision, offer, settingsFile } = view;
  const who = agents.filter((agent) => agent !== "");
  const { run, attended, unattended } = outcomesOf(decision.action);
  const agreed = decision.action === "implicit-ask" ? ": typing the command is the approval" : "";
  return [
    styled(output, "bold", `${printable(tool)}: ${VERDICTS[decision.action]}`),
    ...decisions.flatMap((each) => ["", ...decisionLines(each, view, output, cwd)]),
    "",
    `Mode: ${mode}${who.length > 0 ? `. Agent: ${printable(who.join(", for "))}` : ""}`,
    `Typed as "toolwright run": ${WORDS[run]}${agreed}.`,
    `Called by a model: ${WORDS[attended]}${attended === unattended ? "" : `, or, if no person can be asked, ${WORDS[unattended]}`}.`,
    ...(offer.choices.includes("always")
      ? [
          `To allow it always, add to "permissions" in ${shownPath(settingsFile, cwd)}:`,
          ...offer.rules.map((rule) => `  ${printable(JSON.stringify(rule))}`),
        ]
      : []),
  ];
}

function decisionLines(
  { action, reason, rule }: Decision,
  { rules }: ExplainedView,
  { columns }: Output,
  cwd: string,
): string[] {
  const found = rule && rules.find(({ from, position }) => from === rule.from && position === rule.index + 1);
  return [
    `  ${VERDICTS[action]}`,
    ...indented(reason, "    ", columns),
    ...(found ? [`    Rule ${found.position} in ${shownPlace(found, cwd)}`] : []),
  ];
}
