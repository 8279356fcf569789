import type { ZodRawShape, ZodType, ZodTypeDef } from "zod/v3";
import type { Options, Refs } from "zod-to-json-schema";
import { messageOf } from "../../core/error.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { AnyObject } from "../../platform/values/is-object.ts";
import type { Side } from "./dialect.ts";
import { rootFor, toPlainJson } from "./json-copy.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";
import { fromZodIssues, type ZodIssue } from "./zod-issues.ts";

type Converter = Pick<typeof import("zod-to-json-schema"), "zodToJsonSchema" | "parseDef" | "ignoreOverride">;

/** A complete Zod 3 schema. It parses with the methods of its own copy of Zod. */
export async function zod3Schema(schema: unknown, side: Side = "input"): Promise<LazySchema> {
  const type = schema as ZodType;
  const json = rootFor(toJson(await import("zod-to-json-schema"), type, side), side);
  return lazySchema(json, async () => async (input) => {
    const parsed = await type.safeParseAsync(input);
    if (parsed.success) return { ok: true, value: parsed.data as unknown };
    return { ok: false, issues: fromZodIssues(parsed.error.issues as readonly ZodIssue[], input) };
  });
}

/** The Zod 3 fields of a raw shape as one object. */
export async function zod3Object(fields: AnyObject, side: Side = "input"): Promise<LazySchema> {
  const { z } = await import("zod/v3");
  return zod3Schema(z.object(fields as ZodRawShape), side);
}

function toJson(converter: Converter, type: ZodType, side: Side): JsonSchema {
  const options: Partial<Options> = {
    pipeStrategy: side,
    // The type that a transform returns is unknown.
    effectStrategy: side === "input" ? "input" : "any",
    // An object that strips unknown keys accepts them, which is the default in JSON Schema.
    removeAdditionalStrategy: "strict",
    allowedAdditionalProperties: undefined,
    override: (def, refs) => modern(converter, def as TypedDef, refs, side),
  };
  try {
    const { $schema: _, ...json } = converter.zodToJsonSchema(type, options);
    return toPlainJson(json);
  } catch (cause) {
    throw new SchemaProblem(`This Zod 3 schema cannot be described as JSON Schema: ${messageOf(cause)}`, { cause });
  }
}

type TypedDef = ZodTypeDef & { readonly typeName?: string; readonly coerce?: boolean };

interface TupleDef extends TypedDef {
  readonly items: readonly ZodType[];
  readonly rest: ZodType | null;
}

/** Types without JSON values. */
const UNREPRESENTABLE = new Set([
  "ZodBigInt",
  "ZodMap",
  "ZodSet",
  "ZodSymbol",
  "ZodFunction",
  "ZodNaN",
  "ZodUndefined",
  "ZodVoid",
]);

/** The converter writes draft-07. Only its tuples mean something else in 2020-12. */
function modern(
  converter: Converter,
  def: TypedDef,
  refs: Refs,
  side: Side,
): ReturnType<NonNullable<Options["override"]>> {
  const described = def.description === undefined ? {} : { description: def.description };
  if (def.typeName === "ZodTuple") return { ...tuple(converter, def as TupleDef, refs), ...described };
  if (UNREPRESENTABLE.has(def.typeName ?? "")) return described;
  if (def.typeName === "ZodDate") {
    return def.coerce || side === "output" ? { type: "string", format: "date-time", ...described } : described;
  }
  return converter.ignoreOverride;
}

function tuple(converter: Converter, def: TupleDef, refs: Refs): object {
  const at = (...steps: string[]): Refs => ({ ...refs, currentPath: [...refs.currentPath, ...steps] });
  const { items, rest } = def;
  return {
    type: "array",
    prefixItems: items.map((item, index) => converter.parseDef(item._def, at("prefixItems", String(index))) ?? {}),
    minItems: items.length,
    ...(rest ? { items: converter.parseDef(rest._def, at("items")) ?? {} } : { maxItems: items.length }),
  };
}
