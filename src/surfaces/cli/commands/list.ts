import type { ToolInfo } from "../../../catalog/registry/registry-entry.ts";
import type { Problem } from "../../../core/problem.ts";
import type { ToolListing } from "../../../toolbox/open-listing.ts";
import { type Command, type Invocation, isSet } from "../args/command.ts";
import { fieldTexts } from "../args/schema-view.ts";
import { findMisplaced, type Misplaced, misplacedLines } from "../misplaced.ts";
import {
  blockedLines,
  firstLine,
  indented,
  printJson,
  problemLines,
  shownPath,
  styled,
  table,
} from "../output/print.ts";
import type { Output } from "../output/terminal.ts";
import { excerpt } from "../output/wrap.ts";
import { toToolJson } from "../tool-json.ts";
import { withListing } from "../with-toolbox.ts";

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
    withListing(invocation, async (listing) => {
      const { terminal, globals } = invocation;
      const misplaced = findMisplaced(invocation, listing);
      const answer = globals.json ? toJson(listing, misplaced) : toText(listing, misplaced, invocation);
      // No tool will be called: the hosts can exit while the output is written.
      const closed = listing.close();
      if (typeof answer === "string") terminal.stdout.write(answer);
      else printJson(terminal, answer);
      await closed;
      return 0;
    }),
};

function toJson(listing: ToolListing, misplaced: readonly Misplaced[]): object {
  return {
    tools: listing.list().map(toToolJson),
    shadowed: listing.status.shadowed,
    problems: problemsOfLoadedFiles(listing),
    blocked: listing.status.blocked,
    loading: listing.status.loading,
    misplaced,
    warnings: listing.status.warnings,
  };
}

function toText(listing: ToolListing, misplaced: readonly Misplaced[], invocation: Invocation): string {
  const { stdout } = invocation.terminal;
  const { cwd } = invocation.globals;
  const isLong = isSet(invocation, "long");
  const sections = [
    ...(isLong ? listing.list().map((tool) => longLines(tool, stdout, cwd)) : []),
    ...(isLong && ownTools(listing).length > 0 ? [] : [toolLines(listing, stdout)]),
    loadingLines(listing, stdout, cwd),
    problemLines(problemsOfLoadedFiles(listing), stdout, cwd),
    shadowedLines(listing, stdout, cwd),
    overridingLines(listing, cwd),
    blockedLines(listing.status.blocked, stdout, cwd),
    misplacedLines(misplaced, stdout, cwd),
    isLong ? [] : builtinLines(listing, stdout),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function toolLines(listing: ToolListing, stdout: Output): string[] {
  const tools = ownTools(listing);
  if (tools.length > 0) {
    const [head = "", ...rows] = table([HEAD, ...tools.map((tool) => row(tool, stdout))], stdout.columns);
    // On a narrow terminal, descriptions are below names.
    return head.endsWith(HEAD[2]) ? [styled(stdout, "bold", head), ...rows] : rows.slice(1);
  }
  if (listing.status.loading.length > 0) return [];
  if (listing.problems().length > 0 || listing.status.blocked.length > 0) return ["No tool can be called here."];
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

/** On a busy machine, a file may take as long as one that hangs: before its import has ended, or was stopped, it has no problem. */
function problemsOfLoadedFiles(listing: ToolListing): Problem[] {
  const loading = new Set(listing.status.loading);
  return listing.problems().filter(({ file }) => !loading.has(file));
}

function loadingLines(listing: ToolListing, stdout: Output, cwd: string): string[] {
  const loading = listing.status.loading;
  if (loading.length === 0) return [];
  const whose = loading.length === 1 ? "its tools are" : "their tools are";
  return [
    styled(stdout, "yellow", `Still loading, so ${whose} not listed:`),
    ...loading.slice(0, MAX_LOADING).map((file) => `  ${shownPath(file, cwd)}`),
    ...(loading.length > MAX_LOADING ? [`  and ${loading.length - MAX_LOADING} more files. List again later.`] : []),
  ];
}

/** How many files that are still loading are named. */
const MAX_LOADING = 10;

function ownTools(listing: ToolListing): ToolInfo[] {
  return listing.list().filter(({ source }) => source !== "builtin");
}

function builtinLines(listing: ToolListing, { columns }: Output): string[] {
  const builtins = listing.list().filter(({ source }) => source === "builtin");
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

function shadowedLines(listing: ToolListing, { columns }: Output, cwd: string): string[] {
  const shadowed = listing.status.shadowed.filter(({ builtin }) => !builtin);
  if (shadowed.length === 0) return [];
  const lines = shadowed.flatMap(({ name, file, by }) =>
    indented(`${name}: ${shownPath(file, cwd)} is hidden by ${shownPath(by, cwd)}`, "  ", columns),
  );
  return ["Hidden by a tool of the same name in a folder with higher priority:", ...lines];
}

function overridingLines(listing: ToolListing, cwd: string): string[] {
  const overriding = listing.status.shadowed.filter(({ builtin }) => builtin);
  return overriding.map(({ name, by }) => `${shownPath(by, cwd)} overrides the built-in ${name}.`);
}
