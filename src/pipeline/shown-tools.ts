import type { Settings } from "../config/settings.ts";
import { isForProvider, isVisibleToAgent } from "../permissions/tool-visibility.ts";
import type { ToolInfo } from "../registry/entry.ts";

/** To whom tools are shown. */
export interface Audience {
  /** The agent, and those on whose behalf it acts. */
  readonly agents: readonly string[];
  /** A provider, `anthropic`, or a model of one, `openai/gpt-5`; all of them when left out. */
  readonly provider?: string;
}

/** What a model is shown of these tools: those that are enabled, meant for it, and not denied to its agent altogether. */
export function shownTools(
  tools: readonly ToolInfo[],
  { permissions: { user, project } }: Settings,
  { agents, provider }: Audience,
): readonly ToolInfo[] {
  const [agent = "", ...parents] = agents;
  const rules = { user: { rules: user }, project: { rules: project }, agent, parents };
  const areRules = user.length + project.length > 0;
  return tools.filter(
    ({ enabled, name, providers }) =>
      enabled &&
      (!areRules || isVisibleToAgent({ ...rules, tool: name })) &&
      (provider === undefined || isForProvider(providers, provider)),
  );
}
