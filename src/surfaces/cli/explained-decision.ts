import type { ApiDecision, ApiExplanation } from "../../core/api-page.ts";
import { indented, printable, shownPath, shownPlace, styled } from "./output/print.ts";
import type { Output } from "./output/terminal.ts";

type Outcome = ApiExplanation["outcomes"]["run"];

const WORDS: Record<Outcome, string> = { runs: "it runs", asks: "a person is asked", refused: "it is refused" };
const VERDICTS: Record<ApiDecision["action"], string> = {
  allow: "allowed",
  "implicit-ask": "needs approval",
  ask: "asks",
  deny: "denied",
};

/** The decision as text. */
export function explainedLines(explanation: ApiExplanation, output: Output, cwd: string): string[] {
  const { tool, agents, mode, decisions, decision, outcomes, always } = explanation;
  const who = agents.filter((agent) => agent !== "");
  const { run, attended, unattended } = outcomes;
  const agreed = decision.action === "implicit-ask" ? ": typing the command is the approval" : "";
  return [
    styled(output, "bold", `${printable(tool)}: ${VERDICTS[decision.action]}`),
    ...decisions.flatMap((each) => ["", ...decisionLines(each, output, cwd)]),
    "",
    `Mode: ${mode}${who.length > 0 ? `. Agent: ${printable(who.join(", for "))}` : ""}`,
    `Typed as "toolwright run": ${WORDS[run]}${agreed}.`,
    `Called by a model: ${WORDS[attended]}${attended === unattended ? "" : `, or, if no person can be asked, ${WORDS[unattended]}`}.`,
    ...(always
      ? [
          `To allow it always, add to "permissions" in ${shownPath(always.file, cwd)}:`,
          ...always.rules.map((rule) => `  ${printable(JSON.stringify(rule))}`),
        ]
      : []),
  ];
}

function decisionLines({ action, reason, rule }: ApiDecision, { columns }: Output, cwd: string): string[] {
  return [
    `  ${VERDICTS[action]}`,
    ...indented(reason, "    ", columns),
    ...(rule ? [`    Rule ${rule.position} in ${shownPlace(rule, cwd)}`] : []),
  ];
}
