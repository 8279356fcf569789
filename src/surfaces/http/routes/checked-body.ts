import type { IncomingMessage } from "node:http";
import type { ErrorResponse } from "../../../http/error-response.ts";
import { type BodyLimits, readJson } from "../../../http/read-json.ts";
import { type BodyRules, bodyProblem } from "./body-fields.ts";

type CheckedBody<T> =
  | { readonly kind: "body"; readonly body: T }
  | { readonly kind: "invalid"; readonly error: ErrorResponse };

/** Reads and checks the body of a request. A missing body is an empty object. Never rejects. */
export async function readCheckedBody<T>(
  incoming: IncomingMessage,
  limits: BodyLimits,
  rules: BodyRules<T>,
): Promise<CheckedBody<T>> {
  const read = await readJson(incoming, limits);
  if (read.kind === "invalid") return read;
  const problem = bodyProblem(read.value, rules);
  if (problem !== undefined) return { kind: "invalid", error: { code: "bad_request", message: problem } };
  return { kind: "body", body: (read.value ?? {}) as T };
}
