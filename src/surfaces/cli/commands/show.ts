import type { ToolInfo } from "../../../catalog/registry/registry-entry.ts";
import type { JsonSchema } from "../../../core/schema.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { Command, Invocation } from "../args/command.ts";
import { exampleCommand } from "../args/example-command.ts";
import { type FieldView, fieldsOf, follow, typeText } from "../args/schema-view.ts";
import { UsageError } from "../args/usage-error.ts";
import { blockedLines, indented, printable, printJson, shownPath, styled, table } from "../output/print.ts";
import { wrapped } from "../output/wrap.ts";
import { toToolJson } from "../tool-json.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright show NAME`. */
export const show: Command = {
  spec: {
    usage: "toolwright show NAME [options]",
    about: "Shows the description, the file, the arguments and the output of a tool, and a command that calls it.",
    options: {},
    positionals: [1, 1],
    examples: ["toolwright show hello", "toolwright show hello --json"],
  },
  run: (invocation) => {
    const { terminal, globals, positionals } = invocation;
    const [name = ""] = positionals;
    const showTool = async (toolbox: Toolbox): Promise<number> => {
      const tool = await toolbox.find(name);
      if (!tool) {
        const result = await toolbox.call({ name, caller: "cli" }).result;
        if (!globals.json) printNote(blockedLines(toolbox.status.blocked, terminal.stderr, globals.cwd), invocation);
        throw new UsageError(result.ok ? `There is no tool "${name}".` : result.error.message, "unknown_tool");
      }
      const { limits, hints } = tool;
      if (globals.json) printJson(terminal, { ...toToolJson(tool), limits, hints });
      else terminal.stdout.write(toText(tool, invocation));
      return 0;
    };
    return withToolbox(invocation, showTool, { tool: name });
  },
};

function printNote(lines: readonly string[], { terminal }: Invocation): void {
  if (lines.length > 0) terminal.stderr.write(`${lines.join("\n")}\n\n`);
}

function toText(tool: ToolInfo, { terminal, globals }: Invocation): string {
  const { stdout } = terminal;
  return `${[
    styled(stdout, "bold", tool.name),
    ...indented(tool.description.trim(), "  ", stdout.columns),
    "",
    ...wrapped(fromLine(tool, globals.cwd), stdout.columns, "", "  "),
    ...(tool.overridesBuiltin ? [`It overrides the built-in ${tool.name}.`] : []),
    ...(tool.enabled ? [] : ['Disabled in the settings ("tools.disabled"): it cannot be called.']),
    "",
    ...argumentLines(tool, stdout.columns),
    ...outputLines(tool, stdout.columns),
    // Not wrapped: it is there to be copied.
    ...(tool.enabled ? ["", styled(stdout, "bold", "Example"), `  ${printable(exampleCommand(tool))}`] : []),
  ].join("\n")}\n`;
}

function fromLine({ source, file, place, format }: ToolInfo, cwd: string): string {
  return source === "builtin" ? "Built in" : `From ${shownPath(file, cwd)} (${place}, format ${format})`;
}

function argumentLines({ inputSchema }: ToolInfo, columns: number | undefined): string[] {
  const fields = fieldsOf(inputSchema);
  if (fields.length === 0) return ["It takes no arguments."];
  const rows = fields.map((field) => fieldRow(field, inputSchema));
  return ["Arguments", ...table(rows, columns, "  ")];
}

function outputLines({ outputSchema }: ToolInfo, columns: number | undefined): string[] {
  if (outputSchema === undefined) return [];
  const fields = fieldsOf(outputSchema);
  if (fields.length === 0) return ["", `Data: ${printable(typeText(outputSchema, outputSchema))}`];
  const rows = fields.map(({ name, schema, required }) => [
    printable(name),
    printable(typeText(schema, outputSchema)),
    required ? "always" : "maybe",
    aboutField(schema, outputSchema),
  ]);
  return ["", "Data", ...table(rows, columns, "  ")];
}

function fieldRow({ name, schema, required }: FieldView, root: JsonSchema): string[] {
  const { default: preset } = { ...follow(schema, root), ...schema };
  const need = preset === undefined ? (required ? "required" : "optional") : `default ${JSON.stringify(preset)}`;
  return [printable(`--${name}`), printable(typeText(schema, root)), printable(need), aboutField(schema, root)];
}

function aboutField(schema: JsonSchema, root: JsonSchema): string {
  const { description } = { ...follow(schema, root), ...schema };
  return typeof description === "string" ? printable(description.trim()) : "";
}
