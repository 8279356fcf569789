/** What a rule says of the calls it covers. */
export type RuleAction = "allow" | "ask" | "deny";

/** What happens where no rule says otherwise. */
export type Mode = "default" | "acceptEdits" | "plan" | "bypass";

/**
 * One line of the permissions. `tool` and `agent` are names with `*` and `?`.
 *
 * `match` is compared with what a call touches; a rule without it covers everything the tool does.
 * - a path: `*` and `?` stay within a segment, `**` is any number of segments; a relative pattern starts at the
 *   project, one that begins with `~` at the home folder;
 *   a pattern without wildcards also covers what is inside that folder.
 * - a command or an address: `*` is any text, `/` included; before the path of an address it stays before the path, and in a
 *   command that is allowed it does not go beyond one command. A command that is denied is so in any line that holds it.
 * - `"*"` alone covers everything that is declared, `"undeclared"` the calls of tools that declare nothing;
 *   no other `match` covers those.
 * - `ask:PERMISSION:PATTERN` is what a tool asks for by itself while it runs; no other `match`, and no rule without one, covers that.
 * - `[*]` and `[?]` are the characters themselves.
 */
export interface Rule {
  readonly tool: string;
  readonly match?: string;
  readonly agent?: string;
  readonly action: RuleAction;
}

/** The rules of one settings file; the last one that matches counts. */
export interface Policy {
  readonly rules: readonly Rule[];
  readonly mode: Mode;
}

/** A project's rules; a mode it does not name is the user's. */
export interface ProjectPolicy {
  readonly rules: readonly Rule[];
  readonly mode?: Mode;
}

/** Whose settings a rule stands in. */
export type RuleOwner = "user" | "project";
