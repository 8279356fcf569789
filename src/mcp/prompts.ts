import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { McpClient } from "./mcp-client.ts";
import type { McpPrompt } from "./server-options.ts";

/** The prompts that a server was given. */
export class Prompts {
  readonly #given: readonly McpPrompt[];

  constructor(given: readonly McpPrompt[]) {
    this.#given = given;
  }

  list(): ListPromptsResult {
    const prompts = this.#given.map(({ get: _, complete: __, arguments: taken, ...prompt }) => ({
      ...prompt,
      ...(taken === undefined ? {} : { arguments: taken.map((each) => ({ ...each })) }),
    }));
    return { prompts };
  }

  find(name: string): McpPrompt | undefined {
    return this.#given.find((each) => each.name === name);
  }

  /** Rejects, as the protocol has it, for a prompt that is not there or lacks an argument. */
  async get(name: string, values: Readonly<Record<string, string>>, client: McpClient): Promise<GetPromptResult> {
    const prompt = this.find(name);
    if (!prompt) throw invalid(`There is no prompt "${name}". List the prompts to see which there are.`);
    const missing = prompt.arguments?.find((each) => each.required && values[each.name] === undefined);
    if (missing) throw invalid(`The prompt "${name}" needs the argument "${missing.name}".`);
    const { description } = prompt;
    const messages = (await prompt.get(values, client)).map((message) => ({ ...message }));
    return { ...(description === undefined ? {} : { description }), messages };
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
