import { isObject } from "../../../../platform/values/is-object.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { JSON_HEADERS } from "../../parts/json-response.ts";
import { readJson } from "../../parts/read-json.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** Gives a browser that has the token a cookie. */
export function logIn({ login, limits, fail }: RouteContext): RouteHandler {
  return async ({ env: { incoming } }) => {
    const body = await readJson(incoming, { ...limits, bodyBytes: MAX_BYTES });
    if (body.kind === "invalid") return fail(body.error);
    if (!isObject(body.value) || typeof body.value.token !== "string") return fail(NO_TOKEN);
    switch (login.check(body.value.token)) {
      case "right":
        return withCookie({ loggedIn: true }, login.cookie.set(incoming));
      case "wrong":
        return fail(WRONG);
      case "too many":
        return fail(login.tooMany);
    }
  };
}

export function logOut({ login }: RouteContext): RouteHandler {
  return ({ env: { incoming } }) => {
    incoming.resume();
    return withCookie({ loggedIn: false }, login.cookie.clear(incoming));
  };
}

const MAX_BYTES = 10_000;

const NO_TOKEN: ErrorResponse = { code: "bad_request", message: 'The body must be { "token": "…" }.' };

const WRONG: ErrorResponse = {
  code: "unauthorized",
  message:
    "This is not the token of this server. The server printed it when it started, or you chose it with TOOLWRIGHT_TOKEN or --token-file.",
};

function withCookie(value: unknown, cookie: string): Response {
  return new Response(JSON.stringify(value), { headers: { ...JSON_HEADERS, "set-cookie": cookie } });
}
