import { messageOf } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import { fitNames, prefixOf } from "./fit-names.ts";
import { fitOutput } from "./fit-output.ts";
import { type FittedSchema, fitSchema } from "./fit-schema.ts";
import type { Profile } from "./profile.ts";
import { addWords, text } from "./words.ts";

/** What of a tool is fitted. */
export interface Fittable {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** A tool as it is sent to one client. */
export interface FittedTool<T extends Fittable = Fittable> {
  /** The same object where nothing is changed. */
  readonly tool: T;
  /** Its own name, which a call to the name that was sent means. */
  readonly name: string;
  /** What was changed, a sentence each; none where nothing was. */
  readonly changes: readonly string[];
}

/** What our server is called in the settings of clients. */
const SERVER = "toolwright";

/** Tools as a client can take them, in their order. Never throws: a schema that cannot be fitted is sent as any object. */
export function fitTools<T extends Fittable>(
  tools: readonly T[],
  profile: Profile,
  server: string = SERVER,
): readonly FittedTool<T>[] {
  const names = fitNames(
    tools.map(({ name }) => name),
    profile.names,
    server,
  );
  return tools.map((tool, index) => fitTool(tool, names[index] ?? tool.name, profile, server));
}

function fitTool<T extends Fittable>(tool: T, name: string, profile: Profile, server: string): FittedTool<T> {
  const { schema, words, changes } = fittedSchema(tool.inputSchema, profile);
  const output = tool.outputSchema === undefined ? undefined : fittedOutput(tool.outputSchema, profile);
  const all = [
    ...(name === tool.name ? [] : [nameChange(name, profile, server)]),
    ...changes,
    ...(output?.changes ?? []),
  ];
  if (all.length === 0 && output?.schema === tool.outputSchema) return { tool, name: tool.name, changes: all };
  const description = addWords(tool.description, [words], "\n\n");
  const { outputSchema: _, ...rest } = tool;
  const given = output?.schema === undefined ? {} : { outputSchema: output.schema };
  return { tool: { ...rest, name, description, inputSchema: schema, ...given } as T, name: tool.name, changes: all };
}

/** A result may only have structured content where the client has the schema: whoever is not sent one gets the text alone. */
function fittedOutput(
  schema: JsonSchema,
  { outputs, title }: Profile,
): { schema?: JsonSchema; changes: readonly string[] } {
  if (outputs === "none")
    return { changes: [`the output: not sent, since ${title} takes none; results are text alone`] };
  try {
    return fitOutput(schema);
  } catch (thrown) {
    return {
      changes: [`the output: could not be fitted (${messageOf(thrown)}), so it is not sent; results are text alone`],
    };
  }
}

function nameChange(name: string, { title, names }: Profile, server: string): string {
  const prefix = prefixOf(names, server);
  const before = prefix === "" ? "" : `, "${prefix}" included`;
  return `the name: sent as "${name}", since names in ${title} have at most ${names.most} characters${before}`;
}

function fittedSchema(schema: JsonSchema, { schemas }: Profile): FittedSchema {
  if (schemas === undefined) return { schema, words: "", changes: [] };
  try {
    return fitSchema(schema, schemas);
  } catch (thrown) {
    return {
      schema: { type: "object", properties: {} },
      words: `The input, as its author describes it: ${text(schema)}`,
      changes: [
        `the input: could not be fitted (${messageOf(thrown)}), so it is sent as any object, with the original in words`,
      ],
    };
  }
}
