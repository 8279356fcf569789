import type { RouteAnswer, RouteBody, RouteName, RouteQuery } from "../../../core/api-routes.ts";
import type { PathNames } from "../../../core/api-schema.ts";
import { readJsonResponse } from "./read-response.ts";
import { type RequestOptions, type ServerAddress, send, toQuery } from "./send.ts";

type Without<T> = [T] extends [never] ? true : undefined extends T ? true : false;

/** What the contract says that a request of a route has. */
type RequestParts<R extends RouteName> = (Without<PathNames<R>> extends true
  ? unknown
  : { readonly path: Readonly<Record<PathNames<R>, string>> }) &
  (Without<RouteBody<R>> extends true ? unknown : { readonly body: RouteBody<R> }) &
  (Without<RouteQuery<R>> extends true ? unknown : { readonly query: RouteQuery<R> });

/** Sends a request of a route, and resolves with the JSON of its response. Rejects with `RequestRefused` if it is refused. */
type Ask = <R extends RouteName>(route: R, parts: RequestParts<R>, options?: RequestOptions) => Promise<RouteAnswer<R>>;

export function askServer(server: ServerAddress): Ask {
  return async (route, parts, { signal } = {}) => {
    const { path = {}, query = {}, body } = parts as Parts;
    const [method = "GET", template = ""] = route.split(" ");
    const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_BODY };
    return readJsonResponse(await send(server, `${url}${toQuery(query)}`, { method, ...sent, signal }));
  };
}

/** The same for a route whose response has no data. */
type Tell = <R extends RouteName>(route: R, parts: RequestParts<R>, options?: RequestOptions) => Promise<void>;

export function tellServer(server: ServerAddress): Tell {
  const ask = askServer(server);
  return async (route, parts, options) => void (await ask(route, parts, options));
}

interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

const JSON_BODY = { "content-type": "application/json" };
