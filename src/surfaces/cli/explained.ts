import type { Explanation } from "../../pipeline/explain-call.ts";
import { indented, printable, shownPath, shownPlace, styled } from "./print.ts";
import type { Output } from "./terminal.ts";

type Decision = Explanation["decision"];

/** What would be decided on a call, and where the rules stand that decide it. */
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
  /** Where "always" would write. */
  readonly settingsFile: string;
}

/** What would become of a call: typed by a person, made for a model while somebody can be asked, and while nobody can. */
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
  "implicit-ask": "to be agreed",
  ask: "asked about",
  deny: "denied",
};

/** The same for people. */
export function explainedLines(view: ExplainedView, output: Output, cwd: string): string[] {
  const { tool, agents, mode, decisions, decision, offer, settingsFile } = view;
  const who = agents.filter((agent) => agent !== "");
  const { run, attended, unattended } = outcomesOf(decision.action);
  const agreed = decision.action === "implicit-ask" ? ": whoever types the command has agreed to it" : "";
  return [
    styled(output, "bold", `${printable(tool)}: ${VERDICTS[decision.action]}`),
    ...decisions.flatMap((each) => ["", ...decisionLines(each, view, cwd)]),
    "",
    `Mode: ${mode}${who.length > 0 ? `. Agent: ${printable(who.join(", for "))}` : ""}`,
    `Typed as "toolwright run": ${WORDS[run]}${agreed}.`,
    `Called by a model: ${WORDS[attended]}${attended === unattended ? "" : `, and where nobody can be, ${WORDS[unattended]}`}.`,
    ...(offer.choices.includes("always")
      ? [
          `To allow it always, add to "permissions" in ${shownPath(settingsFile, cwd)}:`,
          ...offer.rules.map((rule) => `  ${printable(JSON.stringify(rule))}`),
        ]
      : []),
  ];
}

function decisionLines({ action, reason, rule }: Decision, { rules }: ExplainedView, cwd: string): string[] {
  const found = rule && rules.find(({ from, position }) => from === rule.from && position === rule.index + 1);
  return [
    `  ${VERDICTS[action]}`,
    ...indented(reason, "    "),
    ...(found ? [`    Rule ${found.position} in ${shownPlace(found, cwd)}`] : []),
  ];
}
