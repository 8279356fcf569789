import type { Problem } from "../../../core/problem.ts";
import type { ToolInfo } from "../../../registry/registry-entry.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Command, type Invocation, isSet } from "../command.ts";
import { findMisplaced, type Misplaced, misplacedLines } from "../misplaced.ts";
import { blockedLines, firstLine, indented, printJson, problemLines, shownPath, styled, table } from "../print.ts";
import { fieldTexts } from "../schema-view.ts";
import type { Output } from "../terminal.ts";
import { toToolJson } from "../tool-json.ts";
import { withToolbox } from "../with-toolbox.ts";
import { excerpt } from "../wrap.ts";

/** `toolwright list`. */
export const list: Command = {
  spec: {
    usage: "toolwright list [options]",
    about: `Lists the tools of this directory, the files with problems, the tools that another tool of the same name hides, and the
files of an untrusted project. Built-in tools are listed by name only; --long describes them too.`,
    options: {
      long: {
        type: "boolean",
        short: "l",
        help: "Show arguments, whole descriptions and files, also of built-in tools",
      },
    },
    positionals: [0, 0],
    examples: [
      "toolwright list",
      "toolwright list --long",
      "toolwright list --json",
      "toolwright list --cwd ../other --tools-path ~/my-tools",
    ],
  },
  run: (invocation) =>
    withToolbox(invocation, async (toolbox) => {
      const { terminal, globals } = invocation;
      const misplaced = findMisplaced(invocation, toolbox);
      const answer = globals.json ? toJson(toolbox, misplaced) : toText(toolbox, misplaced, invocation);
      // No tool will be called: the hosts can exit while the output is written.
      const closed = toolbox.close();
      if (typeof answer === "string") terminal.stdout.write(answer);
      else printJson(terminal, answer);
      await closed;
      return 0;
    }),
};

function toJson(toolbox: Toolbox, misplaced: readonly Misplaced[]): object {
  return {
    tools: toolbox.list().map(toToolJson),
    shadowed: toolbox.status.shadowed,
    problems: toolbox.problems(),
    blocked: toolbox.status.blocked,
    loading: toolbox.status.loading,
    misplaced,
  };
}

function toText(toolbox: Toolbox, misplaced: readonly Misplaced[], invocation: Invocation): string {
  const { stdout } = invocation.terminal;
  const { cwd } = invocation.globals;
  const isLong = isSet(invocation, "long");
  const sections = [
    ...(isLong ? toolbox.list().map((tool) => longLines(tool, stdout, cwd)) : []),
    ...(isLong && ownTools(toolbox).length > 0 ? [] : [toolLines(toolbox, stdout)]),
    loadingLines(toolbox, stdout, cwd),
    problemLines(problemsOfLoadedFiles(toolbox), stdout, cwd),
    shadowedLines(toolbox, stdout, cwd),
    overridingLines(toolbox, cwd),
    blockedLines(toolbox.status.blocked, stdout, cwd),
    misplacedLines(misplaced, stdout, cwd),
    isLong ? [] : builtinLines(toolbox, stdout),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function toolLines(toolbox: Toolbox, stdout: Output): string[] {
  const tools = ownTools(toolbox);
  if (tools.length > 0) {
    const [head = "", ...rows] = table([HEAD, ...tools.map((tool) => row(tool, stdout))], stdout.columns);
    // On a narrow terminal, descriptions are below names.
    return head.endsWith(HEAD[2]) ? [styled(stdout, "bold", head), ...rows] : rows.slice(1);
  }
  if (toolbox.problems().length > 0 || toolbox.status.blocked.length > 0) return ["No tool can be called here."];
  return ["No tools yet. Create one and call it:", "", "  toolwright new hello", "  toolwright run hello --name World"];
}

const HEAD = ["NAME", "PLACE", "DESCRIPTION"] as const;

/** A tool as it is called, its description, and where it comes from. */
function longLines(tool: ToolInfo, stdout: Output, cwd: string): string[] {
  const { name, inputSchema, description, source, place, file, enabled } = tool;
  const call = `${name}(${fieldTexts(inputSchema).join(", ")})`.replaceAll("\n", " ");
  const [signature = "", ...more] = indented(call, "", stdout.columns, "    ");
  const from = source === "builtin" ? "built in" : `${place}, ${shownPath(file, cwd)}`;
  return [
    styled(stdout, "bold", name) + signature.slice(name.length),
    ...more,
    ...indented(firstLine(description), "  ", stdout.columns),
    `  ${styled(stdout, "dim", `${from}${enabled ? "" : ", disabled"}`)}`,
  ];
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

function builtinLines(toolbox: Toolbox, { columns }: Output): string[] {
  const builtins = toolbox.list().filter(({ source }) => source === "builtin");
  const names = builtins.map(({ name, enabled }) => (enabled ? name : `${name} (disabled)`));
  return names.length > 0 ? indented(`Built in: ${names.join(", ")}`, "", columns, "  ") : [];
}

/** Some descriptions are one long line. On a terminal their beginning is enough. */
const MAX_DESCRIPTION = 200;

function row({ name, place, description, enabled }: ToolInfo, { columns }: Output): string[] {
  const line = firstLine(description);
  const shown = columns === undefined ? line : excerpt(line, MAX_DESCRIPTION);
  return [name, place, `${enabled ? "" : "(disabled) "}${shown}`];
}

function shadowedLines(toolbox: Toolbox, { columns }: Output, cwd: string): string[] {
  const shadowed = toolbox.status.shadowed.filter(({ builtin }) => !builtin);
  if (shadowed.length === 0) return [];
  const lines = shadowed.flatMap(({ name, file, by }) =>
    indented(`${name}: ${shownPath(file, cwd)} is hidden by ${shownPath(by, cwd)}`, "  ", columns),
  );
  return ["Hidden by a tool of the same name in a folder with higher priority:", ...lines];
}

function overridingLines(toolbox: Toolbox, cwd: string): string[] {
  const overriding = toolbox.status.shadowed.filter(({ builtin }) => builtin);
  return overriding.map(({ name, by }) => `${shownPath(by, cwd)} overrides the built-in ${name}.`);
}
