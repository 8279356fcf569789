import { identityOf, type ToolInfo } from "../../../catalog/registry/registry-entry.ts";
import { shownPlace } from "../../../platform/files/shown-path.ts";
import { countText } from "../../../platform/text/amount-text.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { ChatCommand } from "../chat-actions.ts";
import { awaitTools } from "./await-tools.ts";
import { inlineCode, inlineText } from "./inline-markdown.ts";

/** `/reload`. */
export const reloadCommand: ChatCommand = {
  name: "reload",
  about: "Reads new, changed and failed tool files and settings, and says what changed.",
  async run(_, chat) {
    const { toolbox } = chat;
    const before = snapshotOf(toolbox);
    await awaitTools(chat, toolbox.reload());
    chat.show(changesText(before, snapshotOf(toolbox)));
  },
};

interface Snapshot {
  /** The definition of each tool that is served, by name. */
  readonly tools: ReadonlyMap<string, string>;
  /** A line for each problem, those of settings included. */
  readonly problems: ReadonlySet<string>;
}

function snapshotOf(toolbox: Toolbox): Snapshot {
  const { directory } = toolbox.project;
  const problems = [...toolbox.problems(), ...toolbox.status.warnings];
  const enabled = toolbox.list().filter((tool) => tool.enabled);
  return {
    tools: new Map(enabled.map((tool) => [tool.name, definitionOf(tool)])),
    problems: new Set(
      problems.map(
        (problem) => `${inlineCode(shownPlace(problem, directory))} ${inlineText(problem.message, MAX_TEXT)}`,
      ),
    ),
  };
}

const MAX_TEXT = 500;

function definitionOf(tool: ToolInfo): string {
  const { description, inputSchema, outputSchema, hints, limits } = tool;
  return JSON.stringify([identityOf(tool), description, inputSchema, outputSchema, hints, limits]);
}

function changesText(before: Snapshot, now: Snapshot): string {
  const names = [...now.tools.keys()];
  const changes = [
    ...named("Added", without(names, before.tools)),
    ...named("Removed", without(before.tools.keys(), now.tools)),
    ...named(
      "Changed",
      names.filter((name) => before.tools.has(name) && before.tools.get(name) !== now.tools.get(name)),
    ),
    ...listed("New problems", without(now.problems, before.problems)),
    ...listed("Solved", without(before.problems, now.problems)),
  ];
  const total = `${countText(now.tools.size, "tool")}, ${countText(now.problems.size, "problem")}.`;
  const hint = now.problems.size > 0 ? " To see them: `/context`" : "";
  return [...(changes.length === 0 ? ["No definition of a tool has changed."] : changes), "", `${total}${hint}`].join(
    "\n",
  );
}

function without(all: Iterable<string>, known: { has(each: string): boolean }): string[] {
  return [...all].filter((each) => !known.has(each));
}

function named(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`- ${title}: ${names.map(inlineCode).join(", ")}`];
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`- ${title}:`, ...lines.map((line) => `  - ${line}`)];
}
