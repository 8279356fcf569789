import { messageOf } from "../../core/error.ts";
import type { Checked } from "../../core/schema.ts";
import { isObjectOrFunction, isPlainObject } from "../../platform/values/is-object.ts";
import type { Side } from "./dialect.ts";
import { jsonSchema } from "./json-schema.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";

/** The methods by which schema objects of various libraries return their JSON Schema, directly or as a promise. */
const METHODS = ["getJsonSchema", "getJSONSchema", "toJSONSchema", "toJsonSchema"] as const;

/** A schema object of a library that is not known otherwise. */
interface SelfDescribing {
  /** As in ModelFusion. Without it, the JSON Schema is used for validation. */
  validate?(value: unknown): Validated | Promise<Validated>;
}

type Validated =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: unknown };

/** Whether an object can return its JSON Schema. */
export function isSelfDescribing(value: unknown): value is SelfDescribing {
  return methodOf(value) !== undefined;
}

function methodOf(value: unknown): (() => unknown) | undefined {
  if (!isObjectOrFunction(value)) return undefined;
  const name = METHODS.find((each) => typeof value[each] === "function");
  return name && (value[name] as () => unknown).bind(value);
}

/** Rejects with a `SchemaProblem` if the method fails, or returns something else. */
export async function selfDescribingSchema(schema: SelfDescribing, side: Side): Promise<LazySchema> {
  const json = await describe(schema);
  const plain = jsonSchema(json, side);
  if (typeof schema.validate !== "function") return plain;
  return lazySchema(plain.json, async () => async (value) => toChecked(await schema.validate?.(value), value));
}

async function describe(schema: SelfDescribing): Promise<Readonly<Record<PropertyKey, unknown>>> {
  let json: unknown;
  try {
    json = await methodOf(schema)?.();
  } catch (cause) {
    throw new SchemaProblem(`The schema object cannot return its JSON Schema: ${messageOf(cause)}`, { cause });
  }
  if (isPlainObject(json)) return json;
  throw new SchemaProblem(
    "The schema object returned no JSON Schema. Write a z.object(…), or a JSON Schema of an object.",
  );
}

/** A `validate` of another shape does not count. */
function toChecked(result: Validated | undefined, value: unknown): Checked {
  if (!isObjectOrFunction(result) || !("success" in result)) return { ok: true, value };
  if (result.success) return { ok: true, value: "value" in result ? result.value : value };
  return { ok: false, issues: [{ path: "", message: messageOf(result.error) }] };
}
