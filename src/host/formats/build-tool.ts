import { messageOf } from "../../core/error.ts";
import type { Checked, Schema } from "../../core/schema.ts";
import type { CallContext, Format, Hints, Origin, Tool, ToolContext, ToolReturn } from "../../core/tool.ts";
import { SlowCheck } from "../schema/slow-check.ts";
import { toOutputSchema, toSchema } from "../schema/to-schema.ts";
import { type ExportContext, ExportError } from "./export-context.ts";
import { toolName } from "./tool-name.ts";

/** The parts of a tool that differ between forms. */
export interface ToolParts {
  readonly format: Format;
  /** The name in the definition, if any. */
  readonly ownName?: unknown;
  /** Other systems do not require a description. It is then empty, and `check` suggests to add one. */
  readonly description: unknown;
  readonly input: Schema;
  readonly output?: Schema | undefined;
  readonly hints?: Hints;
  run(input: unknown, context: ToolContext, call: CallContext): ToolReturn | Promise<ToolReturn>;
  readonly authorFunction?: Tool["authorFunction"] | undefined;
}

/** Throws an `ExportError` if the name is not valid. */
export function buildTool(parts: ToolParts, at: ExportContext): Tool {
  return {
    name: toolName(parts.ownName, at),
    description: typeof parts.description === "string" ? parts.description : "",
    input: parts.input,
    ...(parts.output === undefined ? {} : { output: parts.output }),
    origin: originOf(parts.format, at),
    limits: {},
    hints: parts.hints ?? {},
    run: async (input, call) => parts.run(input, call.author, call),
    ...(parts.authorFunction === undefined ? {} : { authorFunction: parts.authorFunction }),
  };
}

/** Reads the schema of the arguments. The error names `field`, as the author wrote it. */
export async function readInputSchema(parameters: unknown, name: string, field: string): Promise<Schema> {
  return toSchema(parameters ?? undefined).catch((cause: unknown) => {
    throw new ExportError("bad_schema", `${field} of "${name}": ${messageOf(cause)}`, name);
  });
}

/**
 * Reads the schema of the arguments from the first of these fields that has a value. None of them: no arguments. A field
 * without a value is an error, since its author meant a schema.
 */
export async function readDeclaredInput(
  definition: object,
  fields: readonly string[],
  name: string,
  read: typeof readInputSchema = readInputSchema,
): Promise<Schema> {
  const values = definition as Readonly<Record<string, unknown>>;
  const field = fields.find((each) => values[each] !== undefined && values[each] !== null);
  if (field !== undefined) return read(values[field], name, field);
  const empty = fields.find((each) => each in definition);
  if (empty !== undefined) throw new ExportError("bad_schema", missingSchema(empty, name, values[empty]), name);
  return toSchema(undefined);
}

/** The message for a field of a definition that should have a schema. */
export function missingSchema(field: string, name: string, value: unknown): string {
  return `${field} of "${name}" is ${value}. The value that it names was probably not imported: check the name in the import, and that no two files import each other. If the tool takes no arguments, remove ${field}.`;
}

/** Reads the output schema of a Toolwright tool. An invalid one is an error. */
export async function readOutputSchema(output: unknown, name: string): Promise<Pick<Tool, "output">> {
  if (output === undefined || output === null) return {};
  const schema = await toOutputSchema(output).catch((cause: unknown) => {
    throw new ExportError("bad_schema", `output of "${name}": ${messageOf(cause)}`, name);
  });
  return { output: schema };
}

/** Reads the output schema of another system, where it is advice. An invalid one is ignored. */
export async function readAdvisoryOutput(output: unknown): Promise<Schema | undefined> {
  if (output === undefined || output === null) return undefined;
  return toOutputSchema(output).then(lenientSchema, () => undefined);
}

/** A schema that accepts every value if its check throws. After a check that took too long, it checks no more values. */
export function lenientSchema(schema: Schema): Schema {
  let isSlow = false;
  const check = async (value: unknown): Promise<Checked> => {
    if (isSlow) return { ok: true, value };
    try {
      return await schema.check(value);
    } catch (error) {
      isSlow = SlowCheck.is(error);
      return { ok: true, value };
    }
  };
  return { json: schema.json, check };
}

export function originOf(format: Format, { file, exportName, member }: ExportContext): Origin {
  const { plugin } = file;
  return {
    source: file.source,
    place: file.place,
    format,
    file: file.path,
    exportName: member === undefined ? exportName : `${exportName}.${member}`,
    ...(plugin === undefined ? {} : { pluginName: plugin.name }),
    ...(plugin?.version === undefined ? {} : { pluginVersion: plugin.version }),
  };
}
