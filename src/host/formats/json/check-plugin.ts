import { messageOf } from "../../../core/error.ts";
import { TOOL_NAME } from "../../../core/tool.ts";
import { isPlainObject } from "../../../platform/values/is-object.ts";
import { isWholeJsonSchema } from "../../schema/dialect.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { checkHandler } from "./check-handler.ts";
import { createHandler } from "./create-handler.ts";
import { inputFields } from "./placeholders.ts";
import type { PluginToolDefinition } from "./plugin-file.ts";
import { kindOf, type PluginIssue, PluginProblem } from "./plugin-issue.ts";

/** The mistakes in one tool of a JSON file. */
export function checkPluginTool(data: unknown): PluginIssue[] {
  if (!isPlainObject(data)) {
    return [bad([], `This tool is ${kindOf(data)}. Write an object with name, description, inputSchema and handler.`)];
  }
  const issues = [
    ...checkName(data.name),
    ...checkDescription(data),
    ...checkSchema(data),
    ...checkHandler(data.handler),
  ];
  return issues.length > 0 ? issues : checkTogether(data as unknown as PluginToolDefinition);
}

/** The mistakes in the other fields of a JSON file of tools. */
export function checkPluginHead(data: Readonly<Record<PropertyKey, unknown>>): PluginIssue[] {
  const issues: PluginIssue[] = [];
  const { name, version } = data;
  if (typeof name !== "string" || name.trim() === "") {
    issues.push(
      bad(["name"], `name is ${kindOf(name)}. Write the name of this collection of tools, such as "my-tools".`),
    );
  }
  if (version !== undefined && typeof version !== "string") {
    issues.push(bad(["version"], `version is ${kindOf(version)}. Write a text such as "1.0.0", or leave it out.`));
  }
  return issues;
}

function checkName(name: unknown): PluginIssue[] {
  if (typeof name === "string" && TOOL_NAME.test(name)) return [];
  const what = typeof name === "string" ? `"${name}" is not a valid tool name` : `name is ${kindOf(name)}`;
  return [{ code: "bad_name", path: ["name"], message: `${what}: a name has 1 to 64 letters, digits, "_" and "-".` }];
}

function checkDescription({ description }: Readonly<Record<PropertyKey, unknown>>): PluginIssue[] {
  if (typeof description === "string" && description.trim() !== "") return [];
  const message = `description is ${kindOf(description)}. Write a text that tells a model what the tool does and when to use it.`;
  return [bad(["description"], message)];
}

function checkSchema({ inputSchema }: Readonly<Record<PropertyKey, unknown>>): PluginIssue[] {
  const code = "bad_schema";
  const path = ["inputSchema"];
  if (!isPlainObject(inputSchema)) {
    const message = `inputSchema is ${kindOf(inputSchema)}. Write a JSON Schema of an object, such as { "type": "object", "properties": {} }.`;
    return [{ code, path, message }];
  }
  try {
    if (isWholeJsonSchema(inputSchema)) jsonSchema(inputSchema);
    return [];
  } catch (error) {
    return [{ code, path, message: `inputSchema: ${messageOf(error)}` }];
  }
}

/** The mistakes that need both handler and schema, such as unknown placeholders. */
function checkTogether(definition: PluginToolDefinition): PluginIssue[] {
  try {
    const fields = inputFields(definition.inputSchema);
    createHandler(definition.handler, { tool: definition.name, fields, defaults: new Map(), log: () => {} });
    return [];
  } catch (error) {
    return [bad(error instanceof PluginProblem ? error.path : ["handler"], messageOf(error))];
  }
}

function bad(path: readonly (string | number)[], message: string): PluginIssue {
  return { code: "bad_definition", path, message };
}
