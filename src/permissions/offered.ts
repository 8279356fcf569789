import { matchText } from "../core/wildcard.ts";

/**
 * Whether a tool is for the models of a provider. A tool that says nothing is for all; otherwise one of its patterns must fit
 * the provider (`anthropic`) or the provider and the model (`openai/gpt-*`). Where no model is known, a pattern for models does
 * not fit.
 */
export function isOfferedTo(providers: readonly string[] | undefined, model: string): boolean {
  if (providers === undefined) return true;
  const [provider = ""] = model.split("/", 1);
  return providers.some((pattern) => matchText(pattern, pattern.includes("/") ? model : provider));
}
