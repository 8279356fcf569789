import { messageOf } from "../core/error.ts";
import type { Checked, Schema } from "../core/schema.ts";
import type { CallContext, Format, Hints, Origin, Tool, ToolReturn } from "../core/tool.ts";
import { toOutputSchema, toSchema } from "../schema/to-schema.ts";
import { type ExportContext, ExportError } from "./export-context.ts";
import { toolName } from "./tool-name.ts";

/** What there is to say of a tool that was written for another system. */
export interface ToolParts {
  readonly format: Format;
  /** The name that it has of its own, if any. */
  readonly ownName?: unknown;
  /** Other systems let a tool go unsupportedFeatures: it is then empty, and `check` advises to write one. */
  readonly description: unknown;
  readonly input: Schema;
  readonly output?: Schema | undefined;
  readonly hints?: Hints;
  run(input: unknown, context: CallContext): ToolReturn | Promise<ToolReturn>;
}

/** Makes a `Tool` of it. Refuses a name that cannot be served. */
export function buildTool(foreign: ToolParts, at: ExportContext): Tool {
  return {
    name: toolName(foreign.ownName, at),
    description: typeof foreign.description === "string" ? foreign.description : "",
    input: foreign.input,
    ...(foreign.output === undefined ? {} : { output: foreign.output }),
    origin: originOf(foreign.format, at),
    limits: {},
    hints: foreign.hints ?? {},
    run: async (input, context) => foreign.run(input, context),
  };
}

/** The schema of a tool's arguments, refused in the author's words where it cannot be served. */
export async function readInputSchema(parameters: unknown, name: string, field: string): Promise<Schema> {
  return toSchema(parameters ?? undefined).catch((cause: unknown) => {
    throw new ExportError("bad_schema", `${field} of "${name}": ${messageOf(cause)}`, name);
  });
}

/** The output that an author of our own forms declares, refused in his words where it cannot be served. */
export async function readOutputSchema(output: unknown, name: string): Promise<Pick<Tool, "output">> {
  if (output === undefined || output === null) return {};
  const schema = await toOutputSchema(output).catch((cause: unknown) => {
    throw new ExportError("bad_schema", `output of "${name}": ${messageOf(cause)}`, name);
  });
  return { output: schema };
}

/** The output that a tool of another system declares. There it is advice: one that cannot be read costs no tool. */
export async function readAdvisoryOutput(output: unknown): Promise<Schema | undefined> {
  if (output === undefined || output === null) return undefined;
  return toOutputSchema(output).then(lenientSchema, () => undefined);
}

/** The same schema, which takes anything where it turns out that it cannot be used. */
export function lenientSchema(schema: Schema): Schema {
  const check = async (value: unknown): Promise<Checked> => {
    try {
      return await schema.check(value);
    } catch {
      return { ok: true, value };
    }
  };
  return { json: schema.json, check };
}

/** Where a tool comes from: a member of a set is told apart from the others by its key. */
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
