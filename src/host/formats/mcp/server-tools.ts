import { messageOf } from "../../../core/error.ts";
import {
  type Format,
  type Hints,
  TOOL_NAME,
  type Tool,
  type ToolContext,
  type ToolReturn,
} from "../../../core/tool.ts";
import { isObject, isPlainObject } from "../../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { lenientSchema } from "../build-tool.ts";
import type { ExportProblem, ModuleFile } from "../contributions.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { fromAnnotations } from "../frameworks/annotations.ts";
import { toolName } from "../tool-name.ts";

/** A tool in the list of a server. No field is checked yet. */
export type ListedTool = Readonly<Record<string, unknown>>;

/** Calls a tool of the server by its name on the server. */
export type CallServer = (listed: ListedTool, input: unknown, context: ToolContext) => Promise<ToolReturn>;

export interface ToolList {
  readonly tools: readonly Tool[];
  readonly problems: readonly ExportProblem[];
}

/** What the tools of a server have in common. */
export interface ToolSource {
  readonly file: ModuleFile;
  readonly format: Format;
  /** The name of a configured server: the prefix of its tools, and the name of their plugin. */
  readonly server?: string;
  readonly version?: string | undefined;
  /** The export that is or creates the server, if a file contains it. Its tools have their own names. */
  readonly at?: ExportContext;
}

/** An invalid tool is reported as a problem; the others are served. */
export function toTools(listed: readonly unknown[], from: ToolSource, call: CallServer): ToolList {
  const { file } = from;
  const tools = new Map<string, Tool>();
  const problems: ExportProblem[] = [];
  for (const each of listed) {
    const converted = isListed(each) ? toTool(each, from, call) : unnamed(file);
    if ("code" in converted) problems.push(converted);
    else if (tools.has(converted.name)) problems.push(taken(converted, file));
    else tools.set(converted.name, converted);
  }
  return { tools: [...tools.values()], problems };
}

function isListed(value: unknown): value is ListedTool & { name: string } {
  return isObject(value) && typeof value.name === "string";
}

function toTool(listed: ListedTool & { name: string }, from: ToolSource, call: CallServer): Tool | ExportProblem {
  const { file, server, at } = from;
  const problem = { file: file.path, exportName: at?.exportName ?? listed.name };
  let { name } = listed;
  try {
    name = at ? nameIn(at, name, from.format) : nameOn(server, name);
    return {
      name,
      description: descriptionOf(listed, server),
      input: jsonSchema(readInputSchema(listed)),
      ...outputOf(listed),
      origin: originOf(listed.name, from),
      limits: {},
      hints: hintsOf(listed),
      run: (input, { author }) => call(listed, input, author),
    };
  } catch (error) {
    if (error instanceof ExportError)
      return { ...problem, code: error.code, message: error.message, tool: error.tool ?? name };
    const message = `The server's schema for ${JSON.stringify(listed.name)}: ${messageOf(error)} Only the developer of the server can fix this.`;
    return { ...problem, code: "bad_schema", message, tool: name };
  }
}

/** Names of MCP may have dots and slashes. */
function nameOn(server: string | undefined, listed: string): string {
  const name = `${server}_${listed}`.replace(OTHER_CHARACTERS, "_");
  if (TOOL_NAME.test(name)) return name;
  const message = `"${name}" is not a valid tool name: it has ${name.length} characters, at most 64 are allowed. Give the server a shorter name in its configuration.`;
  throw new ExportError("bad_name", message, name);
}

/** The SDKs of agents have stricter rules for names than MCP. */
function nameIn(at: ExportContext, listed: string, format: Format): string {
  return toolName(format === "sdk" ? listed : listed.replace(OTHER_CHARACTERS, "_"), at);
}

const OTHER_CHARACTERS = /[^a-zA-Z0-9_-]/g;

function originOf(name: string, { file, format, server, version, at }: ToolSource): Tool["origin"] {
  const pluginName = server ?? file.plugin?.name;
  const pluginVersion = server === undefined ? file.plugin?.version : version;
  return {
    source: file.source,
    place: file.place,
    format,
    file: file.path,
    exportName: at === undefined ? name : `${at.exportName}.${name}`,
    ...(pluginName === undefined ? {} : { pluginName }),
    ...(pluginVersion === undefined ? {} : { pluginVersion }),
  };
}

/** Tools of configured servers always have a description. Elsewhere `check` suggests to add one. */
function descriptionOf({ description, title, name }: ListedTool, server: string | undefined): string {
  const text = [description, title].find((each) => typeof each === "string" && each.trim() !== "");
  if (typeof text !== "string" && server === undefined) return "";
  if (typeof text !== "string") return `The tool "${name}" of the MCP server "${server}".`;
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  return `${text.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed()} [truncated: it has ${text.length} characters]`;
}

const MAX_DESCRIPTION_LENGTH = 20_000;

function readInputSchema({ inputSchema }: ListedTool): Record<string, unknown> {
  if (isObject(inputSchema)) return { ...inputSchema };
  throw new Error("it is not an object.");
}

/** An invalid output schema is ignored: the results are then not checked. */
function outputOf({ outputSchema }: ListedTool): Pick<Tool, "output"> {
  if (!isPlainObject(outputSchema)) return {};
  return tryOrUndefined(() => ({ output: lenientSchema(jsonSchema(outputSchema, "output")) })) ?? {};
}

function hintsOf({ title, annotations }: ListedTool): Hints {
  return { ...fromAnnotations(annotations), ...(typeof title === "string" ? { title } : {}) };
}

function unnamed(file: ModuleFile): ExportProblem {
  const message = "The server lists a tool without a name. Only the developer of the server can fix this.";
  return { file: file.path, code: "bad_definition", message };
}

function taken({ name, origin }: Tool, file: ModuleFile): ExportProblem {
  const message = `Two tools of the server would be called "${name}". The first is served; ${JSON.stringify(origin.exportName)} is not.`;
  return { file: file.path, tool: name, code: "name_taken", message };
}
