import { messageOf } from "../../core/error.ts";
import type { Schema } from "../../core/schema.ts";
import type { CallContext, Format, Hints, Origin, Tool, ToolReturn } from "../../core/tool.ts";
import { toSchema } from "../../schema/to-schema.ts";
import type { ExportAt } from "../export-at.ts";
import { Refusal } from "../refusal.ts";
import { toolName } from "../tool-name.ts";

/** What there is to say of a tool that was written for another system. */
export interface ForeignTool {
  readonly format: Format;
  /** The name that it has of its own, if any. */
  readonly ownName?: unknown;
  /** Other systems let a tool go without: it is then empty, and `check` advises to write one. */
  readonly description: unknown;
  readonly input: Schema;
  readonly hints?: Hints;
  run(input: unknown, context: CallContext): ToolReturn | Promise<ToolReturn>;
}

/** Makes a `Tool` of it. Refuses a name that cannot be served. */
export function foreignTool(foreign: ForeignTool, at: ExportAt): Tool {
  return {
    name: toolName(foreign.ownName, at),
    description: typeof foreign.description === "string" ? foreign.description : "",
    input: foreign.input,
    origin: originOf(foreign.format, at),
    limits: {},
    hints: foreign.hints ?? {},
    run: async (input, context) => foreign.run(input, context),
  };
}

/** The schema of a tool's arguments, refused in the author's words where it cannot be served. */
export async function schemaOf(parameters: unknown, name: string, field: string): Promise<Schema> {
  return toSchema(parameters ?? undefined).catch((cause: unknown) => {
    throw new Refusal("bad_schema", `${field} of "${name}": ${messageOf(cause)}`, name);
  });
}

/** Where a tool comes from: a member of a set is told apart from the others by its key. */
export function originOf(format: Format, { file, exportName, member }: ExportAt): Origin {
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
