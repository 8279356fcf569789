import { isFolder } from "../platform/files/is-folder.ts";
import { literalOf } from "../platform/text/wildcard.ts";
import type { PermissionQuestion, SaveRules } from "../sessions/save-rules.ts";
import { DEFAULTS } from "../settings/defaults.ts";
import { proposedMatches, requestedAccess, undoneDenial } from "../settings/permissions/approval-options.ts";
import type { PathBases } from "../settings/permissions/resolve-rule-path.ts";
import type { Rule } from "../settings/permissions/rule.ts";

/** Writes the rules of answers to the user's settings file. A denial that was added to it while the question was open stays in force. */
export function createSaveRules({ file, ...bases }: PathBases & { readonly file: string }): SaveRules {
  return async (question) => {
    const { addRules, undoAddRules } = await import("../settings/add-rules.ts");
    const added = await addRules(file, question.rules, (known) => denialUndoneBy(question, known, bases));
    return () => undoAddRules(file, added);
  };
}

function denialUndoneBy(
  { tool, agent, access, request, rules }: PermissionQuestion,
  known: readonly Rule[],
  bases: PathBases,
): Rule | undefined {
  const asking = {
    ...{ ...bases, tool, agent, access: request ? requestedAccess(request) : access },
    // The agents that started this one have rules of their own.
    parents: rules.flatMap((rule) => (rule.agent === undefined ? [] : (literalOf(rule.agent) ?? []))),
    user: { rules: known, mode: DEFAULTS.mode },
  };
  return undoneDenial(rules, asking, { proposed: request ? proposedMatches(request) : [], isFolder });
}
