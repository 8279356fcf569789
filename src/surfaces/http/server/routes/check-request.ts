import type { ApiFormat, ApiRoute, ApiSchema } from "../../../../core/api-schema.ts";
import { RULE_ACTIONS } from "../../../../core/permission-mode.ts";
import { isObject } from "../../../../platform/values/is-object.ts";
import { recordingProblem } from "../../../../sessions/log/session-id.ts";

/** All properties of an object, with those of the object that it extends. */
export function propertiesOf(schema: ApiSchema | undefined): Readonly<Record<string, ApiSchema>> {
  return { ...schema?.extends?.properties, ...schema?.properties };
}

/** Why the body of a request is not valid; undefined if it is. A missing body is an empty object. */
export function bodyProblem(sent: unknown, { body, example, hint }: ApiRoute): string | undefined {
  if (!isObject(sent ?? {}) || sent === null) return `The body must be an object: ${example}.`;
  const fields = (sent ?? {}) as Readonly<Record<string, unknown>>;
  const known = propertiesOf(body);
  for (const [key, value] of Object.entries(fields)) {
    const schema = Object.hasOwn(known, key) ? known[key] : undefined;
    if (!schema) {
      const names = Object.keys(known).join(", ");
      return `There is no field ${JSON.stringify(key)}. ${hint === undefined ? "" : `${hint} `}Fields: ${names}.`;
    }
    const problem = valueProblem(value, schema);
    if (problem !== undefined) return `"${key}" ${problem}.`;
  }
  const missing = Object.keys(known).find((key) => !known[key]?.optional && fields[key] === undefined);
  return missing === undefined ? undefined : `"${missing}" is missing. Send ${example}.`;
}

/** Why the query of a request is not valid; undefined if it is. `token` may be in every query. */
export function queryProblem(sent: URLSearchParams, { query }: ApiRoute): string | undefined {
  const known = propertiesOf(query);
  for (const [key, value] of sent) {
    if (key === "token") continue;
    const schema = Object.hasOwn(known, key) ? known[key] : undefined;
    if (!schema) {
      return `There is no query parameter ${JSON.stringify(key)}. Parameters: ${Object.keys(known).join(", ")}.`;
    }
    if (sent.getAll(key).length > 1) return `The query parameter "${key}" is given more than once. Give it once.`;
    const problem = valueProblem(value, schema);
    if (problem !== undefined) return `The query parameter "${key}" ${problem}.`;
  }
  return undefined;
}

type Check = (value: unknown) => string | undefined;

/** Why a value is not valid, as the end of a sentence about its field; undefined if it is. A number may be digits of a query. */
export function valueProblem(value: unknown, schema: ApiSchema): string | undefined {
  const { format, type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (format !== undefined) return FORMATS[format](value);
  if (schema.enum) return oneOf(schema.enum)(value);
  switch (type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "integer":
      return integerIn(minimum, maximum)(value);
    case "number":
      return Number.isFinite(value) && Number(value) > (schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY)
        ? undefined
        : `must be a number above ${schema.exclusiveMinimum}`;
    case "string":
      if (typeof value !== "string") return "must be a string";
      return value.length <= maxLength ? undefined : `must have at most ${maxLength} characters`;
    default:
      return undefined;
  }
}

const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `must be one of ${values.map((each) => `"${each}"`).join(", ")}`;

const integerIn =
  (from: number, to: number): Check =>
  (value) => {
    const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return Number.isInteger(number) && Number(number) >= from && Number(number) <= to
      ? undefined
      : `must be an integer from ${from} to ${to}`;
  };

const matching =
  (pattern: RegExp, problem: string): Check =>
  (value) =>
    pattern.test(String(value)) ? undefined : problem;

const isName = (value: unknown): boolean => typeof value === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(value);
const KINDS: ReadonlySet<unknown> = new Set(["text", "image", "file"]);

const FORMATS: Readonly<Record<ApiFormat, Check>> = {
  action: oneOf(RULE_ACTIONS),
  arguments: (value) => (isObject(value) ? undefined : "must be an object: the arguments of the tool"),
  "branch point": (value) =>
    Number.isSafeInteger(value) && Number(value) > 0 ? undefined : "must be the position of an event: a number from 1",
  cursor: matching(/^.{0,10000}$/s, 'must be the "next" of the page before'),
  directory: (value) => (typeof value === "string" && value !== "" ? undefined : "must be an absolute path"),
  filter: matching(/^.{0,1000}$/s, "must have at most 1000 characters"),
  name: (value) => (isName(value) ? undefined : "must be a string of 1 to 200 characters, without control characters"),
  "page size": matching(/^(?:[1-9]\d?|1\d\d|200)$/, "must be a whole number from 1 to 200"),
  // 0 is before the first event.
  position: matching(/^(?:0|[1-9]\d{0,14})$/, "must be a position: the id of an event, or 0 for all"),
  prompt: (value) => {
    if (typeof value !== "string") return "must be a string";
    return value.trim() === "" ? "is empty. Write what the agent should do" : undefined;
  },
  "recorded session": recordingProblem,
  "rendered result": (value) =>
    isObject(value) &&
    Array.isArray(value.content) &&
    value.content.every((each: unknown) => isObject(each) && KINDS.has(each.type)) &&
    typeof value.isError === "boolean" &&
    Object.keys(value).every((key) => key === "content" || key === "isError" || key === "data")
      ? undefined
      : 'must be the result of a call: { "content": […], "data"?, "isError": false }',
  "rule position": integerIn(1, 1_000_000),
  time: integerIn(0, Number.MAX_SAFE_INTEGER),
  "tool names": (value) =>
    Array.isArray(value) && value.length <= 1_000 && value.every(isName)
      ? undefined
      : 'must be a list of at most 1000 names of tools, such as ["read", "grep*"]',
};
