/** The names of the permission modes, as settings have them. */
export const MODE_NAMES = ["default", "acceptEdits", "plan", "bypass"] as const;

/** What happens to calls that no permission rule covers. */
export type Mode = (typeof MODE_NAMES)[number];

/** Claude Code's names of our modes, where they differ. Its modes `dontAsk` and `auto` have no counterpart. */
const MODE_ALIASES: Readonly<Record<ModeAlias, Mode>> = { bypassPermissions: "bypass" };
type ModeAlias = "bypassPermissions";

/** A mode, by its name or by that of Claude Code. */
export type ModeName = Mode | ModeAlias;

/** All names that a mode may be given by. */
export const ACCEPTED_MODE_NAMES: readonly ModeName[] = [...MODE_NAMES, ...(Object.keys(MODE_ALIASES) as ModeAlias[])];

/** Undefined if there is no such mode. */
export function modeNamed(name: unknown): Mode | undefined {
  const alias = Object.entries(MODE_ALIASES).find(([each]) => each === name);
  return alias?.[1] ?? MODE_NAMES.find((mode) => mode === name);
}

export const RULE_ACTIONS = ["allow", "ask", "deny"] as const;

/** What happens to the calls that a permission rule covers. */
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** A permission rule as it is logged: `Rule` of `permissions/`. */
export interface LoggedRule {
  readonly tool: string;
  readonly match?: string;
  readonly agent?: string;
  readonly action: RuleAction;
}
