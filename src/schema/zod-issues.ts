import type { Issue } from "../core/schema.ts";
import { describeUnion, expectedIn, quote, requiredText, toPointer, valueAt } from "./issue-text.ts";

/** What Zod 3 and Zod 4 say of a bad input, as far as both are read here. */
export interface ZodIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  /** Zod 4: one list for each alternative; paths start at the union. */
  readonly errors?: readonly (readonly ZodIssue[])[];
  /** Zod 3: one error for each alternative; paths start at the root. */
  readonly unionErrors?: readonly { readonly issues: readonly ZodIssue[] }[];
  /** Zod 4: what is wrong with a key of a record or an element of a set. */
  readonly issues?: readonly ZodIssue[];
}

/** Zod's issues with pointers. Its messages stay, except where they would tell a model nothing. */
export function fromZodIssues(issues: readonly ZodIssue[], input: unknown, base: readonly PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    const pointer = toPointer(path);
    const value = valueAt(input, path);
    const branches = branchesOf(issue, input, path);
    if (branches) return describeUnion(branches, pointer, value);
    return [{ path: pointer, message: messageFor(issue, value, path.length > 0) }];
  });
}

function branchesOf(issue: ZodIssue, input: unknown, path: readonly PropertyKey[]): Issue[][] | undefined {
  if (issue.code !== "invalid_union" || issue.message !== "Invalid input") return undefined;
  if (issue.errors?.length) return issue.errors.map((branch) => fromZodIssues(branch, input, path));
  return issue.unionErrors?.map((branch) => fromZodIssues(branch.issues, input));
}

/** The codes that a missing field can have; a check of the author's own has another, and its message is kept. */
const OF_MISSING = new Set([
  "invalid_type",
  "invalid_value",
  "invalid_union",
  "invalid_literal",
  "invalid_enum_value",
  "invalid_union_discriminator",
]);

function messageFor(issue: ZodIssue, value: unknown, isField: boolean): string {
  const { code = "", message } = issue;
  if (isField && value === undefined && OF_MISSING.has(code) && isZodsOwn(message)) {
    return requiredText(expectedIn(message) ?? (typeof issue.expected === "string" ? issue.expected : undefined));
  }
  if (code === "invalid_value" && expectedIn(message) !== undefined) return `${message}, received ${quote(value)}`;
  if (!issue.issues?.length) return message;
  return `${message}: ${issue.issues.map((inner) => inner.message).join("; ")}`;
}

function isZodsOwn(message: string): boolean {
  return message === "Required" || message.startsWith("Invalid ");
}
