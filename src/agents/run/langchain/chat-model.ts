import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { messageOf } from "../../../core/error.ts";
import { nearest } from "../../../platform/text/nearest.ts";
import { defined } from "../../../platform/values/defined.ts";
import { importPackage } from "../agent-packages.ts";
import type { ChatModel, ChatModels } from "./langchain-sdk.ts";

/** A chat model, and how its messages to people name it. */
export interface NamedModel {
  readonly model: ChatModel;
  /** The name of the model for the provider. */
  readonly name: string;
  /** The provider, as LangChain names it. */
  readonly provider: string;
  /** The environment variable of its key. */
  readonly key?: string;
  readonly baseUrl?: string;
}

/** The environment variables of keys whose names do not follow from the provider. The first one that is set is used. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  mistralai: ["MISTRAL_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  together: ["TOGETHER_AI_API_KEY"],
  google: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
  "google-genai": ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
};

/** Providers with no key, or with credentials that their package finds itself. */
const OWN_CREDENTIALS: ReadonlySet<string> = new Set([
  "ollama",
  "bedrock",
  "aws",
  "azure_openai",
  "google-vertexai",
  "google-vertexai-web",
  "langsmith",
]);

/** Classes on OpenAI's SDK take options for it. It prints responses that it cannot parse, which are reported as errors anyway. */
const ON_OPENAI_SDK: ReadonlySet<string> = new Set(["openai", "deepseek"]);

/** The option of a class for the address of its API, unless it is `baseUrl`. */
const ADDRESS_OPTIONS: Readonly<Record<string, string>> = {
  anthropic: "anthropicApiUrl",
  mistralai: "serverURL",
  mistral: "serverURL",
};

/** Creates the model that `options.model` names: `provider:model`, or with `baseUrl` the name of an OpenAI-compatible one. */
export async function createChatModel(
  { model, baseUrl }: Pick<AgentSessionOptions, "model" | "baseUrl">,
  context: AgentContext,
): Promise<NamedModel> {
  const { MODEL_PROVIDER_CONFIG: providers } = await importPackage<ChatModels>(
    { module: "langchain/chat_models/universal", install: "langchain@1" },
    context,
  );
  const { provider, name } = parseName(model, baseUrl, Object.keys(providers));
  const config = providers[provider];
  if (!config) throw unknownProvider(model ?? "", provider, Object.keys(providers));
  const found = await importPackage<Record<string, new (fields: unknown) => ChatModel>>(
    { module: config.package, install: config.package },
    context,
  );
  const Model = found[config.className];
  if (!Model) {
    throw new AgentError(
      "not_started",
      `${config.package} has no class ${config.className}. Install a version of it that fits: npm install langchain@1 ${config.package}@latest`,
    );
  }
  const variables = OWN_CREDENTIALS.has(provider) ? [] : (KEYS[provider] ?? [`${provider.toUpperCase()}_API_KEY`]);
  const [key] = variables;
  const apiKey = apiKeyOf(variables, baseUrl, provider, context);
  try {
    const created = new Model({ model: name, ...apiKey, ...addressOptions(provider, baseUrl), maxRetries: 0 });
    return {
      model: created,
      name,
      provider,
      ...defined({ key, baseUrl }),
    };
  } catch (error) {
    const where = key === undefined ? `the documentation of ${config.package}` : key;
    throw new AgentError(
      "unauthorized",
      `The model "${name}" of ${provider} cannot be used: ${messageOf(error)}. See ${where}.`,
      {
        cause: error,
      },
    );
  }
}

function parseName(
  model: string | undefined,
  baseUrl: string | undefined,
  providers: readonly string[],
): { readonly provider: string; readonly name: string } {
  if (model === undefined || model === "") {
    throw new AgentError(
      "unsupported",
      "LangChain has no default model. Name the provider and the model, such as --model openai:gpt-5 or --model anthropic:claude-sonnet-4-5. For an OpenAI-compatible server: --base-url URL --model NAME.",
    );
  }
  const [prefix = "", ...rest] = model.split(":");
  // Names of models can contain colons: `qwen3:8b` on an OpenAI-compatible server has no provider.
  if (rest.length > 0 && (baseUrl === undefined || providers.includes(prefix))) {
    return { provider: prefix, name: rest.join(":") };
  }
  if (baseUrl !== undefined) return { provider: "openai", name: model };
  throw new AgentError(
    "unsupported",
    `The model "${model}" has no provider. Write it as --model PROVIDER:${model}, such as openai:${model}. Providers: ${providers.join(", ")}.`,
  );
}

function addressOptions(provider: string, url: string | undefined): Readonly<Record<string, unknown>> {
  if (ON_OPENAI_SDK.has(provider)) {
    return { configuration: { logLevel: "off", ...defined({ baseURL: url }) } };
  }
  return url === undefined ? {} : { [ADDRESS_OPTIONS[provider] ?? "baseUrl"]: url };
}

/** A server of the user's own may need no key, but the packages refuse to have none. */
function apiKeyOf(
  variables: readonly string[],
  baseUrl: string | undefined,
  provider: string,
  { env }: AgentContext,
): Readonly<Record<string, string>> {
  const [variable] = variables;
  if (variable === undefined) return {};
  const apiKey = variables.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  if (apiKey !== undefined) return { apiKey };
  if (baseUrl !== undefined) return { apiKey: "none" };
  throw new AgentError("unauthorized", `There is no key for ${provider}. Set the environment variable ${variable}.`);
}

function unknownProvider(model: string, provider: string, providers: readonly string[]): AgentError {
  const [near] = nearest(provider, providers);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new AgentError(
    "unsupported",
    `LangChain has no provider "${provider}" (model "${model}").${hint} Providers: ${providers.join(", ")}.`,
  );
}
