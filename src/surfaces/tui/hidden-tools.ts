import { printableJson } from "../../core/printable.ts";
import { shownPlace } from "../../files/shown-path.ts";
import { isFor } from "../../permissions/covering-rule.ts";
import { isVisibleToAgent } from "../../permissions/tool-visibility.ts";
import type { ToolInfo } from "../../registry/registry-entry.ts";
import { isSelected } from "../../toolbox/builtin-selection.ts";
import { permissionsOf } from "../../toolbox/permission-view.ts";
import type { ChatActions } from "./chat-actions.ts";
import { inlineCode } from "./commands/inline-markdown.ts";

/** A tool that exists, but that the model of the chat is not given. */
export interface HiddenTool {
  readonly tool: ToolInfo;
  /** Why, in Markdown. */
  readonly reason: string;
}

/** The tools that the agent of the chat is not given in this session. */
export function hiddenTools({ toolbox, state }: Pick<ChatActions, "toolbox" | "state">): HiddenTool[] {
  const { agent, sessionID, builtins = true } = state;
  const shown = new Set(toolbox.list({ sessionID, agent }).map(({ name }) => name));
  const { settings, directory } = toolbox.project;
  const { user, project } = settings.permissions;
  const rules = { user: { rules: user }, project: { rules: project }, agent };
  const reasonFor = (tool: ToolInfo): string | undefined => {
    const { name, source, enabled } = tool;
    if (!enabled) return 'disabled by "tools.disabled" in the settings';
    if (!isVisibleToAgent({ ...rules, tool: name })) return `denied by a rule${placeOf(name)}`;
    if (!shown.has(name)) return "not active in this session";
    if (source === "builtin" && !isSelected(name, builtins)) return `${inlineCode(agent)} has its own tools for this`;
    return undefined;
  };
  /** The rule that denies a tool, and where it is. */
  const placeOf = (tool: string): string => {
    const denies = permissionsOf(toolbox.project).rules.findLast(
      (rule) => rule.action === "deny" && rule.match === undefined && isFor(rule, { tool, agent }),
    );
    if (!denies) return "";
    const { tool: pattern, agent: forAgent, action } = denies;
    const text = printableJson({ tool: pattern, agent: forAgent, action });
    return `, ${inlineCode(text)} in ${inlineCode(shownPlace(denies, directory))}`;
  };
  return toolbox.list().flatMap((tool) => {
    const reason = reasonFor(tool);
    return reason === undefined ? [] : [{ tool, reason }];
  });
}
