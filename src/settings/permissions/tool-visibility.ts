import { matchText } from "../../platform/text/wildcard.ts";
import { isFor } from "./covering-rule.ts";
import type { Rule } from "./rule.ts";

/** A tool, and the agent that uses it. */
export interface AgentOfTool {
  readonly tool: string;
  readonly agent: string;
  /** The agents that started this one. A denial for one of them applies to it too. */
  readonly parents?: readonly string[];
  /** Lists of earlier rules for a sub-agent. Where the last match of a list denies, the call is denied. Its other rules have no effect. */
  readonly denials?: readonly (readonly Rule[])[];
}

/** Whether a tool is listed for an agent. It is not if the rules of the user or the project deny every call of it. */
export function isVisibleToAgent(
  request: AgentOfTool & {
    readonly user: { readonly rules: readonly Rule[] };
    readonly project?: { readonly rules: readonly Rule[] };
  },
): boolean {
  const { tool } = request;
  const lists = [request.user.rules, request.project?.rules ?? [], ...(request.denials ?? [])];
  const agents = [request.agent, ...(request.parents ?? [])];
  return agents.every((agent) =>
    lists.every((rules) => !deniesAll(rules.filter((rule) => isFor(rule, { tool, agent })))),
  );
}

/** Whether the last general rule denies everything, and no later rule allows a part. */
function deniesAll(rules: readonly Rule[]): boolean {
  const last = rules.findLast((rule) => rule.match === undefined || rule.action !== "deny");
  return last?.match === undefined && last?.action === "deny";
}

/**
 * Whether a tool is for the models of a provider. A tool that names no providers is for all. Otherwise one of its patterns must
 * match the provider (`anthropic`) or the provider and the model (`openai/gpt-*`). If the model is not known, a pattern with a
 * model does not match.
 */
export function isForProvider(providers: readonly string[] | undefined, model: string): boolean {
  if (providers === undefined) return true;
  const [provider = ""] = model.split("/", 1);
  return providers.some((pattern) => matchText(pattern, pattern.includes("/") ? model : provider));
}
