import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { buildTool, readAdvisoryOutput, readInputSchema } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";

/** A tool of OpenCode 2. Betas have other names for some fields. */
export interface SetupTool {
  readonly name: string;
  readonly description?: unknown;
  readonly input?: unknown;
  readonly jsonSchema?: unknown;
  readonly output?: unknown;
  readonly options?: { readonly namespace?: unknown; readonly group?: unknown };
  execute(input: unknown, context: object): unknown;
}

/** The fields that may hold the schema of the arguments: that of OpenCode 2, of its betas, and of other systems. */
const INPUT_FIELDS = ["input", "jsonSchema", "inputSchema", "parameters", "args"];

/** The name under which OpenCode 2 offers a tool: after its namespace, in characters that models accept. */
export function idOf({ name, options }: SetupTool): string {
  const namespace = options?.namespace ?? options?.group;
  const full = typeof namespace === "string" && namespace !== "" ? `${namespace}_${name}` : name;
  return full.replace(/[^\w-]/g, "_");
}

/** Throws an `ExportError` if the definition cannot be served. */
export async function readSetupTool(definition: SetupTool, at: ExportContext): Promise<Tool> {
  const id = idOf(definition);
  const fields = definition as unknown as Record<string, unknown>;
  const field = INPUT_FIELDS.find((name) => fields[name] !== undefined && fields[name] !== null);
  if (field !== undefined && isEffectSchema(fields[field]))
    throw new ExportError("bad_schema", effectSchema(id, field), id);
  return buildTool(
    {
      format: "opencode-plugin",
      ownName: id,
      description: definition.description,
      input: await readInputSchema(field === undefined ? undefined : fields[field], id, field ?? "input"),
      output: isEffectSchema(definition.output) ? undefined : await readAdvisoryOutput(definition.output),
      run: async (input, context) => toResult(await definition.execute(input, toolContext(context))),
    },
    { ...at, member: id },
  );
}

/** Schemas of Effect have an abstract syntax tree, and no JSON Schema without the package. */
function isEffectSchema(schema: unknown): boolean {
  return (typeof schema === "function" || isObject(schema)) && "ast" in schema && !("~standard" in schema);
}

function effectSchema(id: string, field: string): string {
  return `${field} of "${id}" is a schema of Effect, which Toolwright does not read. Write a JSON Schema, { type: "object", properties: { … } }, or a schema of Zod.`;
}

/** The context of a call, with the field names of OpenCode 2 and its betas. */
function toolContext(context: ToolContext): object {
  const { sessionID, messageID, callID, agent, abort, directory, worktree } = context;
  return {
    sessionID,
    agent,
    messageID,
    assistantMessageID: messageID,
    id: callID,
    callID,
    toolCallID: callID,
    signal: abort,
    abort,
    directory,
    worktree,
    progress: async (update: unknown) => showProgress(update, context),
    /** OpenCode keeps the checkpoint of an interrupted call. Here, such a call has no result. */
    checkpoint: async () => {},
  };
}

function showProgress(update: unknown, context: ToolContext): void {
  const metadata = isObject(update) ? update : { status: update };
  const title = [metadata.title, metadata.status, metadata.message].find((text) => typeof text === "string");
  context.metadata({ ...(title === undefined ? {} : { title: title as string }), metadata });
}

/** A result has `content` for the model, and `output` (in betas `structured`) as data. */
function toResult(result: unknown): unknown {
  if (!isObject(result)) return result;
  const { content, output, structured, metadata } = result;
  const data = output ?? structured;
  if (content === undefined && data === undefined) return result;
  const title = isObject(metadata) ? metadata.title : result.title;
  const more = typeof data === "string" && content === undefined ? metadata : (data ?? metadata);
  return {
    content: partsOf(content ?? (typeof data === "string" ? data : JSON.stringify(data))),
    ...(typeof title === "string" ? { title } : {}),
    ...(more === undefined || more === null ? {} : { structuredContent: more }),
  };
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content.map((part: unknown) => (typeof part === "string" ? textPart(part) : part));
  return content === "" ? [] : [textPart(typeof content === "string" ? content : JSON.stringify(content))];
}

function textPart(text: string): object {
  return { type: "text", text };
}
