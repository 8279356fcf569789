import type { IncomingMessage } from "node:http";
import { API_ROUTES, type RouteBody, type RouteName, type RouteQuery } from "../../../../core/api-routes.ts";
import type { ApiRoute } from "../../../../core/api-schema.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { type BodyLimits, readJson } from "../../parts/read-json.ts";
import { bodyProblem, propertiesOf, queryProblem } from "./check-request.ts";

interface Invalid {
  readonly kind: "invalid";
  readonly error: ErrorResponse;
}

/** Reads and checks the body of a request. A missing body is an empty object. Never rejects. */
export async function readJsonBody<R extends RouteName>(
  incoming: IncomingMessage,
  limits: BodyLimits,
  route: R,
): Promise<{ readonly kind: "body"; readonly body: RouteBody<R> } | Invalid> {
  const read = await readJson(incoming, limits);
  if (read.kind === "invalid") return read;
  const problem = bodyProblem(read.value, API_ROUTES[route]);
  return problem === undefined ? { kind: "body", body: (read.value ?? {}) as RouteBody<R> } : invalid(problem);
}

/** Checks the query of a request, and converts its numbers. */
export function readQuery<R extends RouteName>(
  url: string,
  route: R,
): { readonly kind: "query"; readonly query: RouteQuery<R> } | Invalid {
  const sent = new URL(url).searchParams;
  const contract: ApiRoute = API_ROUTES[route];
  const problem = queryProblem(sent, contract);
  if (problem !== undefined) return invalid(problem);
  const known = propertiesOf(contract.query);
  const values = [...sent].flatMap(([key, text]) =>
    key === "token" ? [] : [[key, known[key]?.type === "integer" ? Number(text) : text]],
  );
  return { kind: "query", query: Object.fromEntries(values) };
}

function invalid(message: string): Invalid {
  return { kind: "invalid", error: { code: "bad_request", message } };
}
