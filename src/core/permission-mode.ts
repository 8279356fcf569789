/** The names of the permission modes, as settings have them. */
export const MODE_NAMES = ["default", "acceptEdits", "plan", "bypass"] as const;

/** What happens to calls that no permission rule covers. */
export type Mode = (typeof MODE_NAMES)[number];

/** Undefined if there is no such mode. */
export function modeNamed(name: unknown): Mode | undefined {
  return MODE_NAMES.find((mode) => mode === name);
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
