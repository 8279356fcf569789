import type { z } from "zod";
import { messageOf } from "../../core/error.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { AnyObject } from "../../platform/values/is-object.ts";
import type { Side } from "./dialect.ts";
import { rootFor } from "./json-copy.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";
import { fromZodIssues, type ZodIssue } from "./zod-issues.ts";

/** Imported once: each import would run the loader's hooks. */
let loading: Promise<typeof import("zod")> | undefined;

function ourZod(): Promise<typeof import("zod")> {
  loading ??= import("zod");
  return loading;
}

/** A complete Zod 4 schema, of any copy of Zod 4. */
export async function zod4Schema(schema: unknown, side: Side = "input"): Promise<LazySchema> {
  const zod = await ourZod();
  const type = schema as z.ZodType;
  return lazySchema(rootFor(toJson(zod.z, type, side), side), async () => async (input) => {
    // A synchronous parse would start asynchronous refinements, throw, and leave unhandled rejections.
    const parsed = await zod.z.safeParseAsync(type, input);
    if (parsed.success) return { ok: true, value: parsed.data };
    return { ok: false, issues: fromZodIssues(parsed.error.issues as readonly ZodIssue[], input) };
  });
}

/** The fields of a raw shape as one object, so that definitions and recursion are shared. */
export async function zod4Object(fields: AnyObject, side: Side = "input"): Promise<LazySchema> {
  const { z: ours } = await ourZod();
  return zod4Schema(ours.object(fields as Record<string, z.ZodType>), side);
}

function toJson(ours: typeof z, type: z.ZodType, side: Side): JsonSchema {
  try {
    const { $schema: _, ...json } = ours.toJSONSchema(type, {
      io: side,
      unrepresentable: "any",
      override: (node) => complete(node, side),
    });
    return json;
  } catch (cause) {
    if (cause instanceof SchemaProblem) throw cause;
    throw new SchemaProblem(`Zod cannot describe this schema as JSON Schema: ${messageOf(cause)}`, { cause });
  }
}

/** Adds descriptions from another copy of Zod, and dates as strings, which Zod omits. */
function complete(
  { zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> },
  side: Side,
): void {
  const { description, _zod } = zodSchema as {
    description?: unknown;
    _zod: { def: { type: string; coerce?: boolean } };
  };
  if (typeof description === "string") jsonSchema.description ??= description;
  const isText = _zod.def.type === "date" && (_zod.def.coerce || side === "output");
  if (isText) Object.assign(jsonSchema, { type: "string", format: "date-time" });
}
