import { readFileSync, statSync } from "node:fs";
import { lineFinder, parseJson } from "../platform/json/parse-json.ts";
import { checkSettings } from "./check-settings.ts";
import { settingsSchema } from "./settings-schema.ts";

/**
 * The line of each valid rule in a settings file, in order. Empty if the file is missing or not valid JSON. Never throws.
 */
export function ruleLines(file: string): readonly number[] {
  try {
    if (!statSync(file).isFile()) return [];
    return validRules(readFileSync(file, "utf8").replace(/^\uFEFF/, "")).flatMap(({ line }) => line ?? []);
  } catch {
    return [];
  }
}

/** The valid rules in the text of a settings file, in order: their indexes in "permissions", and their lines. */
export function validRules(text: string): readonly { readonly index: number; readonly line: number | undefined }[] {
  const { value, error } = parseJson(text, { allowEmpty: true });
  const { permissions: rules } = { ...(value as { permissions?: unknown } | null) };
  if (error || !Array.isArray(rules)) return [];
  const wrong = checkSettings(value, settingsSchema).issues.map(({ path }) => path.slice(0, 2).join());
  const lineOf = lineFinder(text);
  return rules.flatMap((_, index) =>
    wrong.includes(`permissions,${index}`) ? [] : [{ index, line: lineOf(["permissions", index]) }],
  );
}
