import { apiLimits, CLIENT_LIMITS, type ClientLimits, NO_LIMITS } from "../client-limits/client-limits.ts";
import { fitTools } from "../client-limits/fit-tools.ts";
import type { LibraryLimits } from "./adapted-tools.ts";

/** Adapts tools to the API of a provider: "anthropic", "google/gemini-3". */
export function fitToApi(provider = ""): LibraryLimits["fit"] {
  return fitTo(apiLimits(provider));
}

/** Adapts tools to the runtime of Copilot CLI, which the SDK runs too. Tools of the SDK have no prefix. */
export function fitToCopilot(): LibraryLimits["fit"] {
  const limits = CLIENT_LIMITS.find(({ id }) => id === "copilot-cli") ?? NO_LIMITS;
  return fitTo({ ...limits, names: { ...limits.names, prefix: "" } });
}

function fitTo(limits: ClientLimits): LibraryLimits["fit"] {
  return (tools) => fitTools(tools, limits).map(({ tool }) => tool);
}
