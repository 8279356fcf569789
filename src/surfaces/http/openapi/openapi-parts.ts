import { RULE_ACTIONS } from "../../../core/question.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The part of the OpenAPI document about one resource. */
export interface ApiPart {
  readonly paths: Json;
  readonly schemas: Json;
}

export const text: Json = { type: "string" };
export const time: Json = { type: "integer", description: "Milliseconds since the epoch." };
export const many = (items: Json): Json => ({ type: "array", items });
export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const object = (properties: Json, required: readonly string[] = Object.keys(properties)): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** A permission rule. */
export const rule: Json = object({ tool: text, match: text, agent: text, action: { enum: RULE_ACTIONS } }, [
  "tool",
  "action",
]);

/** An error response. */
export const refused = (description: string): Json => ({
  description,
  content: { "application/json": { schema: ref("Error") } },
});

/** The responses of an operation: 200 with this schema, and errors. */
export function answers(description: string, schema: Json, more: Json = {}): Json {
  return {
    responses: {
      200: { description, content: { "application/json": { schema } } },
      ...more,
      default: refused("The request was refused."),
    },
  };
}

/** A parameter in the path. */
export const pathParameter = (name: string): Json => ({ name, in: "path", required: true, schema: text });

/** A parameter in the query, which may be left out. */
export const queryParameter = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: "query",
  schema,
  ...(description === undefined ? {} : { description }),
});

/** A body of JSON. */
export const requestBody = (schema: Json): Json => ({ required: true, content: { "application/json": { schema } } });
