import type { DeclaredAccess } from "../core/tool.ts";
import type { Touched } from "./matches.ts";
import type { Rule, RuleAction, RuleOwner } from "./rule.ts";

/** A rule, in whose settings it stands, and as which of the rules there, counted from 0. */
export type OwnedRule = Rule & { readonly from: RuleOwner; readonly index: number };

/** What a decision rests on. */
export type Ground =
  | { readonly kind: "rule"; readonly rule: OwnedRule }
  /** No rule covers the command: the text of this one matches, but the command is more than a wildcard allows. */
  | { readonly kind: "almost"; readonly rule: Rule }
  | {
      readonly kind:
        | "bypass"
        | "plan"
        | "nothing"
        | "inside"
        | "acceptEdits"
        /** The mode accepts edits, but the file holds code that runs without a further question. */
        | "code"
        | "no-rule"
        /** A general yes is not enough, and no rule names the thing. */
        | "unnamed"
        /** The tool itself wants a person to be asked. */
        | "asked"
        /** A person has said yes for this session. */
        | "granted";
    };

/** What is shown of a target to whoever was refused, and to a person who is to agree to it. */
const LONGEST_REFUSED = 200;
const LONGEST_OPEN = 2_000;
const DOING = {
  read: "reading",
  write: "writing",
  execute: "running",
  network: "fetching",
  ask: "asking for",
} as const;
const VERDICT: Record<RuleAction, string> = {
  allow: "is allowed by",
  ask: "needs a person's yes under",
  deny: "is denied by",
};
const UNNAMED: Record<DeclaredAccess["kind"], string> = {
  read: "it is outside the project, and no rule names that place",
  write: "it is outside the project, and no rule names that place",
  execute: "a general yes is not enough for it, and no rule names that command",
  network: "a general yes is not enough for it, and no rule names that address",
};

/** Says what was decided and why; to a model that was refused, also what to do instead. */
export function reasonFor(action: string, ground: Ground, touched: Touched, tool: string): string {
  const subject = subjectOf(touched, tool, action === "deny" ? LONGEST_REFUSED : LONGEST_OPEN);
  switch (ground.kind) {
    case "rule":
      return `${subject} ${VERDICT[ground.rule.action]} the ${ground.rule.from}'s rule ${spell(ground.rule)}.${
        action === "deny"
          ? " Do not try it again in other words: find another way, or tell the user which rule stands in the way."
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
      return `${subject} needs a yes: its code or commands run without a further question, so the mode acceptEdits does not cover it.`;
    case "nothing":
      return `${subject} is allowed: no rule is about it.`;
    case "almost":
      return `${subject} needs a yes: a wildcard that allows, as in the user's rule ${spell(ground.rule)}, covers one command with plain arguments. Send one command without operators, redirections and substitutions, or ask the user.`;
    case "no-rule":
      return `${subject} needs a yes: no rule covers it.`;
    case "unnamed":
      return `${subject} needs a person's yes: ${unnamed(touched)}.`;
    case "asked":
      return `${subject} needs a person's yes: the tool asks for it.`;
    case "granted":
      return `${subject} is allowed: a person has said yes to it for this session.`;
  }
}

/** A rule as it would be written. */
export function spell({ tool, match, agent, action }: Rule): string {
  return JSON.stringify({ tool, match, agent, action });
}

function subjectOf(touched: Touched, tool: string, longest: number): string {
  if (touched === "nothing") return `The tool "${tool}", which declares that it touches nothing,`;
  if (touched === "undeclared") return `The tool "${tool}", which does not declare what it touches,`;
  return `The tool "${tool}" ${DOING[touched.kind]} ${shown(touched.target, longest)}`;
}

/** Both ends, and how much is missing between them: what is left out must not pass for not being there. */
function shown(target: string, longest: number): string {
  const quoted = (part: string): string => JSON.stringify(part.toWellFormed());
  if (target.length <= longest) return quoted(target);
  const half = longest / 2;
  return `${quoted(target.slice(0, half))} (${target.length - longest} characters left out) ${quoted(target.slice(-half))}`;
}

function unnamed(touched: Touched): string {
  return typeof touched === "object" && touched.kind !== "ask" ? UNNAMED[touched.kind] : "no rule names it";
}
