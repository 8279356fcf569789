import type { LoggedRule, Mode, RuleAction } from "../../core/permission-mode.ts";

export type { Mode, RuleAction };

/**
 * One line of the permissions. `tool` and `agent` are names with `*` and `?`.
 *
 * `match` is compared with the targets of a call; a rule without it covers every call of the tool.
 * - a path: `*` and `?` stay within a segment, `**` is any number of segments; a relative pattern starts at the
 *   project, one that begins with `~` at the home folder;
 *   a pattern without wildcards also covers the contents of that folder.
 * - a command or an address: `*` is any text, `/` included; in the host of an address it does not match the path, and in a
 *   rule that allows it does not match beyond one command. A denied command is denied in every line that contains it.
 * - `"*"` alone covers every declared target, `"undeclared"` the calls of tools that declare no targets;
 *   no other `match` covers those.
 * - `ask:PERMISSION:PATTERN` covers a question that a tool asks while it runs; no other rule covers it.
 * - `[*]` and `[?]` match the characters themselves.
 */
export type Rule = LoggedRule;

export function isSameRule(first: Rule, second: Rule): boolean {
  return (["tool", "match", "agent", "action"] as const).every((key) => first[key] === second[key]);
}

/** Whether the rule is in the list, and no later rule has another action. */
export function isEffective(rule: Rule, rules: readonly Rule[]): boolean {
  const at = rules.findLastIndex((each) => isSameRule(each, rule));
  return at >= 0 && rules.slice(at).every(({ action }) => action === rule.action);
}

/** The rules of one settings file. The last rule that matches decides. */
export interface Policy {
  readonly rules: readonly Rule[];
  readonly mode: Mode;
}

/** The rules of a project. Without a mode, the user's applies. */
export interface ProjectPolicy {
  readonly rules: readonly Rule[];
  readonly mode?: Mode;
}

/** Where a rule is: in the settings of the user or the project, or in the log of a sub-agent's session. */
export type RuleOwner = "user" | "project" | "sub-agent";
