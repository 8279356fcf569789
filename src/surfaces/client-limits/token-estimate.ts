import type { JsonSchema } from "../../core/schema.ts";

/** A rough value for all languages and providers. */
export const CHARACTERS_PER_TOKEN = 3.5;

/** The number of tokens of a text, estimated. Not rounded. */
export function tokensIn(text: string): number {
  return text.length / CHARACTERS_PER_TOKEN;
}

/** The number of tokens of a tool's definition in a request to a model, estimated. */
export function definitionTokens(tool: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}): number {
  const { name, description, inputSchema } = tool;
  return Math.ceil(tokensIn(JSON.stringify([name, description, inputSchema])));
}
