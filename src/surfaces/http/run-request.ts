import type { ApiRunRequest } from "../../core/api.ts";
import { isObject } from "../../core/is-object.ts";
import type { Refusal } from "./refusal.ts";

/** What a body asks for: a call, or nothing that can be understood. */
export type ReadRun =
  | { readonly kind: "call"; readonly request: ApiRunRequest }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const KNOWN: Readonly<Record<keyof ApiRunRequest, (value: unknown) => string | undefined>> = {
  input: (value) => (isObject(value) ? undefined : "is an object: the arguments of the tool"),
  sessionID: isShortText,
  agent: isShortText,
  timeoutMs: (value) => (Number.isFinite(value) && Number(value) > 0 ? undefined : "is a number above 0"),
};

/** Reads the body of a call. No body at all is a call without arguments. */
export function readRun(body: unknown = {}): ReadRun {
  if (!isObject(body)) return refused('The body is an object: { "input": { … } }.');
  for (const [key, value] of Object.entries(body)) {
    const check = Object.hasOwn(KNOWN, key) ? KNOWN[key as keyof ApiRunRequest] : undefined;
    if (!check) {
      const known = Object.keys(KNOWN).join(", ");
      return refused(`There is no field ${JSON.stringify(key)}. Arguments go into "input". Fields: ${known}.`);
    }
    const fault = check(value);
    if (fault !== undefined) return refused(`"${key}" ${fault}.`);
  }
  return { kind: "call", request: body };
}

function isShortText(value: unknown): string | undefined {
  return typeof value === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(value)
    ? undefined
    : "is a text of 1 to 200 characters";
}

function refused(message: string): ReadRun {
  return { kind: "refused", refusal: { code: "bad_request", message } };
}
