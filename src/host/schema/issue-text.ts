import type { Issue } from "../../core/schema.ts";
import { escapeStep } from "./walk-schema.ts";

/** A path of keys as a JSON Pointer. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${escapeStep(String(step))}`).join("");
}

/** The value at a path; undefined if there is none. Only own properties count. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((node, step) => {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return undefined;
    return (node as Record<PropertyKey, unknown>)[step];
  }, root);
}

/** The JSON type of a value, as schemas call it. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** A value for a message: scalars as JSON, cut if long; others by type. */
export function quote(value: unknown): string {
  if (typeof value === "object" || typeof value === "function") return typeName(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}

/** The allowed values, as in `one of "a"|"b"`. */
export function oneOfText(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  return texts.length === 1 ? String(texts[0]) : `one of ${texts.join("|")}`;
}

/** The message for a missing field. */
export function requiredText(expected: string | undefined): string {
  return expected ? `is required, expected ${expected}` : "is required";
}

/** The expectation in a library's message; undefined if the message contains anything else. */
export function expectedIn(message: string): string | undefined {
  return /^(?:[\w ]+[:.,] )?expected (.+?)(?:, (?:but )?received .*)?$/i.exec(message)?.[1];
}

/** One issue for a value that matches none of several alternatives. */
export function describeUnion(branches: readonly (readonly Issue[])[], at: string, value: unknown): Issue[] {
  const simple = branches.map((issues) => simpleExpectation(issues, at));
  const deep = branches.filter((_, index) => simple[index] === undefined);
  const [only] = deep;
  if (deep.length === 1 && only) return [...only];
  if (deep.length > 1)
    return [{ path: at, message: `matches none of the allowed forms: ${deep.map(form(at)).join("; ")}` }];
  return [{ path: at, message: alternatives([...new Set(simple)].join(" or "), value) }];
}

function simpleExpectation(issues: readonly Issue[], at: string): string | undefined {
  const [issue] = issues;
  return issues.length === 1 && issue?.path === at ? expectedIn(issue.message) : undefined;
}

function alternatives(expected: string, value: unknown): string {
  if (value === undefined) return requiredText(expected);
  return `expected ${expected}, received ${expected.includes('"') ? quote(value) : typeName(value)}`;
}

function form(at: string): (issues: readonly Issue[], index: number) => string {
  return (issues, index) =>
    `(${index + 1}) ${issues.map(({ path, message }) => `${path.slice(at.length)} ${message}`.trim()).join(", ")}`;
}
