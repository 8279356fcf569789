import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { McpClient } from "./mcp-client.ts";
import type { McpPrompt } from "./server-options.ts";

/** The prompts of a server. */
export class Prompts {
  readonly #prompts: readonly McpPrompt[];

  constructor(prompts: readonly McpPrompt[]) {
    this.#prompts = prompts;
  }

  list(): ListPromptsResult {
    const prompts = this.#prompts.map(({ get: _, complete: __, arguments: args, ...prompt }) => ({
      ...prompt,
      ...(args === undefined ? {} : { arguments: args.map((each) => ({ ...each })) }),
    }));
    return { prompts };
  }

  find(name: string): McpPrompt | undefined {
    return this.#prompts.find((each) => each.name === name);
  }

  /** Rejects with a protocol error for an unknown prompt or a missing argument. */
  async get(name: string, values: Readonly<Record<string, string>>, client: McpClient): Promise<GetPromptResult> {
    const prompt = this.find(name);
    if (!prompt) throw invalid(`There is no prompt "${name}". List the prompts to see all names.`);
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
