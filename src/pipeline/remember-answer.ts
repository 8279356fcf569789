import { messageOf } from "../core/error.ts";
import type { Rule } from "../permissions/rule.ts";
import type { Grants } from "./grants.ts";
import type { PermitOptions } from "./permit.ts";

/** Where answers that hold for longer are kept. */
export interface RememberOptions {
  readonly grants: Grants;
  /** The user's settings, for what holds always. */
  readonly settingsFile: string;
  /** Told of the rules that stand in the settings now. */
  readonly added: (rules: readonly Rule[]) => void;
  /** Told why rules could not be written: they hold for the session, and a person should know. */
  readonly failed: (message: string) => void;
}

/** Lets a yes hold for a session or for ever. Never rejects. */
export function createRemember(options: RememberOptions): PermitOptions["remember"] {
  const { grants, settingsFile, added, failed } = options;
  return async (sessionID, rules, how) => {
    if (how === "session") return grants.add(sessionID, rules);
    try {
      const { addRules } = await import("../config/add-rules.ts");
      await addRules(settingsFile, rules);
      added(rules);
    } catch (error) {
      grants.add(sessionID, rules);
      failed(`A rule could not be added here, so the yes holds for this session only. ${messageOf(error)}`);
    }
  };
}
