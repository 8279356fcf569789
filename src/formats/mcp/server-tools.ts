import { messageOf } from "../../core/error.ts";
import { isPlainObject } from "../../core/is-object.ts";
import { type CallContext, type Hints, TOOL_NAME, type Tool, type ToolReturn } from "../../core/tool.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { lenientSchema } from "../build-tool.ts";
import type { ExportProblem, ModuleFile } from "../contributions.ts";
import { fromAnnotations } from "../frameworks/annotations.ts";

/** A tool as a server lists it. Nothing of it is checked yet. */
export type ListedTool = Readonly<Record<string, unknown>>;

/** Runs a tool of the server, by the name that the server has for it. */
export type CallServer = (listed: ListedTool, input: unknown, context: CallContext) => Promise<ToolReturn>;

/** What a server's list comes to. */
export interface ToolList {
  readonly tools: readonly Tool[];
  readonly problems: readonly ExportProblem[];
}

/** One tool that cannot be used costs only itself. */
export function toTools(
  listed: readonly unknown[],
  file: ModuleFile,
  version: string | undefined,
  call: CallServer,
): ToolList {
  const tools = new Map<string, Tool>();
  const problems: ExportProblem[] = [];
  for (const each of listed) {
    const made = isListed(each) ? toTool(each, file, version, call) : unnamed(file);
    if ("code" in made) problems.push(made);
    else if (tools.has(made.name)) problems.push(taken(made, file));
    else tools.set(made.name, made);
  }
  return { tools: [...tools.values()], problems };
}

function isListed(value: unknown): value is ListedTool & { name: string } {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

function toTool(
  listed: ListedTool & { name: string },
  file: ModuleFile,
  version: string | undefined,
  call: CallServer,
): Tool | ExportProblem {
  const name = `${file.name}_${listed.name}`.replace(/[^a-zA-Z0-9_-]/g, "_");
  const problem = { file: file.path, tool: name, exportName: listed.name };
  if (!TOOL_NAME.test(name)) {
    const message = `"${name}" is not a valid tool name: it has ${name.length} characters, at most 64 are allowed. Give the server a shorter name in its configuration.`;
    return { ...problem, code: "bad_name", message };
  }
  try {
    return {
      name,
      description: descriptionOf(listed, file.name),
      input: jsonSchema(readInputSchema(listed)),
      ...outputOf(listed),
      origin: {
        source: file.source,
        place: file.place,
        format: "mcp",
        file: file.path,
        exportName: listed.name,
        pluginName: file.name,
        ...(version === undefined ? {} : { pluginVersion: version }),
      },
      limits: {},
      hints: hintsOf(listed),
      run: (input, context) => call(listed, input, context),
    };
  } catch (error) {
    const message = `The server's schema for ${JSON.stringify(listed.name)}: ${messageOf(error)} Only a change of the server can mend this.`;
    return { ...problem, code: "bad_schema", message };
  }
}

function descriptionOf({ description, title, name }: ListedTool, server: string): string {
  const said = [description, title].find((text) => typeof text === "string" && text.trim() !== "");
  if (typeof said !== "string") return `The tool "${name}" of the MCP server "${server}".`;
  if (said.length <= LONGEST_DESCRIPTION) return said;
  return `${said.slice(0, LONGEST_DESCRIPTION).toWellFormed()} [cut: it has ${said.length} characters]`;
}

/** Every model that is offered the tool reads it each time. */
const LONGEST_DESCRIPTION = 20_000;

function readInputSchema({ inputSchema }: ListedTool): Record<string, unknown> {
  if (typeof inputSchema === "object" && inputSchema !== null && !Array.isArray(inputSchema)) return { ...inputSchema };
  throw new Error("it is no object.");
}

/** One that makes no sense costs no tool: what the server gives is then not checked. */
function outputOf({ outputSchema }: ListedTool): Pick<Tool, "output"> {
  if (!isPlainObject(outputSchema)) return {};
  try {
    return { output: lenientSchema(jsonSchema(outputSchema, "output")) };
  } catch {
    return {};
  }
}

function hintsOf({ title, annotations }: ListedTool): Hints {
  return { ...fromAnnotations(annotations), ...(typeof title === "string" ? { title } : {}) };
}

function unnamed(file: ModuleFile): ExportProblem {
  const message = "The server lists a tool without a name. Only a change of the server can mend this.";
  return { file: file.path, code: "bad_definition", message };
}

function taken({ name, origin }: Tool, file: ModuleFile): ExportProblem {
  const message = `The server has two tools that would be called "${name}" here. The first is used, and not ${JSON.stringify(origin.exportName)}.`;
  return { file: file.path, tool: name, code: "name_taken", message };
}
