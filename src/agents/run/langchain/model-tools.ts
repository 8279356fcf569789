import type { AgentTool } from "../../../core/coding-agent.ts";
import { wellFormed } from "../../../platform/text/well-formed.ts";
import { apiLimits } from "../../../surfaces/client-limits/client-limits.ts";
import { fitTools } from "../../../surfaces/client-limits/fit-tools.ts";
import { tokensIn } from "../../../surfaces/client-limits/token-estimate.ts";
import type { LangChain, StructuredTool } from "./langchain-sdk.ts";

/** The tools of a session as a model is shown them. */
export interface ModelTools {
  readonly structured: readonly StructuredTool[];
  /** The tokens of the definitions, estimated. */
  readonly tokens: number;
  /** The name for the model. */
  nameOf(tool: string): string;
  /** The tool that the model means. */
  toolOf(name: string): string;
}

/** Shows the tools with their JSON Schemas. The structured tools are never run: calls are passed to the session's tools. */
export function toModelTools(tools: readonly AgentTool[], sdk: LangChain, provider: string): ModelTools {
  const fitted = fitTools(tools, apiLimits(provider));
  const names = new Map(fitted.map(({ tool, name }) => [name, tool.name]));
  const originals = new Map(fitted.map(({ tool, name }) => [tool.name, name]));
  return {
    structured: fitted.map(({ tool: { name, description, inputSchema } }) =>
      sdk.tool(() => undefined, { name, description: description.toWellFormed(), schema: wellFormed(inputSchema) }),
    ),
    tokens: tokensIn(
      JSON.stringify(fitted.map(({ tool: { description, inputSchema } }) => [description, inputSchema])),
    ),
    // Tools that are gone, and the own tools of other agents, are still named in the conversation.
    nameOf: (tool) => names.get(tool) ?? tool.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64),
    toolOf: (name) => originals.get(name) ?? name,
  };
}
