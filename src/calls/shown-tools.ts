import type { ToolInfo } from "../catalog/registry/registry-entry.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import { isForProvider, isVisibleToAgent } from "../settings/permissions/tool-visibility.ts";
import type { Settings } from "../settings/settings.ts";

/** The model that tools are shown to. */
interface Audience {
  /** The agent, then the agents that delegated to it. */
  readonly agents: readonly string[];
  /** See `CallAgents`. */
  readonly denials?: readonly (readonly Rule[])[];
  /** A provider (`anthropic`) or one of its models (`openai/gpt-5`). If left out, tools for all providers are shown. */
  readonly provider?: string;
}

/**
 * The tools that a model is shown: enabled, for its provider, and not denied to its agent for every access. The session's
 * filter runs before this (`ServedToolbox.list`), the choice of tools for an MCP client after it (`surfaces/mcp/choose-tools.ts`).
 */
export function shownTools(
  tools: readonly ToolInfo[],
  { permissions: { user, project } }: Settings,
  { agents, denials = [], provider }: Audience,
): readonly ToolInfo[] {
  const [agent = "", ...parents] = agents;
  const rules = { user: { rules: user }, project: { rules: project }, agent, parents, denials };
  const hasRules = user.length + project.length + denials.length > 0;
  return tools.filter(
    ({ enabled, name, providers }) =>
      enabled &&
      (!hasRules || isVisibleToAgent({ ...rules, tool: name })) &&
      (provider === undefined || isForProvider(providers, provider)),
  );
}
