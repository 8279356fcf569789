import { setBounded } from "../core/set-bounded.ts";
import type { Rule } from "../permissions/rule.ts";

/** The maximum number of sessions with grants, and of rules in each. The oldest are dropped: a person is then asked again. */
const MAX_SESSIONS = 1_000;
const MAX_RULES = 1_000;

/** The rules that people have granted for the duration of a session. */
export class SessionGrants {
  readonly #rules = new Map<string, readonly Rule[]>();

  add(sessionID: string, rules: readonly Rule[]): void {
    const all = [...(this.#rules.get(sessionID) ?? []), ...rules].slice(-MAX_RULES);
    setBounded(this.#rules, sessionID, all, MAX_SESSIONS);
  }

  of(sessionIDs: readonly string[]): readonly Rule[] {
    return sessionIDs.flatMap((id) => this.#rules.get(id) ?? []);
  }
}
