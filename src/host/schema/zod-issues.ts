import type { Issue } from "../../core/schema.ts";
import { describeUnion, expectedIn, quote, requiredText, toPointer, valueAt } from "./issue-text.ts";

/** The fields of Zod 3 and Zod 4 issues that are used here. */
export interface ZodIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  /** Zod 4: one list for each alternative; paths start at the union. */
  readonly errors?: readonly (readonly ZodIssue[])[];
  /** Zod 3: one error for each alternative; paths start at the root. */
  readonly unionErrors?: readonly { readonly issues: readonly ZodIssue[] }[];
  /** Zod 4: the issues of a key of a record or an element of a set. */
  readonly issues?: readonly ZodIssue[];
}

/** Converts Zod's issues. Messages that would not help a model are replaced. */
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

/** The codes of a missing field. Messages of authors' checks have other codes and are not replaced. */
const MISSING_CODES = new Set([
  "invalid_type",
  "invalid_value",
  "invalid_union",
  "invalid_literal",
  "invalid_enum_value",
  "invalid_union_discriminator",
]);

function messageFor(issue: ZodIssue, value: unknown, isField: boolean): string {
  const { code = "", message } = issue;
  if (isField && value === undefined && MISSING_CODES.has(code) && isDefaultMessage(message)) {
    return requiredText(expectedIn(message) ?? (typeof issue.expected === "string" ? issue.expected : undefined));
  }
  if (code === "invalid_value" && expectedIn(message) !== undefined) return `${message}, received ${quote(value)}`;
  if (!issue.issues?.length) return message;
  return `${message}: ${issue.issues.map((inner) => inner.message).join("; ")}`;
}

function isDefaultMessage(message: string): boolean {
  return message === "Required" || message.startsWith("Invalid ");
}
