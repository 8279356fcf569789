import { CLIENT_LIMITS, type ClientLimits, NO_LIMITS } from "../fitting/client-limits.ts";
import { fitTools } from "../fitting/fit-tools.ts";
import type { LibraryLimits } from "./adapted-tools.ts";

/** The clients and APIs whose limits are those of a provider's API, by the name of the provider. Most APIs are like OpenAI's. */
const LIMITS: Readonly<Record<string, string>> = { anthropic: "claude-code", google: "google-api" };

/** Adapts tools to the API of a provider: "anthropic", "google/gemini-3". */
export function fitToApi(provider = ""): LibraryLimits["fit"] {
  return fitTo(limitsOf(LIMITS[provider.split("/")[0] ?? ""] ?? "openai-api"));
}

/** Adapts tools to the runtime of Copilot CLI, which the SDK runs too. Tools of the SDK have no prefix. */
export function fitToCopilot(): LibraryLimits["fit"] {
  return fitTo(limitsOf("copilot-cli"));
}

/** Tools of libraries have no prefix. */
function limitsOf(id: string): ClientLimits {
  const limits = CLIENT_LIMITS.find((each) => each.id === id) ?? NO_LIMITS;
  return { ...limits, names: { ...limits.names, prefix: "" } };
}

function fitTo(limits: ClientLimits): LibraryLimits["fit"] {
  return (tools) => fitTools(tools, limits).map(({ tool }) => tool);
}
