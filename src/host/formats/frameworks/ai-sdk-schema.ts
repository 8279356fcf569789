import { messageOf } from "../../../core/error.ts";
import type { Checked, Schema } from "../../../core/schema.ts";
import { isObjectOrFunction } from "../../../platform/values/is-object.ts";
import { lazySchema } from "../../schema/lazy-schema.ts";
import { readAdvisoryOutput, readInputSchema } from "../build-tool.ts";

/** The return value of `jsonSchema()` and `zodSchema()` of the AI SDK. */
interface Wrapped {
  readonly jsonSchema: unknown;
  validate?(value: unknown): Validated | Promise<Validated>;
}

type Validated =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

/** Reads an input schema: of any schema library, wrapped by the AI SDK, or a function that returns one of these. */
export async function readAiSdkInput(declared: unknown, name: string, field: string): Promise<Schema> {
  const schema: unknown = isLazy(declared) ? declared() : declared;
  if (!isWrapped(schema)) return readInputSchema(schema, name, field);
  const plain = await readInputSchema(await schema.jsonSchema, name, field);
  return withValidate(plain, schema);
}

/** Resolves to undefined if there is no output schema, or an invalid one. */
export async function readAiSdkOutput(declared: unknown): Promise<Schema | undefined> {
  try {
    const schema: unknown = isLazy(declared) ? declared() : declared;
    if (!isWrapped(schema)) return await readAdvisoryOutput(schema);
    const plain = await readAdvisoryOutput(await schema.jsonSchema);
    return plain && withValidate(plain, schema);
  } catch {
    return undefined;
  }
}

function withValidate(plain: Schema, { validate }: Wrapped): Schema {
  if (!validate) return plain;
  return lazySchema(plain.json, async () => async (value) => toChecked(await validate(value), value));
}

function isLazy(value: unknown): value is () => unknown {
  return typeof value === "function" && !("~standard" in value);
}

function isWrapped(value: unknown): value is Wrapped {
  return isObjectOrFunction(value) && value[Symbol.for("vercel.ai.schema")] === true && "jsonSchema" in value;
}

function toChecked(result: Validated | undefined, value: unknown): Checked {
  if (!result || result.success) return { ok: true, value: result ? result.value : value };
  return { ok: false, issues: [{ path: "", message: messageOf(result.error) }] };
}
