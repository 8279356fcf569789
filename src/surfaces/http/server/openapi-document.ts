import { ERROR } from "../../../core/api.ts";
import { API_ROUTES, API_SCHEMAS } from "../../../core/api-routes.ts";
import type { ApiRoute, ApiSchema } from "../../../core/api-schema.ts";
import { VERSION } from "../../../core/version.ts";
import { defined } from "../../../platform/values/defined.ts";
import { propertiesOf } from "./routes/check-request.ts";

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the REST API. */
export function openapiDocument(): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Toolwright",
      version: VERSION,
      description: "The tools of one directory, and sessions of agents that use them.",
    },
    security: [{ token: [] }],
    paths: { ...paths(), "/metrics": { get: METRICS } },
    components: {
      schemas: Object.fromEntries(Object.entries(API_SCHEMAS).map(([name, schema]) => [name, documented(schema)])),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

const TEXT: ApiSchema = { type: "string" };

const METRICS: Json = {
  summary: "Prometheus metrics",
  responses: { 200: { description: "Prometheus text.", content: { "text/plain": { schema: TEXT } } } },
};

function paths(): Json {
  const all: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries<ApiRoute>(API_ROUTES)) {
    const [method = "", path = ""] = name.split(" ");
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, each = ""]) => each);
    const parameters = names.map((each) => ({ name: each, in: "path", required: true, schema: TEXT }));
    all[path] ??= parameters.length === 0 ? {} : { parameters };
    all[path][method.toLowerCase()] = operation(route);
  }
  return all;
}

function operation({ summary, description, open, query, headers = {}, body, ...response }: ApiRoute): Json {
  // The parameters of the route itself come before those that it shares with others.
  const queried = { ...query?.properties, ...query?.extends?.properties };
  const parameters = [...parametersIn("query", queried), ...parametersIn("header", headers)];
  return {
    summary,
    ...defined({ description }),
    ...(open ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: { ...(isRequired(body) ? { required: true } : {}), ...jsonOf(body) } } : {}),
    responses: responses(response),
  };
}

type Response = Pick<ApiRoute, "status" | "returns" | "answer" | "content" | "refusals" | "failures">;

function responses({ status = 200, returns, answer, content = [], refusals, failures }: Response): Json {
  const others = Object.fromEntries(content.map((type) => [type, { schema: TEXT }]));
  const withDescriptions = (all: Readonly<Record<number, string>> = {}, schema: ApiSchema): Json =>
    Object.fromEntries(Object.entries(all).map(([code, why]) => [code, { description: why, ...jsonOf(schema) }]));
  return {
    [status]: { description: returns, ...(answer ? jsonOf(answer) : { content: others }) },
    ...withDescriptions(refusals, ERROR),
    ...withDescriptions(failures, { anyOf: [API_SCHEMAS.Result ?? {}, ERROR] }),
    default: { description: "The request was refused.", ...jsonOf(ERROR) },
  };
}

function parametersIn(place: "query" | "header", all: Readonly<Record<string, ApiSchema>>): Json[] {
  return Object.entries(all).map(([name, schema]) => ({
    name,
    in: place,
    ...(schema.optional ? {} : { required: true }),
    schema: documented(schema),
    ...defined({ description: schema.summary }),
  }));
}

const jsonOf = (schema: ApiSchema): Json => ({ content: { "application/json": { schema: reference(schema) } } });

function isRequired(body: ApiSchema): boolean {
  return Object.values(propertiesOf(body)).some(({ optional }) => !optional);
}

function reference(schema: ApiSchema): Json {
  const [name] = Object.entries(API_SCHEMAS).find(([, each]) => each === schema) ?? [];
  return name === undefined ? documented(schema) : { $ref: `#/components/schemas/${name}` };
}

/** The keywords that JSON Schema has. */
function documented({ optional: _, format: _f, summary: _s, extends: base, ref, ...schema }: ApiSchema): Json {
  if (ref) return reference(ref);
  const { anyOf, oneOf, items, properties, ...more } = schema;
  return {
    ...more,
    ...(anyOf && { anyOf: anyOf.map(reference) }),
    ...(oneOf && { oneOf: oneOf.map(reference) }),
    ...(items && { type: "array", items: reference(items) }),
    ...(properties && objectKeywords(Object.entries(propertiesOf({ properties, ...defined({ extends: base }) })))),
  };
}

function objectKeywords(all: readonly [string, ApiSchema][]): Json {
  return {
    type: "object",
    properties: Object.fromEntries(all.map(([name, schema]) => [name, reference(schema)])),
    required: all.flatMap(([name, { optional }]) => (optional ? [] : [name])),
    additionalProperties: false,
  };
}
