import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/** The arguments of `toolwright help`. */
export const HELP: CommandSpec = {
  usage: "toolwright help [COMMAND]",
  about: "",
  options: {},
  positionals: [0, 1],
  examples: [],
};

/** The help without a command. */
export function generalHelp(): string {
  return `Drop a tool file into a folder, and every coding agent can call it.

Usage: toolwright <command> [options]

Commands:
${columns(COMMANDS.map(({ name, summary }) => [name, summary]))}

Global options:
${optionLines({ ...GLOBAL_OPTIONS, version: { type: "boolean", short: "v", help: "Show the version" } })}

Examples:
  toolwright new hello                Write a first tool
  toolwright run hello --name World   Call it
  toolwright install claude-code      Give your tools to an agent

See 'toolwright help <command>' for the options of a command.
`;
}

/** The help of one command. */
export function commandHelp({ usage, about, options, examples }: CommandSpec): string {
  const own = Object.keys(options).length === 0 ? "" : `Options:\n${optionLines(options)}\n\n`;
  return `Usage: ${usage}

${about}

${own}Global options:
${optionLines(GLOBAL_OPTIONS)}

Examples:
${examples.map((example) => `  ${example}`).join("\n")}
`;
}

function optionLines(options: OptionSpecs): string {
  return columns(
    Object.entries(options).map(([name, option]) => [
      `${option.short === undefined ? "" : `-${option.short}, `}--${name}${valuePart(option)}`,
      option.help,
    ]),
  );
}

function valuePart({ type, value, follows }: OptionSpec): string {
  if (value === undefined) return "";
  if (type === "string") return ` ${value}`;
  return follows ? ` [${value}]` : `[=${value}]`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
