import type { Builtins } from "../catalog/builtin-selection.ts";
import type { ToolInfo } from "../catalog/registry/registry-entry.ts";
import type { ApiRule } from "../core/api-page.ts";
import { isFor } from "../settings/permissions/covering-rule.ts";
import { isVisibleToAgent } from "../settings/permissions/tool-visibility.ts";
import { admits } from "./agent-tools.ts";
import { permissionsOf } from "./permission-view.ts";
import type { Toolbox } from "./toolbox.ts";

/** Why a tool that exists is not given to an agent. */
export type HiddenReason =
  | { readonly kind: "disabled" }
  /** By a rule for the whole tool. */
  | { readonly kind: "denied"; readonly rule?: ApiRule }
  | { readonly kind: "inactive" }
  /** It is not among the only tools of the session. */
  | { readonly kind: "not_chosen" }
  /** A built-in tool of which the agent has its own. */
  | { readonly kind: "not_selected" };

interface HiddenTool {
  readonly tool: ToolInfo;
  readonly reason: HiddenReason;
}

/** The agent of a session, and which tools it gets. */
interface AgentInSession {
  readonly agent: string;
  readonly sessionID: string;
  /** The built-in tools that the agent gets. */
  readonly builtins?: Builtins;
  /** The only tools of the session. */
  readonly tools?: readonly string[] | undefined;
}

/** The tools that an agent is not given in a session. */
export function hiddenTools(
  toolbox: Toolbox,
  { agent, sessionID, builtins = true, tools }: AgentInSession,
): HiddenTool[] {
  const shown = new Set(toolbox.list({ sessionID, agent }).map(({ name }) => name));
  const { user, project } = toolbox.project.settings.permissions;
  const rules = { user: { rules: user }, project: { rules: project }, agent };
  const filter = { ...(tools ? { tools } : {}), builtins };
  const reasonFor = (tool: ToolInfo): HiddenReason | undefined => {
    const { name, enabled } = tool;
    if (!enabled) return { kind: "disabled" };
    if (!isVisibleToAgent({ ...rules, tool: name })) return denied(toolbox, name, agent);
    if (!shown.has(name)) return { kind: "inactive" };
    if (admits(filter, tool)) return undefined;
    return { kind: tools ? "not_chosen" : "not_selected" };
  };
  return toolbox.list().flatMap((tool) => {
    const reason = reasonFor(tool);
    return reason === undefined ? [] : [{ tool, reason }];
  });
}

function denied({ project }: Toolbox, tool: string, agent: string): HiddenReason {
  const rule = permissionsOf(project).rules.findLast(
    (each) => each.action === "deny" && each.match === undefined && isFor(each, { tool, agent }),
  );
  return { kind: "denied", ...(rule ? { rule } : {}) };
}
