import { messageOf } from "../../core/error.ts";
import type { Checked } from "../../core/schema.ts";
import { type AnyObject, isObjectOrFunction } from "../../platform/values/is-object.ts";
import type { Side } from "./dialect.ts";
import { toPointer } from "./issue-text.ts";
import { rootFor, toPlainJson } from "./json-copy.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";

interface Standard {
  readonly vendor?: string;
  validate(value: unknown): Result | Promise<Result>;
  readonly jsonSchema?: { readonly [side in Side]?: (options: { target: string }) => unknown };
}

interface Result {
  readonly value?: unknown;
  readonly issues?: readonly { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] }[] | undefined;
}

/** A schema of any library that implements Standard Schema and exports JSON Schema. */
export function standardSchema(schema: unknown, side: Side = "input"): LazySchema {
  const standard = (schema as AnyObject)["~standard"] as Standard;
  const { $schema: _, ...json } = toPlainJson(jsonOf(standard, side));
  return lazySchema(rootFor(json, side), async () => async (input) => toChecked(await standard.validate(input)));
}

function jsonOf(standard: Standard, side: Side): unknown {
  const { jsonSchema, vendor = "This library" } = standard;
  if (!isObjectOrFunction(jsonSchema) || typeof jsonSchema[side] !== "function") {
    throw new SchemaProblem(
      `${vendor} does not export JSON Schema (~standard.jsonSchema), which models need. Use a version that does, Zod, or a JSON Schema.`,
    );
  }
  try {
    return jsonSchema[side]({ target: "draft-2020-12" });
  } catch (cause) {
    throw new SchemaProblem(`${vendor} cannot describe this schema as JSON Schema: ${messageOf(cause)}`, { cause });
  }
}

function toChecked(result: Result): Checked {
  if (!result.issues) return { ok: true, value: result.value };
  const issues = result.issues.map(({ message, path = [] }) => ({
    path: toPointer(path.map((step) => (typeof step === "object" ? step.key : step))),
    message,
  }));
  return { ok: false, issues };
}
