import type { IncomingMessage } from "node:http";
import { levelsOf } from "../../../platform/json/json-levels.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { ErrorResponse } from "./error-response.ts";
import { tooLarge } from "./guards/body.ts";
import { type OpenBodies, OpenBody } from "./open-bodies.ts";

export interface BodyLimits {
  /** The largest body of a request, in bytes. */
  readonly bodyBytes: number;
  /** The maximum nesting of JSON. */
  readonly depth: number;
  /** All bodies that the server is receiving. */
  readonly openBodies: OpenBodies;
}

type ReadJson =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "invalid"; readonly error: ErrorResponse };

/** Reads and parses a body. The value of an empty body is undefined. Never rejects. */
export async function readJson(incoming: IncomingMessage, limits: BodyLimits): Promise<ReadJson> {
  const { bodyBytes, depth } = limits;
  const bytes = await readBytes(incoming, limits);
  if (bytes === "refused") return { kind: "invalid", error: TOO_MANY_BODIES };
  if (bytes === "broken") return invalid("The request ended before its body did. Send it again.");
  if (bytes === "too large") return { kind: "invalid", error: tooLarge(bodyBytes) };
  if (bytes.length === 0) return { kind: "json", value: undefined };
  const text = tryOrUndefined(() => UTF8.decode(bytes));
  if (text === undefined) return invalid("The body is not valid UTF-8. Send it as JSON in UTF-8.");
  if (hasManyKeys(text)) return invalid(`The JSON has more than ${MAX_KEYS} keys. Send less.`);
  const value = tryOrUndefined(() => JSON.parse(text) as unknown);
  if (value === undefined) return invalid("The body is not valid JSON. Send one JSON object.");
  const fault = faultOf(value, depth);
  return fault === undefined ? { kind: "json", value } : invalid(fault);
}

/** Discards the rest of a body that is too large, or was refused, until the request timeout. */
function readBytes(
  incoming: IncomingMessage,
  { bodyBytes, openBodies }: BodyLimits,
): Promise<Buffer | "too large" | "broken" | "refused"> {
  const { promise, resolve } = Promise.withResolvers<Buffer | "too large" | "broken" | "refused">();
  const body = new OpenBody(openBodies, bodyBytes, () => resolve("refused"));
  const end = (outcome: "too large" | "broken"): void => {
    body.discard();
    resolve(outcome);
  };
  incoming.on("data", (chunk: Buffer) => {
    if (body.size + chunk.length <= bodyBytes) body.add(chunk);
    else end("too large");
  });
  incoming.on("end", () => resolve(body.close()));
  incoming.on("error", () => end("broken"));
  incoming.on("close", () => end("broken"));
  return promise;
}

const TOO_MANY_BODIES: ErrorResponse = {
  code: "busy",
  message:
    "The server is receiving too many large bodies at once, and this one began first. Send it again, without pauses.",
  headers: { "retry-after": "1" },
};

/** Each different key costs about a microsecond in every step of a call, which other clients wait for. */
const MAX_KEYS = 100_000;
const MAX_KEYS_OF_OBJECT = 10_000;
/** The shortest field of an object: `"":1,`. */
const MIN_FIELD = 5;

/** Looks at the text, because parsing costs most. Keys that end with a backslash are not counted. */
function hasManyKeys(text: string): boolean {
  if (text.length < MAX_KEYS * MIN_FIELD) return false;
  const key = /(?<!\\)"[ \t\r\n]*:/g;
  let count = 0;
  while (key.test(text)) {
    count += 1;
    if (count > MAX_KEYS) return true;
  }
  return false;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Why a parsed value is dangerous: it is nested so deeply that a recursive walk would overflow the stack, has keys that
 * change prototypes when they are copied, or so many in one object that each walk takes long.
 */
function faultOf(value: unknown, maxDepth: number): string | undefined {
  let depth = 0;
  for (const level of levelsOf(value)) {
    depth += 1;
    if (depth > maxDepth) return `The JSON is nested more than ${maxDepth} levels deep. Send it flatter.`;
    for (const each of level) {
      const fault = Array.isArray(each) ? undefined : keyFaultOf(each);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function keyFaultOf(value: object): string | undefined {
  if (Object.keys(value).length > MAX_KEYS_OF_OBJECT)
    return `An object of the JSON has more than ${MAX_KEYS_OF_OBJECT} keys. Send a list instead.`;
  if (Object.hasOwn(value, "__proto__")) return 'The key "__proto__" is not allowed. Remove it.';
  const made: unknown = Object.hasOwn(value, "constructor") ? value.constructor : undefined;
  if (typeof made !== "object" || made === null || !Object.hasOwn(made, "prototype")) return undefined;
  return 'The key "constructor" with a "prototype" in it is not allowed. Remove it.';
}

function invalid(message: string): ReadJson {
  return { kind: "invalid", error: { code: "bad_request", message } };
}
