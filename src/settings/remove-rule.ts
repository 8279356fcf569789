import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { removeJsonValue } from "../platform/json/edit-json.ts";
import { inOrder, permissionsIn } from "./add-rules.ts";
import { withLock } from "./lock.ts";
import type { Rule } from "./permissions/rule.ts";
import { refuseSpecial, writePrivateFile } from "./private-file.ts";
import { validRules } from "./rule-lines.ts";

/** The rule to remove is not in the file. The message says what is. */
class RuleMissing extends Error {
  override readonly name: string = "RuleMissing";
}

/**
 * Removes a rule from "permissions" in a settings file. Everything else in it stays, comments included. `position` counts the
 * valid rules from 1. Rejects with `RuleMissing`, and changes nothing, if that position has another rule.
 */
export async function removeRule(file: string, position: number, rule: Rule): Promise<void> {
  await withLock(file, () => {
    refuseSpecial(file);
    writePrivateFile(file, withoutRule(readFileSync(file, "utf8"), position, rule));
  });
}

/** The text of a settings file without a rule. Throws if the rule is not at this position. */
export function withoutRule(text: string, position: number, rule: Rule): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const rules = permissionsIn(body) ?? [];
  const at = validRules(body)[position - 1]?.index ?? -1;
  const there = rules[at] as Rule | undefined;
  if (there === undefined || !isDeepStrictEqual(inOrder(there), inOrder(rule))) {
    const now = there === undefined ? "there is no such rule" : `it is ${JSON.stringify(inOrder(there))}`;
    throw new RuleMissing(`The settings have changed: rule ${position} is no longer the one to remove; ${now}.`);
  }
  const after = removeJsonValue(body, ["permissions", at]);
  // The editor changes the first of two equal keys, but the last one counts.
  if (!isDeepStrictEqual(permissionsIn(after) ?? [], rules.toSpliced(at, 1))) {
    throw new Error('It has the key "permissions" twice. Remove one of them.');
  }
  return mark + after;
}
