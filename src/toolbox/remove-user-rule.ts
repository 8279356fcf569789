import { messageOf } from "../core/error.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import { removeRule } from "../settings/remove-rule.ts";
import { permissionsOf } from "./permission-view.ts";
import type { Toolbox } from "./toolbox.ts";

/**
 * Removes a rule from the user's settings, and reloads them. `position` is that of `permissionsOf`. Resolves to the reason if
 * the rule was not removed; it says what to do.
 */
export async function removeUserRule(toolbox: Toolbox, position: number, rule: Rule): Promise<string | undefined> {
  const { settingsFile } = permissionsOf(toolbox.project);
  try {
    await removeRule(settingsFile, position, rule);
  } catch (error) {
    return `The rule was not removed from ${settingsFile}. ${messageOf(error)} List the rules again, or edit the file.`;
  }
  await toolbox.reload();
  return undefined;
}
