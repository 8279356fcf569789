import type { Problem } from "../../../core/problem.ts";
import type { ToolInfo } from "../../../registry/registry-entry.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { Command, Invocation } from "../command.ts";
import { blockedLines, firstLine, printJson, problemLines, shownPath, styled, table } from "../print.ts";
import type { Output } from "../terminal.ts";
import { toToolJson } from "../tool-json.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright list`. */
export const list: Command = {
  spec: {
    usage: "toolwright list [options]",
    about: `Lists the tools of this directory, the files with problems, the tools that another tool of the same name hides, and the
files of an untrusted project. Built-in tools are listed by name only: see "toolwright show NAME", or use --json.`,
    options: {},
    positionals: [0, 0],
    examples: ["toolwright list", "toolwright list --json", "toolwright list --cwd ../other --tools-path ~/my-tools"],
  },
  run: (invocation) =>
    withToolbox(invocation, async (toolbox) => {
      const { terminal, globals } = invocation;
      const answer = globals.json ? toJson(toolbox) : toText(toolbox, invocation);
      // No tool will be called: the hosts can exit while the output is written.
      const closed = toolbox.close();
      if (typeof answer === "string") terminal.stdout.write(answer);
      else printJson(terminal, answer);
      await closed;
      return 0;
    }),
};

function toJson(toolbox: Toolbox): object {
  return {
    tools: toolbox.list().map(toToolJson),
    shadowed: toolbox.status.shadowed,
    problems: toolbox.problems(),
    blocked: toolbox.status.blocked,
    loading: toolbox.status.loading,
  };
}

function toText(toolbox: Toolbox, { terminal, globals }: Invocation): string {
  const { stdout } = terminal;
  const sections = [
    toolLines(toolbox, stdout.columns),
    loadingLines(toolbox, stdout, globals.cwd),
    problemLines(problemsOfLoadedFiles(toolbox), stdout, globals.cwd),
    shadowedLines(toolbox, globals.cwd),
    overridingLines(toolbox, globals.cwd),
    blockedLines(toolbox.status.blocked, stdout, globals.cwd),
    builtinLines(toolbox),
  ];
  const [head = "", ...rows] = sections[0] ?? [];
  sections[0] = [ownTools(toolbox).length > 0 ? styled(stdout, "bold", head) : head, ...rows];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function toolLines(toolbox: Toolbox, columns: number | undefined): string[] {
  const tools = ownTools(toolbox);
  if (tools.length > 0) return table([["NAME", "PLACE", "DESCRIPTION"], ...tools.map(row)], columns);
  if (toolbox.problems().length > 0 || toolbox.status.blocked.length > 0) return ["No tool can be called here."];
  return ["No tools yet. Create one and call it:", "", "  toolwright new hello", "  toolwright run hello --name World"];
}

/** The problems of the files that have loaded. */
function problemsOfLoadedFiles(toolbox: Toolbox): Problem[] {
  const loading = new Set(toolbox.status.loading);
  return toolbox.problems().filter(({ file }) => !loading.has(file));
}

function loadingLines(toolbox: Toolbox, stdout: Output, cwd: string): string[] {
  const loading = toolbox.status.loading;
  if (loading.length === 0) return [];
  const whose = loading.length === 1 ? "its tools are" : "their tools are";
  return [
    styled(stdout, "yellow", `Still loading, so ${whose} not listed:`),
    ...loading.map((file) => `  ${shownPath(file, cwd)}`),
  ];
}

function ownTools(toolbox: Toolbox): ToolInfo[] {
  return toolbox.list().filter(({ source }) => source !== "builtin");
}

function builtinLines(toolbox: Toolbox): string[] {
  const builtins = toolbox.list().filter(({ source }) => source === "builtin");
  const names = builtins.map(({ name, enabled }) => (enabled ? name : `${name} (disabled)`));
  return names.length > 0 ? [`Built in: ${names.join(", ")}`] : [];
}

function row({ name, place, description, enabled }: ToolInfo): string[] {
  return [name, place, `${enabled ? "" : "(disabled) "}${firstLine(description)}`];
}

function shadowedLines(toolbox: Toolbox, cwd: string): string[] {
  const shadowed = toolbox.status.shadowed.filter(({ builtin }) => !builtin);
  if (shadowed.length === 0) return [];
  const lines = shadowed.map(
    ({ name, file, by }) => `  ${name}: ${shownPath(file, cwd)} is hidden by ${shownPath(by, cwd)}`,
  );
  return ["Hidden by a tool of the same name in a folder with higher priority:", ...lines];
}

function overridingLines(toolbox: Toolbox, cwd: string): string[] {
  const overriding = toolbox.status.shadowed.filter(({ builtin }) => builtin);
  return overriding.map(({ name, by }) => `${shownPath(by, cwd)} overrides the built-in ${name}.`);
}
