import { defined } from "../platform/values/defined.ts";
import type { Rule } from "../settings/permissions/rule.ts";

/** The tools that an agent gets: those that match a name or wildcard, or, without `tools`, its built-in tools and all others. */
export interface ToolFilter {
  readonly tools?: readonly string[];
  readonly builtins?: boolean | readonly string[];
}

/** What limits the session of a sub-agent. It is stored in the log of the session. A later task can only add limits. */
export interface SubAgentLimits {
  /** The sub-agent first, then the agents that delegated to it. The permission rules for all of them apply to each call. */
  readonly agents: readonly string[];
  /** The sub-agent gets a tool only if all of these admit it. */
  readonly tools: readonly ToolFilter[];
  /**
   * Lists of rules, as they were in the settings when a task began. A call is denied if the last matching rule of one list denies
   * it, whatever the settings say now.
   */
  readonly denials: readonly (readonly Rule[])[];
}

/** Both limits. Undefined is no limit. */
export function addLimits(first: SubAgentLimits | undefined, second: SubAgentLimits): SubAgentLimits {
  if (!first) return second;
  return {
    agents: [...new Set([...first.agents, ...second.agents])],
    tools: distinct([...first.tools, ...second.tools]),
    denials: distinct([...first.denials, ...second.denials]),
  };
}

/** Whether limits already contain others. */
export function hasLimits(limits: SubAgentLimits | undefined, others: SubAgentLimits): boolean {
  return limits !== undefined && JSON.stringify(addLimits(limits, others)) === JSON.stringify(limits);
}

/** What chooses the tools of a sub-agent: those that its session had from the beginning, as far as the settings still give them to its kind. */
export function filtersOf(
  limits: SubAgentLimits | undefined,
  kinds: Readonly<Record<string, ToolFilter>>,
): readonly ToolFilter[] {
  const { agents = [], tools = [] } = limits ?? {};
  const now = agents.slice(0, 1).flatMap((kind) => kinds[kind] ?? []);
  return [...tools, ...now.map((each) => defined({ tools: each.tools }))];
}

/** The limits in a stored value; undefined if it has none that can be read. */
export function readSubAgentLimits(value: unknown): SubAgentLimits | undefined {
  const { agents, tools, denials } = (value ?? {}) as { readonly [Key in keyof SubAgentLimits]?: unknown };
  const isRead = isList(agents, isText) && isList(tools, isFilter) && isList(denials, (list) => isList(list, isRule));
  return isRead ? (value as SubAgentLimits) : undefined;
}

/**
 * The part of the rules of one settings file that denies something to these agents by name. Later rules for them belong to it,
 * because they may allow a part again. Empty if no rule names one of the agents in a denial, else one list.
 */
export function denialsFor(rules: readonly Rule[], isFor: (rule: Rule) => boolean): SubAgentLimits["denials"] {
  const own = rules.filter((rule) => rule.agent === undefined || isFor(rule));
  const first = own.findIndex(({ agent, action }) => agent !== undefined && action === "deny");
  if (first < 0) return [];
  // A denial for all agents is not one of the sub-agent: it ends when the user removes it.
  return [own.slice(first).filter(({ agent, action }) => agent !== undefined || action !== "deny")];
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFilter(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { tools = [], builtins = false } = value as { readonly tools?: unknown; readonly builtins?: unknown };
  return isList(tools, isText) && (typeof builtins === "boolean" || isList(builtins, isText));
}

function isRule(value: unknown): boolean {
  const { tool, action } = (value ?? {}) as { readonly tool?: unknown; readonly action?: unknown };
  return isText(tool) && isText(action);
}
