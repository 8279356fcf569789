import { isFor } from "./matches.ts";
import type { Rule } from "./rule.ts";

/** Whether an agent is shown a tool at all: not when the user's or the project's rules deny everything it could do. */
export function isToolShown(request: {
  readonly user: { readonly rules: readonly Rule[] };
  readonly project?: { readonly rules: readonly Rule[] };
  readonly tool: string;
  readonly agent: string;
  /** The agents on whose behalf it acts: what is denied to one of them is of no use to it. */
  readonly parents?: readonly string[];
}): boolean {
  const { tool } = request;
  const lists = [request.user.rules, request.project?.rules ?? []];
  const agents = [request.agent, ...(request.parents ?? [])];
  return agents.every((agent) =>
    lists.every((rules) => !deniesAll(rules.filter((rule) => isFor(rule, { tool, agent })))),
  );
}

/** A denial of everything counts unless a later rule gives a part of it back. */
function deniesAll(rules: readonly Rule[]): boolean {
  const last = rules.findLast((rule) => rule.match === undefined || rule.action !== "deny");
  return last?.match === undefined && last?.action === "deny";
}
