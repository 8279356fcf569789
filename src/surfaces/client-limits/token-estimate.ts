import type { ShownTool } from "../../core/tool.ts";

/** A rough value for all languages and providers. */
export const CHARACTERS_PER_TOKEN = 3.5;

/** The number of tokens of a text, estimated. Not rounded. */
export function tokensIn(text: string): number {
  return text.length / CHARACTERS_PER_TOKEN;
}

/** The number of tokens of a tool's definition in a request to a model, estimated. */
export function definitionTokens({ name, description, inputSchema }: Omit<ShownTool, "outputSchema">): number {
  return Math.ceil(tokensIn(JSON.stringify([name, description, inputSchema])));
}
