import { readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { exportLine } from "../../../core/export-line.ts";
import type { Problem } from "../../../core/problem.ts";
import type { JsonSchema } from "../../../core/schema.ts";
import type { ToolInfo } from "../../../registry/entry.ts";
import type { Toolbox } from "../../../toolbox.ts";
import { type Advice, adviceOn } from "../advice.ts";
import type { Command, Invocation } from "../command.ts";
import { blockedLines, indented, printable, printJson, problemLines, shownPlace, styled } from "../print.ts";
import { fieldsOf, typeText } from "../schema-view.ts";
import { UsageError } from "../usage-error.ts";
import { showingStatus, withToolbox } from "../with-toolbox.ts";

/** `toolwright check [FILE…]`. */
export const check: Command = {
  spec: {
    usage: "toolwright check [FILE …] [options]",
    about: `Loads every tool file, or those named, and says what a model would see of each tool and what is wrong with it.
Problems make the exit code 1; warnings do not.`,
    options: {},
    positionals: [0, Number.POSITIVE_INFINITY],
    examples: ["toolwright check", "toolwright check .toolwright/tools/hello.ts", "toolwright check --json --trust"],
  },
  run: (invocation) =>
    withToolbox(invocation, async (toolbox) => {
      await showingStatus(invocation, "Checking tool files …", () => toolbox.verify());
      const report = reportOn(toolbox, invocation);
      if (invocation.globals.json) printJson(invocation.terminal, toJson(report));
      else print(report, invocation);
      if (report.blocked.length > 0) printBlocked(report, invocation);
      return report.ok ? 0 : 1;
    }),
};

interface CheckedTool {
  readonly name: string;
  readonly file: string;
  readonly line?: number;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly warnings: readonly Advice[];
}

interface CheckReport {
  readonly tools: readonly CheckedTool[];
  readonly problems: readonly Problem[];
  readonly blocked: ReturnType<Toolbox["blocked"]>;
  readonly ok: boolean;
}

/** What was not looked at, for want of trust, has not passed. */
function reportOn(toolbox: Toolbox, { globals, positionals }: Invocation): CheckReport {
  const concerns = chosen(positionals, globals.cwd, toolbox);
  const all = toolbox.list().filter((tool) => tool.enabled);
  const names = all.map(({ name }) => name);
  const tools = all.filter(({ file }) => concerns(file)).map((tool) => checkedTool(tool, names));
  const problems = toolbox.problems().filter(({ file }) => concerns(file));
  const blocked = toolbox.blocked().flatMap((each) => {
    const files = each.files.filter(concerns);
    return files.length > 0 ? [{ ...each, files }] : [];
  });
  return { tools, problems, blocked, ok: problems.length === 0 && blocked.length === 0 };
}

function checkedTool(tool: ToolInfo, names: readonly string[]): CheckedTool {
  const { name, file, description, inputSchema, exportName = "default" } = tool;
  const line = exportLine(readOrNothing(file), exportName);
  return {
    name,
    file,
    ...(line === undefined ? {} : { line }),
    description,
    inputSchema,
    warnings: adviceOn(tool, names),
  };
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Whether a file is among those named; all are when none is. Throws for a name that is no tool file of this place. */
function chosen(named: readonly string[], cwd: string, toolbox: Toolbox): (file: string) => boolean {
  if (named.length === 0) return () => true;
  const known = [
    ...toolbox.list().map(({ file }) => file),
    ...toolbox.problems().map(({ file }) => file),
    ...toolbox.shadowed().map(({ file }) => file),
    ...toolbox.blocked().flatMap(({ files }) => files),
  ].map(real);
  const wanted = new Set(named.map((file) => real(resolve(cwd, file))));
  const stranger = named.find((file) => !known.includes(real(resolve(cwd, file))));
  if (stranger !== undefined) {
    throw new UsageError(
      `${stranger} is not a tool file in any folder where tools are looked for. To check it all the same, add: --tools-path ${resolve(cwd, stranger)}`,
    );
  }
  return (file) => wanted.has(real(file));
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function toJson({ tools, problems, blocked, ok }: CheckReport): unknown {
  return { tools, problems, blocked, ok };
}

function print(report: CheckReport, { terminal, globals }: Invocation): void {
  const { stdout } = terminal;
  const sections = [
    ...report.tools.map((tool) => [
      `${styled(stdout, "bold", tool.name)}  ${styled(stdout, "dim", shownPlace(tool, globals.cwd))}`,
      ...indented(tool.description.trim(), "  "),
      `  ${printable(argumentsLine(tool.inputSchema))}`,
      ...tool.warnings.map(({ message }) => `  ${styled(stdout, "yellow", "warning:")} ${printable(message)}`),
    ]),
    problemLines(report.problems, stdout, globals.cwd),
    [summary(report)],
  ];
  stdout.write(
    `${sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join("\n"))
      .join("\n\n")}\n`,
  );
}

function argumentsLine(schema: JsonSchema): string {
  const fields = fieldsOf(schema).map(
    ({ name, schema: field, required }) => `${name}${required ? "" : "?"}: ${typeText(field, schema)}`,
  );
  return fields.length === 0 ? "takes no arguments" : `takes { ${fields.join(", ")} }`;
}

function summary({ tools, problems }: CheckReport): string {
  const warnings = tools.reduce((sum, tool) => sum + tool.warnings.length, 0);
  return `${count(tools.length, "tool")}, ${count(problems.length, "problem")}, ${count(warnings, "warning")}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function printBlocked({ blocked }: CheckReport, { terminal, globals }: Invocation): void {
  terminal.stderr.write(`${blockedLines(blocked, terminal.stderr, globals.cwd).join("\n")}\n`);
}
