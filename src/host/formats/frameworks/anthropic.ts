import { messageOf } from "../../../core/error.ts";
import type { Checked, Schema } from "../../../core/schema.ts";
import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { fromZodIssues, type ZodIssue } from "../../schema/zod-issues.ts";
import { buildTool, readInputSchema } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { mapChecked } from "./checked-input.ts";
import { withOptionalDefaults } from "./declared-defaults.ts";
import { filePart, plainResult } from "./result-parts.ts";

/** The return value of `betaZodTool()` and `betaTool()` of the Anthropic SDK. */
interface AnthropicTool {
  readonly type?: unknown;
  readonly name: string;
  readonly description?: unknown;
  readonly input_schema?: unknown;
  run(input: unknown, context: unknown): unknown;
  parse?(input: unknown): unknown;
}

export async function readAnthropicTool(definition: AnthropicTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition;
  return buildTool(
    {
      format: "anthropic",
      ownName: name,
      description,
      input: await inputOf(definition),
      run: (input, context) => runTool(definition, input, context),
      authorFunction: definition.run,
    },
    at,
  );
}

/** The schemas of the provider's own tools (`memory`, `bash`) are known only to its models. */
async function inputOf(definition: AnthropicTool): Promise<Schema> {
  const { name, type, input_schema: declared } = definition;
  if (declared === undefined) {
    throw new ExportError(
      "bad_definition",
      `"${name}" has no input_schema: a tool of the type "${type}" is described by the API of Anthropic, so it cannot be served. Write one with betaZodTool() or betaTool().`,
      name,
    );
  }
  const schema = await readInputSchema(withOptionalDefaults(declared), name, "input_schema");
  return typeof definition.parse === "function"
    ? mapChecked(schema, (checked, input) => parsed(definition, checked, input))
    : schema;
}

/** A `parse` that returns its argument checks nothing, as that of `betaTool()`: then the JSON Schema decides. */
async function parsed(definition: AnthropicTool, checked: Checked, input: unknown): Promise<Checked> {
  try {
    const value: unknown = await definition.parse?.(input);
    return value === input ? checked : { ok: true, value };
  } catch (thrown) {
    const issues = isObject(thrown) && Array.isArray(thrown.issues) ? (thrown.issues as ZodIssue[]) : [];
    if (issues.length > 0 && issues.every(({ path }) => Array.isArray(path))) {
      return { ok: false, issues: fromZodIssues(issues, input) };
    }
    return { ok: false, issues: [{ path: "", message: messageOf(thrown) }] };
  }
}

async function runTool(definition: AnthropicTool, input: unknown, context: ToolContext): Promise<unknown> {
  const toolUse = { type: "tool_use", id: context.callID, name: definition.name, input };
  try {
    return fromBlocks(
      await definition.run(input, { ...context, toolUse, toolUseBlock: toolUse, signal: context.abort }),
    );
  } catch (thrown) {
    const content = thrown instanceof Error && "content" in thrown ? thrown.content : undefined;
    if (Array.isArray(content)) return { content: content.map(fromBlock), isError: true };
    throw thrown;
  }
}

const BLOCKS = new Set<unknown>(["text", "image", "document"]);

function fromBlocks(returned: unknown): unknown {
  if (!Array.isArray(returned) || returned.length === 0) return plainResult(returned);
  const isBlock = (part: unknown): boolean => isObject(part) && BLOCKS.has(part.type);
  return returned.every(isBlock) ? { content: returned.map(fromBlock) } : returned;
}

function fromBlock(block: unknown): unknown {
  if (!isObject(block) || !isObject(block.source)) return block;
  const { source, title } = block;
  if (source.type === "text") return { type: "text", text: source.data };
  const { data, url, media_type: mimeType = block.type === "image" ? "image/*" : undefined } = source;
  return filePart({ mimeType, name: title, data, url });
}
