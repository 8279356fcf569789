import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";
import type { Rule } from "../permissions/rule.ts";
import { appendToJson, type Layout } from "./append-json.ts";
import { hasCode } from "./error-code.ts";
import { withLock } from "./lock.ts";
import { writePrivateFile } from "./private-file.ts";

/**
 * Adds rules at the end of "permissions" in a settings file, which is made if need be. Everything else in it stays as it
 * is, comments included. Rejects, and changes nothing, where the file cannot be read as settings.
 */
export async function addRules(file: string, rules: readonly Rule[]): Promise<void> {
  await withLock(file, () => {
    const before = textOf(file);
    const after = withRules(before, rules);
    if (after !== before) writePrivateFile(file, after);
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  }
}

/** The text of a settings file with these rules after its own. Throws where it is not the text of one. */
export function withRules(text: string, rules: readonly Rule[]): string {
  const jsonc: typeof Jsonc = createRequire(import.meta.url)("jsonc-parser");
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const errors: Jsonc.ParseError[] = [];
  const root = jsonc.parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) throw new Error("It is not valid JSON.");
  if (!root) return withRules(`${text}${/[^\n]$/.test(body) ? "\n" : ""}{}\n`, rules);
  if (root.type !== "object") throw new Error("It is not a JSON object.");
  // Of a key that is there twice, the last counts.
  const found = root.children?.findLast(({ children: [key] = [] }) => key?.value === "permissions")?.children?.[1];
  if (!found) return mark + appendToJson(body, root, [rules], property, jsonc);
  if (found.type !== "array") throw new Error('"permissions" in it is not a list.');
  const there: unknown[] = jsonc.getNodeValue(found);
  const missing = rules.filter((rule) => !isThere(rule, there));
  return missing.length === 0 ? text : mark + appendToJson(body, found, missing, spell, jsonc);
}

/** A rule that is there already need not be said again, unless one that says otherwise came after it. */
function isThere(rule: Rule, rules: readonly unknown[]): boolean {
  const known = rules.map((each) => ({ ...(each as Rule | null) }) as Rule);
  const at = known.findLastIndex((each) => spell(each) === spell(rule));
  return at >= 0 && known.slice(at).every(({ action }) => action === rule.action);
}

function property(rules: readonly Rule[], { inline, eol, indent, step }: Layout): string {
  if (inline) return `"permissions": [${rules.map(spell).join(", ")}]`;
  const lines = rules.map((rule) => `${indent}${step}${spell(rule)}`);
  return `"permissions": [${eol}${lines.join(`,${eol}`)}${eol}${indent}]`;
}

/** On one line, as people write rules. */
function spell({ tool, match, agent, action }: Rule): string {
  const fields = Object.entries({ tool, match, agent, action }).filter(([, value]) => value !== undefined);
  return `{ ${fields.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(", ")} }`;
}
