import type { ElicitRequest } from "@modelcontextprotocol/server";
import type { McpPrompt, McpResource, McpResourceTemplate } from "../../src/surfaces/mcp/index.ts";

/** A PNG with one red pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** A silent WAV. */
export const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/** A question to the user of a client. */
export function form(
  message: string,
  properties: ElicitRequest["params"] extends infer P
    ? P extends { requestedSchema: { properties: infer F } }
      ? F
      : never
    : never,
  required: string[] = Object.keys(properties),
): ElicitRequest {
  const requestedSchema = { type: "object" as const, properties, required };
  return { method: "elicitation/create", params: { mode: "form", message, requestedSchema } };
}

export const RESOURCES: readonly (McpResource | McpResourceTemplate)[] = [
  {
    uri: "test://static-text",
    name: "static-text",
    description: "A text that never changes.",
    mimeType: "text/plain",
    read: () => "This is the content of the static text resource.",
  },
  {
    uri: "test://static-binary",
    name: "static-binary",
    description: "A picture that never changes.",
    mimeType: "image/png",
    read: () => Buffer.from(PNG, "base64"),
  },
  {
    uri: "test://watched-resource",
    name: "watched-resource",
    description: "A text that can be subscribed to.",
    mimeType: "text/plain",
    read: () => "Watched.",
  },
  {
    uriTemplate: "test://template/{id}/data",
    name: "template",
    description: "Data for an id.",
    mimeType: "application/json",
    read: (_uri, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
];

const PARIS = ["paris", "park", "party"];

export const PROMPTS: readonly McpPrompt[] = [
  {
    name: "test_simple_prompt",
    description: "A prompt without arguments.",
    get: () => [{ role: "user", content: { type: "text", text: "This is a simple prompt for testing." } }],
  },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with two arguments.",
    arguments: [
      { name: "arg1", description: "The first.", required: true },
      { name: "arg2", description: "The second.", required: true },
    ],
    get: ({ arg1, arg2 }) => [
      { role: "user", content: { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` } },
    ],
    complete: (_argument, value) => PARIS.filter((each) => each.startsWith(value)),
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt that brings a resource along.",
    arguments: [{ name: "resourceUri", description: "Its address.", required: true }],
    get: ({ resourceUri = "" }) => [
      {
        role: "user",
        content: {
          type: "resource",
          resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        },
      },
      { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
    ],
  },
  {
    name: "test_prompt_with_image",
    description: "A prompt that brings a picture along.",
    get: () => [
      { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
      { role: "user", content: { type: "text", text: "Please analyze the image above." } },
    ],
  },
  {
    name: "test_input_required_result_prompt",
    description: "A prompt that asks the user something first.",
    get: async (_values, client) => {
      const question = form("What context should the prompt use?", { context: { type: "string" } });
      const { user_context } = await client.ask({ user_context: question });
      return [{ role: "user", content: { type: "text", text: JSON.stringify(user_context) } }];
    },
  },
];
