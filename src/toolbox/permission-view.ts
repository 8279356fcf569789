import type { Explanation } from "../calls/explanation.ts";
import { modeInForce } from "../calls/permission-context.ts";
import { trustCommand } from "../catalog/discovery/trusted-projects.ts";
import { settingsPaths } from "../catalog/inspect-project.ts";
import type { ApiDecision, ApiExplanation, ApiPermissions, ApiRule } from "../core/api-page.ts";
import { printableJson } from "../platform/text/printable.ts";
import { defined } from "../platform/values/defined.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import { ruleLines } from "../settings/rule-lines.ts";
import type { ProjectInfo } from "./toolbox.ts";

type Project = Pick<ProjectInfo, "root" | "homes" | "settings" | "ignored">;

/** The mode and the rules of a project, with their places in the settings files. `command` starts this program. */
export function permissionsOf(project: Project, command?: string): ApiPermissions {
  const { root, settings, ignored } = project;
  return {
    mode: modeInForce(settings),
    modes: settings.mode,
    rules: placedRules(project),
    ignored,
    ...(command === undefined || ignored.length === 0 ? {} : { trust: trustCommand(root, command) }),
    settingsFile: pathsOf(project).user,
  };
}

/** A rule as settings have it, on one line that is safe to print. */
export function printableRule({ tool, match, agent, action }: Rule): string {
  return printableJson({ tool, match, agent, action });
}

/** An explanation as JSON, with the places of its rules. */
export function explanationView(
  { tool, agents, mode, decision, decisions, offer }: Explanation,
  project: Project,
): ApiExplanation {
  const rules = placedRules(project);
  const placed = ({ action, reason, rule, ...rest }: Explanation["decision"]): ApiDecision => {
    const found = rule && rules.find(({ from, position }) => from === rule.from && position === rule.index + 1);
    return { ...rest, action, reason, ...(found ? { rule: found } : {}) };
  };
  return {
    tool,
    agents,
    mode,
    decision: placed(decision),
    decisions: decisions.map(placed),
    outcomes: outcomesOf(decision.action),
    always: offer.choices.includes("always") ? { rules: offer.rules, file: pathsOf(project).user } : null,
  };
}

/** The outcome of a call: of `toolwright run`, of a model while a person can be asked, and of a model otherwise. */
function outcomesOf(action: ApiDecision["action"]): ApiExplanation["outcomes"] {
  switch (action) {
    case "allow":
      return { run: "runs", attended: "runs", unattended: "runs" };
    case "implicit-ask":
      return { run: "runs", attended: "asks", unattended: "refused" };
    case "ask":
      return { run: "asks", attended: "asks", unattended: "refused" };
    case "deny":
      return { run: "refused", attended: "refused", unattended: "refused" };
  }
}

/** The rules of both files with their positions, and their lines if known. */
function placedRules(project: Project): ApiRule[] {
  const paths = pathsOf(project);
  return (["user", "project"] as const).flatMap((from) => {
    const rules = project.settings.permissions[from];
    const lines = rules.length === 0 ? [] : ruleLines(paths[from]);
    return rules.map((rule, at) => {
      const line = lines.length === rules.length ? lines[at] : undefined;
      return { ...rule, from, file: paths[from], position: at + 1, ...defined({ line }) };
    });
  });
}

function pathsOf({ homes, root }: Project): ReturnType<typeof settingsPaths> {
  return settingsPaths({ homes, discovered: { project: { root } } });
}
