import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from "./args/command.ts";
import { COMMANDS } from "./commands.ts";
import { table } from "./output/print.ts";
import { wrapped } from "./output/wrap.ts";

/** The arguments of `toolwright help`. */
export const HELP: CommandSpec = {
  usage: "toolwright help [COMMAND]",
  about: "",
  options: {},
  positionals: [0, 1],
  examples: [],
};

/** The help without a command, for an output of this width. */
export function generalHelp(columns?: number): string {
  return `Drop a tool file into a folder, and every coding agent can call it.

Usage: toolwright <command> [options]

Commands:
${rows(
  COMMANDS.map(({ name, summary }) => [name, summary]),
  columns,
)}

Global options:
${optionLines({ ...GLOBAL_OPTIONS, version: { type: "boolean", short: "v", help: "Show the version" } }, columns)}

Examples:
  toolwright new hello                Write a first tool
  toolwright run hello --name World   Call it
  toolwright install claude-code      Give your tools to an agent

See 'toolwright help <command>' for the options of a command.
`;
}

/** The help of one command, for an output of this width. */
export function commandHelp({ usage, about, options, examples }: CommandSpec, columns?: number): string {
  const own = Object.keys(options).length === 0 ? "" : `Options:\n${optionLines(options, columns)}\n\n`;
  return `Usage: ${usage}

${wrapped(columns === undefined ? about : inWholeLines(about), columns).join("\n")}

${own}Global options:
${optionLines(GLOBAL_OPTIONS, columns)}

Examples:
${examples.map((example) => `  ${example}`).join("\n")}
`;
}

function inWholeLines(text: string): string {
  return text.replace(/(?<=\S)\n(?=[^\s-])/g, " ");
}

function optionLines(options: OptionSpecs, columns: number | undefined): string {
  return rows(
    Object.entries(options).map(([name, option]) => [
      `${option.short === undefined ? "" : `-${option.short}, `}--${name}${valuePart(option)}`,
      option.help,
    ]),
    columns,
  );
}

function valuePart({ type, value, follows }: OptionSpec): string {
  if (value === undefined) return "";
  if (type === "string") return ` ${value}`;
  return follows ? ` [${value}]` : `[=${value}]`;
}

function rows(cells: readonly (readonly [string, string])[], columns: number | undefined): string {
  return table(cells, columns, "  ").join("\n");
}
