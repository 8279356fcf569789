import type { DeclaredAccess } from "../../core/tool.ts";
import type { Touched } from "./covering-rule.ts";
import type { Rule, RuleAction, RuleOwner } from "./rule.ts";

/** A rule, whose settings hold it, and its index there. */
export type OwnedRule = Rule & { readonly from: RuleOwner; readonly index: number };

/** Why a decision was made. */
export type Ground =
  | { readonly kind: "rule"; readonly rule: OwnedRule }
  /** No rule covers the command. The text of this rule matches, but its wildcard allows only plain commands, without this word of git. */
  | { readonly kind: "almost"; readonly rule: Rule; readonly word?: string | undefined }
  | {
      readonly kind:
        | "bypass"
        | "plan"
        | "nothing"
        | "inside"
        | "acceptEdits"
        /** The mode accepts edits, but the file holds code that runs without further approval. */
        | "code"
        | "no-rule"
        /** The target needs a rule that names it, and there is none. */
        | "unnamed"
        /** The tool asks a person. */
        | "asked"
        /** A person has approved it for this session. */
        | "granted";
    };

/** The length of a target in the message of a denial, and in a question to a person. */
const MAX_DENIED_LENGTH = 200;
const MAX_ASKED_LENGTH = 2_000;
const DOING = {
  read: "reading",
  write: "writing",
  execute: "running",
  network: "fetching",
  ask: "asking for",
} as const;
const VERDICT: Record<RuleAction, string> = {
  allow: "is allowed by",
  ask: "needs approval under",
  deny: "is denied by",
};
const UNNAMED: Record<DeclaredAccess["kind"], string> = {
  read: "it is outside the project, and no rule names that path",
  write: "it is outside the project, and no rule names that path",
  execute: "a general rule is not enough, and no rule names that command",
  network: "a general rule is not enough, and no rule names that address",
};

/** States the decision and its reason; for a denial, also what the model should do instead. */
export function reasonFor(action: string, ground: Ground, touched: Touched, tool: string): string {
  const subject = subjectOf(touched, tool, action === "deny" ? MAX_DENIED_LENGTH : MAX_ASKED_LENGTH);
  switch (ground.kind) {
    case "rule":
      return `${subject} ${VERDICT[ground.rule.action]} the ${ground.rule.from}'s rule ${ruleText(ground.rule)}.${
        action === "deny"
          ? " Do not retry it in another form. Find another way, or tell the user which rule denies it."
          : ""
      }`;
    case "plan":
      return `${subject} is denied: in plan mode only declared reads run. Finish the plan, and ask the user to leave plan mode before carrying it out.`;
    case "bypass":
      return `${subject} is allowed: the mode is bypass and no rule denies it.`;
    case "inside":
      return `${subject} is allowed: it is inside the project.`;
    case "acceptEdits":
      return `${subject} is allowed: it is inside the project, and the mode is acceptEdits.`;
    case "code":
      return `${subject} needs approval: its code or commands run without further approval, so the mode acceptEdits does not cover it.`;
    case "nothing":
      return `${subject} is allowed: no rule covers it.`;
    case "almost":
      if (ground.word !== undefined) {
        return `${subject} needs approval: a wildcard that allows, as in the user's rule ${ruleText(ground.rule)}, does not cover ${abbreviated(ground.word, MAX_DENIED_LENGTH)}, with which git can run programs or write files. Leave it out, or ask the user.`;
      }
      return `${subject} needs approval: a wildcard that allows, as in the user's rule ${ruleText(ground.rule)}, covers one command with plain arguments. Send one command without operators, redirections and substitutions, or ask the user.`;
    case "no-rule":
      return `${subject} needs approval: no rule covers it.`;
    case "unnamed":
      return `${subject} needs a person's approval: ${unnamed(touched)}.`;
    case "asked":
      return `${subject} needs a person's approval: the tool asks for it.`;
    case "granted":
      return `${subject} is allowed: a person has approved it for this session.`;
  }
}

/** A rule as JSON. */
export function ruleText({ tool, match, agent, action }: Rule): string {
  return JSON.stringify({ tool, match, agent, action });
}

function subjectOf(touched: Touched, tool: string, maxLength: number): string {
  if (touched === "nothing") return `The tool "${tool}", which declares that it touches nothing,`;
  if (touched === "undeclared") return `The tool "${tool}", which does not declare what it touches,`;
  return `The tool "${tool}" ${DOING[touched.kind]} ${abbreviated(touched.target, maxLength)}`;
}

/** Both ends, and the number of characters left out between them. */
function abbreviated(target: string, maxLength: number): string {
  const quoted = (part: string): string => JSON.stringify(part.toWellFormed());
  if (target.length <= maxLength) return quoted(target);
  const half = maxLength / 2;
  return `${quoted(target.slice(0, half))} (${target.length - maxLength} characters left out) ${quoted(target.slice(-half))}`;
}

function unnamed(touched: Touched): string {
  return typeof touched === "object" && touched.kind !== "ask" ? UNNAMED[touched.kind] : "no rule names it";
}
