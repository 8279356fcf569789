import { VERSION } from "../../../core/version.ts";
import { PAGE_API } from "./openapi-page.ts";
import { type ApiPart, answers, type Json, object, text } from "./openapi-parts.ts";
import { QUESTIONS_API } from "./openapi-questions.ts";
import { SESSIONS_API } from "./openapi-sessions.ts";
import { TOOLS_API } from "./openapi-tools.ts";

const SERVER_PATHS: Json = {
  "/openapi.json": { get: { summary: "This document", ...answers("An OpenAPI document.", { type: "object" }) } },
  "/healthz": {
    get: {
      summary: "Check that the server is running",
      security: [],
      ...answers("It is running.", object({ status: text })),
    },
  },
  "/metrics": {
    get: {
      summary: "Prometheus metrics",
      responses: { 200: { description: "Prometheus text.", content: { "text/plain": { schema: text } } } },
    },
  },
};

const SERVER_API: ApiPart = {
  paths: SERVER_PATHS,
  schemas: { Error: object({ error: object({ code: text, message: text }) }) },
};

/** One part for each resource. */
const PARTS: readonly ApiPart[] = [TOOLS_API, QUESTIONS_API, SESSIONS_API, PAGE_API, SERVER_API];

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
    paths: Object.assign({}, ...PARTS.map(({ paths }) => paths)),
    components: {
      schemas: Object.assign({}, ...PARTS.map(({ schemas }) => schemas)),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}
