import { CLIENT_LIMITS, type ClientLimits, NO_LIMITS } from "../fitting/client-limits.ts";
import { fitTools } from "../fitting/fit-tools.ts";
import type { LibraryLimits } from "./adapted-tools.ts";

/** Most model APIs reject a request because of one tool whose schema is not a plain object. */
const ANY_API: ClientLimits = { ...NO_LIMITS, schemas: { plainRoot: true, arrays: "have items" } };

/** The limits of a provider's API, by the name of the provider. */
const API_LIMITS: Readonly<Record<string, string>> = {
  openai: "openai-api",
  azure: "openai-api",
  google: "google-api",
};

/** Adapts tools to the API of a provider: "openai", "google/gemini-3". An unknown one gets schemas that all APIs accept. */
export function fitToApi(provider: string | undefined): LibraryLimits["fit"] {
  return fitTo(limitsOf(API_LIMITS[provider?.split("/")[0] ?? ""]) ?? ANY_API);
}

/** Adapts tools to the runtime of Copilot CLI, which the SDK runs too. Tools of the SDK have no prefix. */
export function fitToCopilot(): LibraryLimits["fit"] {
  return fitTo({ ...(limitsOf("copilot-cli") ?? NO_LIMITS), names: NO_LIMITS.names });
}

function limitsOf(id: string | undefined): ClientLimits | undefined {
  return CLIENT_LIMITS.find((limits) => limits.id === id);
}

function fitTo(limits: ClientLimits): LibraryLimits["fit"] {
  return (tools) => fitTools(tools, limits).map(({ tool }) => tool);
}
