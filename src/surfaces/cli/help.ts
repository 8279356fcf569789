import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/** What `toolwright help` itself takes. */
export const HELP: CommandSpec = {
  usage: "toolwright help [command]",
  about: "",
  options: {},
  positionals: [0, 1],
  examples: [],
};

/** What is said to somebody who names no command. */
export function generalHelp(): string {
  return `Drop a tool file into a folder, and every coding agent can call it.

Usage: toolwright <command> [options]

Commands:
${columns(COMMANDS.map(({ name, summary }) => [name, summary]))}

Options of every command:
${optionLines(GLOBAL_OPTIONS)}
  --version           show the version

Examples:
  toolwright new hello
  toolwright run hello --name World
  toolwright help run
`;
}

/** The help of one command. */
export function commandHelp({ usage, about, options, examples }: CommandSpec): string {
  const own = Object.keys(options).length === 0 ? "" : `Options:\n${optionLines(options)}\n\n`;
  return `Usage: ${usage}

${about}

${own}Options of every command:
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
  return rows.map(([left, right]) => `  ${left.padEnd(18)}  ${right}`).join("\n");
}
