import type { Schema } from "../../../core/schema.ts";
import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { libraryOf } from "../../schema/dialect.ts";
import { buildTool, readInputSchema } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { askIfNeeded } from "./approval.ts";
import { passRawInput } from "./checked-input.ts";
import { plainResult } from "./result-parts.ts";
import { needsAgent, sessionValues, storeOf } from "./session-values.ts";

/** A `FunctionTool`, or another `BaseTool`, of Google's Agent Development Kit. */
interface AdkTool {
  readonly name: string;
  readonly description?: unknown;
  /** The Zod schema of a `FunctionTool`. */
  readonly parameters?: unknown;
  readonly requireConfirmation?: unknown;
  /** The class says which class of ADK it is. */
  _getDeclaration(): unknown;
  runAsync(call: { readonly args: unknown; readonly toolContext: object }): unknown;
}

export async function readAdkTool(definition: AdkTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition;
  return buildTool(
    {
      format: "adk",
      ownName: name,
      description,
      input: await inputOf(definition),
      run: async (input, context) => {
        const toolContext = contextOf(context, at);
        await askIfNeeded(definition.requireConfirmation, { tool: name, input, context }, [input, toolContext]);
        return plainResult(await run(definition, input, { ...toolContext, toolConfirmation: { confirmed: true } }));
      },
    },
    at,
  );
}

/** A tool with a Zod schema parses its input itself. */
async function inputOf(definition: AdkTool): Promise<Schema> {
  const { name, parameters } = definition;
  if (libraryOf(parameters) !== undefined) return passRawInput(await readInputSchema(parameters, name, "parameters"));
  const declaration = definition._getDeclaration();
  if (!isObject(declaration)) {
    throw new ExportError(
      "bad_definition",
      `"${name}" has no declaration: it is run by Google's models, so it cannot be served. Export a FunctionTool.`,
      name,
    );
  }
  const declared = declaration.parametersJsonSchema ?? toJsonSchema(declaration.parameters);
  return readInputSchema(declared, name, "parameters");
}

/** Numbers that Google's schemas write as text. */
const COUNTS = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);

/** Converts a schema of Google's models, whose types are in capital letters. */
function toJsonSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { nullable, ...rest } = schema;
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, value]): [string, unknown] => {
      if (key === "type") return [key, typeof value === "string" ? value.toLowerCase() : value];
      if (key === "properties" && isObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJsonSchema(each)]))];
      }
      if (key === "anyOf" && Array.isArray(value)) return [key, value.map(toJsonSchema)];
      if (key === "items") return [key, toJsonSchema(value)];
      return [key, COUNTS.has(key) ? Number(value) : value];
    }),
  );
  return nullable === true && typeof converted.type === "string"
    ? { ...converted, type: [converted.type, "null"] }
    : converted;
}

/** ADK prefixes the messages of errors with the name of the tool. */
async function run(definition: AdkTool, args: unknown, toolContext: object): Promise<unknown> {
  try {
    return await definition.runAsync({ args, toolContext });
  } catch (thrown) {
    const prefix = `Error in tool '${definition.name}': `;
    if (!(thrown instanceof Error) || !thrown.message.startsWith(prefix)) throw thrown;
    throw new Error(thrown.message.slice(prefix.length), { cause: thrown });
  }
}

/** The context of a call in ADK, in addition to the context of every tool. */
function contextOf(context: ToolContext, { host }: ExportContext): object {
  const { callID, sessionID, messageID, agent, abort } = context;
  const values = sessionValues(host, "adk", sessionID);
  const actions = { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} };
  return {
    ...context,
    functionCallId: callID,
    invocationId: messageID,
    sessionId: sessionID,
    userId: "user",
    agentName: agent,
    abortSignal: abort,
    state: storeOf(values),
    actions,
    eventActions: actions,
    ...needsAgent("ADK", UNAVAILABLE),
  };
}

const UNAVAILABLE = [
  "loadArtifact",
  "saveArtifact",
  "listArtifacts",
  "searchMemory",
  "requestCredential",
  "getAuthResponse",
  "requestConfirmation",
];
