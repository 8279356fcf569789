import { TOOL_ROUTES, TOOL_SCHEMAS } from "./api.ts";
import { PAGE_ROUTES, PAGE_SCHEMAS } from "./api-page.ts";
import type { AnswerOf, ApiRoute, ApiSchemas, BodyOf, QueryOf } from "./api-schema.ts";
import { SESSION_ROUTES, SESSION_SCHEMAS } from "./api-sessions.ts";

const SERVER_ROUTES = {
  "GET /openapi.json": { summary: "This document", returns: "An OpenAPI document.", answer: { type: "object" } },
  "GET /healthz": {
    summary: "Check that the server is running",
    open: true,
    returns: "It is running.",
    answer: { properties: { status: { type: "string" } } },
  },
} as const;

type Routes = typeof TOOL_ROUTES & typeof SESSION_ROUTES & typeof PAGE_ROUTES & typeof SERVER_ROUTES;

/** The contract of the REST API. The checks of requests, the OpenAPI document, and the types of server and client come from it. */
export const API_ROUTES: Routes & Readonly<Record<string, ApiRoute>> = {
  ...TOOL_ROUTES,
  ...SESSION_ROUTES,
  ...PAGE_ROUTES,
  ...SERVER_ROUTES,
};

/** The schemas that have a name in the OpenAPI document. */
export const API_SCHEMAS: ApiSchemas = { ...TOOL_SCHEMAS, ...SESSION_SCHEMAS, ...PAGE_SCHEMAS };

/** The method and path of a route. */
export type RouteName = keyof Routes;
export type RouteAnswer<R extends RouteName> = AnswerOf<Routes[R]>;
export type RouteBody<R extends RouteName> = BodyOf<Routes[R]>;
export type RouteQuery<R extends RouteName> = QueryOf<Routes[R]>;
