import type { Rule } from "../permissions/rule.ts";

/** Sessions whose answers are remembered, and answers of each; the oldest are forgotten, and asked for anew. */
const MAX_SESSIONS = 1_000;
const MAX_RULES = 1_000;

/** What people have said yes to for as long as a session lasts. */
export class Grants {
  readonly #sessions = new Map<string, readonly Rule[]>();

  add(sessionID: string, rules: readonly Rule[]): void {
    const all = [...(this.#sessions.get(sessionID) ?? []), ...rules].slice(-MAX_RULES);
    this.#sessions.delete(sessionID);
    this.#sessions.set(sessionID, all);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** What holds in a session: what was said in it, and in those that have handed their work to it. */
  of(sessions: readonly string[]): readonly Rule[] {
    return sessions.flatMap((id) => this.#sessions.get(id) ?? []);
  }
}
