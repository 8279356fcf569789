import { readFileSync, statSync } from "node:fs";
import { hasCode } from "../platform/files/error-code.ts";
import { removeJsonValue, setJsonValue } from "../platform/json/edit-json.ts";
import { parseJson } from "../platform/json/parse-json.ts";
import { withLock } from "./lock.ts";
import { isEffective, isSameRule, type Rule } from "./permissions/rule.ts";
import { refuseSpecial, writePrivateFile } from "./private-file.ts";
import { readSettings } from "./read-settings.ts";

/**
 * Adds rules at the end of "permissions" in a settings file, and creates the file if needed. Everything else in it stays,
 * comments included. Resolves when they are on disk, to those that were not in effect before. Rejects, and changes nothing, if the
 * file is not valid settings, or is read-only, or if its rules have one that the new rules must not undo, which `undone` finds.
 */
export async function addRules(
  file: string,
  rules: readonly Rule[],
  undone: (known: readonly Rule[]) => Rule | undefined = () => undefined,
): Promise<readonly Rule[]> {
  return withLock(file, () => {
    const denial = undone(readSettings(file).settings.permissions ?? []);
    if (denial)
      throw new Error(`It has the rule ${JSON.stringify(inOrder(denial))} now, which the new rule would undo.`);
    const before = textOf(file);
    const after = withRules(before, rules);
    if (after === before) return [];
    refuseReadOnly(file);
    writePrivateFile(file, after);
    const known = asRules(permissionsIn(before.replace(/^\uFEFF/, "")) ?? []);
    return rules.filter((rule) => !isEffective(rule, known));
  });
}

/** Removes rules that `addRules` has added, the last of equal ones. Others stay, and so does everything else in the file. */
export async function undoAddRules(file: string, rules: readonly Rule[]): Promise<void> {
  await withLock(file, () => {
    const before = textOf(file);
    const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
    const after = rules.reduce((text, rule) => {
      const at = asRules(permissionsIn(text) ?? []).findLastIndex((each) => isSameRule(each, rule));
      return at < 0 ? text : removeJsonValue(text, ["permissions", at]);
    }, before.slice(mark.length));
    if (mark + after !== before) writePrivateFile(file, mark + after);
  });
}

/** A file is replaced by renaming, which its own permissions do not prevent. */
function refuseReadOnly(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o222) === 0) throw new Error("It is read-only.");
}

function textOf(file: string): string {
  try {
    refuseSpecial(file);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  }
}

/** The text of a settings file with these rules added. Throws if the text is not valid settings. */
export function withRules(text: string, rules: readonly Rule[]): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const permissions = permissionsIn(body);
  const known = asRules(permissions ?? []);
  const missing = rules.filter((rule) => !isEffective(rule, known));
  const start = permissions || missing.length === 0 ? body : setJsonValue(body, ["permissions"], []);
  const after = missing.reduce(
    (added, rule) => setJsonValue(added, ["permissions", -1], inOrder(rule), { oneLine: true }),
    start,
  );
  // The editor changes the first of two equal keys, but the last one counts.
  const present = asRules(permissionsIn(after) ?? []);
  if (!missing.every((rule) => isEffective(rule, present))) {
    throw new Error('It has the key "permissions" twice. Remove one of them.');
  }
  return mark + after;
}

/** The list "permissions" in the text of a settings file. Throws if the text is not valid settings. */
export function permissionsIn(text: string): unknown[] | undefined {
  const { value, error } = parseJson(text, { allowEmpty: true });
  if (error) throw new Error("It is not valid JSON.");
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("It is not a JSON object.");
  const { permissions }: { permissions?: unknown } = value;
  if (permissions === undefined) return undefined;
  if (!Array.isArray(permissions)) throw new Error('"permissions" in it is not a list.');
  return permissions;
}

/** What a settings file has in place of rules, as far as it can be compared with rules. */
function asRules(values: readonly unknown[]): readonly Rule[] {
  return values.map((each) => ({ ...(each as Rule | null) }) as Rule);
}

/** The fields that are set, in the order in which they are written. */
export function inOrder({ tool, match, agent, action }: Rule): Partial<Rule> {
  return JSON.parse(JSON.stringify({ tool, match, agent, action }));
}
