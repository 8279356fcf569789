import { messageOf } from "../../core/error.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { ShownTool } from "../../core/tool.ts";
import type { ClientLimits } from "./client-limits.ts";
import { appendSentences, jsonText } from "./descriptions.ts";
import { fitNames, prefixOf } from "./fit-names.ts";
import { fitOutput } from "./fit-output.ts";
import { type FittedSchema, fitSchema } from "./fit-schema.ts";

/** A tool as it is sent to one client. */
interface FittedTool<T extends ShownTool = ShownTool> {
  /** The same object if nothing is changed. */
  readonly tool: T;
  /** The tool's own name. `tool.name` is the name that the client is sent. */
  readonly name: string;
  /** A sentence for each change. */
  readonly changes: readonly string[];
}

/** The default name of this server in the settings of clients. */
const SERVER = "toolwright";

/** Adapts tools to the limits of a client, in the same order. Never throws: a schema that cannot be fitted becomes any object. */
export function fitTools<T extends ShownTool>(
  tools: readonly T[],
  limits: ClientLimits,
  server: string = SERVER,
): readonly FittedTool<T>[] {
  const names = fitNames(
    tools.map(({ name }) => name),
    limits.names,
    server,
  );
  return tools.map((tool, index) => fitTool(tool, names[index] ?? tool.name, limits, server));
}

function fitTool<T extends ShownTool>(tool: T, name: string, limits: ClientLimits, server: string): FittedTool<T> {
  const { schema, addedDescription, changes } = fittedSchema(tool.inputSchema, limits);
  const output = tool.outputSchema === undefined ? undefined : fittedOutput(tool.outputSchema, limits);
  const all = [
    ...(name === tool.name ? [] : [nameChange(name, limits, server)]),
    ...changes,
    ...(output?.changes ?? []),
  ];
  if (all.length === 0 && output?.schema === tool.outputSchema) return { tool, name: tool.name, changes: all };
  const description = appendSentences(tool.description, [addedDescription], "\n\n");
  const { outputSchema: _, ...rest } = tool;
  const outputSchema = output?.schema === undefined ? {} : { outputSchema: output.schema };
  return {
    tool: { ...rest, name, description, inputSchema: schema, ...outputSchema } as T,
    name: tool.name,
    changes: all,
  };
}

/** Without an output schema, the client gets no structured content either: results are text only. */
function fittedOutput(
  schema: JsonSchema,
  { outputs, title }: ClientLimits,
): { schema?: JsonSchema; changes: readonly string[] } {
  if (outputs === "none")
    return { changes: [`the output: not sent, since ${title} accepts no output schema; results are text only`] };
  try {
    return fitOutput(schema);
  } catch (thrown) {
    return {
      changes: [`the output: could not be fitted (${messageOf(thrown)}), so it is not sent; results are text only`],
    };
  }
}

function nameChange(name: string, { title, names }: ClientLimits, server: string): string {
  const prefix = prefixOf(names, server);
  const before = prefix === "" ? "" : `, "${prefix}" included`;
  return `the name: sent as "${name}", since names in ${title} have at most ${names.maxLength} characters${before}`;
}

function fittedSchema(schema: JsonSchema, { schemas }: ClientLimits): FittedSchema {
  if (schemas === undefined) return { schema, addedDescription: "", changes: [] };
  try {
    return fitSchema(schema, schemas);
  } catch (thrown) {
    return {
      schema: { type: "object", properties: {} },
      addedDescription: `The input, as its author describes it: ${jsonText(schema)}`,
      changes: [
        `the input: could not be fitted (${messageOf(thrown)}), so it is sent as any object, with the original schema in the description`,
      ],
    };
  }
}
