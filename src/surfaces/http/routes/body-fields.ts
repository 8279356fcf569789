import { isObject } from "../../../core/is-object.ts";

/** For each field of a body: why a value is not valid, as the end of a sentence about the field; undefined if it is. */
export type FieldChecks<T> = { readonly [K in keyof T]-?: (value: unknown) => string | undefined };

/** How a body is described to the client. */
export interface BodyRules<T> {
  readonly checks: FieldChecks<T>;
  readonly required?: readonly (keyof T & string)[];
  /** A body that is valid. */
  readonly example: string;
  /** A sentence for a client that sends an unknown field. */
  readonly hint?: string;
}

/** Why a body is not valid; undefined if it is. A missing body is an empty object. */
export function bodyProblem<T>(
  body: unknown,
  { checks, required = [], example, hint }: BodyRules<T>,
): string | undefined {
  if (!isObject(body ?? {}) || body === null) return `The body must be an object: ${example}.`;
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(fields)) {
    if (!Object.hasOwn(checks, key)) {
      const known = Object.keys(checks).join(", ");
      return `There is no field ${JSON.stringify(key)}. ${hint === undefined ? "" : `${hint} `}Fields: ${known}.`;
    }
    const problem = checks[key as keyof T](value);
    if (problem !== undefined) return `"${key}" ${problem}.`;
  }
  const missing = required.find((key) => fields[key] === undefined);
  return missing === undefined ? undefined : `"${missing}" is missing. Send ${example}.`;
}

/** Why the query of a URL is not valid; undefined if it is. `token` may be in every query. */
export function queryProblem<T>(query: URLSearchParams, checks: FieldChecks<T>): string | undefined {
  for (const [key, value] of query) {
    if (key === "token") continue;
    if (!Object.hasOwn(checks, key)) {
      return `There is no query parameter ${JSON.stringify(key)}. Parameters: ${Object.keys(checks).join(", ")}.`;
    }
    if (query.getAll(key).length > 1) return `The query parameter "${key}" is given more than once. Give it once.`;
    const problem = checks[key as keyof T](value);
    if (problem !== undefined) return `The query parameter "${key}" ${problem}.`;
  }
  return undefined;
}

/** Text of one line, such as a name. */
export function shortTextProblem(value: unknown): string | undefined {
  return typeof value === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(value)
    ? undefined
    : "must be a string of 1 to 200 characters, without control characters";
}

/** Text that is checked elsewhere. */
export function textProblem(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "must be a string";
}

/** A number in a body, or its digits in a query. */
export function integerIn(from: number, to: number): (value: unknown) => string | undefined {
  return (value) => {
    const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return Number.isInteger(number) && Number(number) >= from && Number(number) <= to
      ? undefined
      : `must be an integer from ${from} to ${to}`;
  };
}

export function oneOf(values: readonly string[]): (value: unknown) => string | undefined {
  return (value) =>
    values.includes(value as string) ? undefined : `must be one of ${values.map((each) => `"${each}"`).join(", ")}`;
}
