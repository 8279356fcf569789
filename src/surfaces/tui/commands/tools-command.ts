import { ENABLE_IT, explainMissing } from "../../../calls/resolve-tool.ts";
import type { ToolInfo } from "../../../catalog/registry/registry-entry.ts";
import type { JsonSchema } from "../../../core/schema.ts";
import { shownPath } from "../../../platform/files/shown-path.ts";
import { countText } from "../../../platform/text/amount-text.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type FieldView, fieldsOf, fieldTexts, follow, typeText } from "../../cli/args/schema-view.ts";
import type { ChatCommand } from "../chat-actions.ts";
import { awaitTools } from "./await-tools.ts";
import { inlineCode, inlineText } from "./inline-markdown.ts";

/** `/tools [NAME]`. */
export const toolsCommand: ChatCommand = {
  name: "tools",
  about: "Lists the tools, or shows the arguments and the file of one.",
  argument: "[NAME]",
  complete: ({ toolbox }) =>
    toolbox.list().map(({ name, description }) => ({ value: name, label: name, description: inlineText(description) })),
  async run(name, chat) {
    const { toolbox } = chat;
    if (name === "") {
      await awaitTools(chat, toolbox.ready());
      return chat.show(listText(toolbox));
    }
    const tool = await awaitTools(chat, toolbox.find(name));
    if (!tool) throw explainMissing(name, toolbox).error;
    chat.show(toolText(tool, toolbox.project.directory));
  },
};

function listText(toolbox: Toolbox): string {
  const tools = toolbox.list();
  if (tools.length === 0) return "No tools. To create one, run: `toolwright new hello`";
  const [builtin, own] = [tools.filter(isBuiltin), tools.filter((tool) => !isBuiltin(tool))];
  const line = ({ name, description, enabled }: ToolInfo): string =>
    `- ${inlineCode(name)}${enabled ? "" : " (disabled)"} ${inlineText(description)}`;
  return [
    ...(own.length === 0 ? [] : [`**${countText(own.length, "tool")}**`, "", ...own.map(line), ""]),
    ...(builtin.length === 0
      ? []
      : [`**${countText(builtin.length, "built-in tool")}**`, "", ...builtin.map(line), ""]),
    "For the arguments of one: `/tools NAME`. To call one: `!NAME field=value`",
  ].join("\n");
}

function isBuiltin({ source }: ToolInfo): boolean {
  return source === "builtin";
}

/** The signature, the description, where it comes from, and its fields. */
function toolText(tool: ToolInfo, directory: string): string {
  const { name, description, inputSchema, source, place, format, file, enabled, overridesBuiltin } = tool;
  const fields = fieldsOf(inputSchema);
  const from = source === "builtin" ? "Built in" : `${inlineCode(shownPath(file, directory))} (${place}, ${format})`;
  return [
    inlineCode(`${name}(${fieldTexts(inputSchema).join(", ")})`),
    "",
    inlineText(description, MAX_DESCRIPTION),
    "",
    ...fields.map((field) => fieldLine(field, inputSchema)),
    ...(fields.length === 0 ? ["It takes no arguments."] : []),
    "",
    `From: ${from}`,
    ...(overridesBuiltin ? ["", `It overrides the built-in ${inlineCode(name)}.`] : []),
    ...(enabled ? [] : ["", `It is disabled. ${ENABLE_IT}`]),
  ].join("\n");
}

const MAX_DESCRIPTION = 1_000;

function fieldLine({ name, schema, required }: FieldView, root: JsonSchema): string {
  const { description, default: preset } = { ...follow(schema, root), ...schema };
  const need =
    preset === undefined ? (required ? "required" : "optional") : `default ${inlineCode(JSON.stringify(preset))}`;
  const about = typeof description === "string" && description.trim() !== "" ? `: ${inlineText(description)}` : "";
  return `- ${inlineCode(name)} ${inlineCode(typeText(schema, root))}, ${need}${about}`;
}
