import { messageOf } from "../../core/error.ts";
import { isObjectOrFunction } from "../../core/is-object.ts";
import type { Checked, Schema } from "../../core/schema.ts";
import { lazySchema } from "../../schema/lazy-schema.ts";
import { readAdvisoryOutput, readInputSchema } from "../build-tool.ts";

/** What `jsonSchema()` and `zodSchema()` of the AI SDK make: a JSON Schema, and perhaps what checks a value. */
interface Wrapped {
  readonly jsonSchema: unknown;
  validate?(value: unknown): Validated | Promise<Validated>;
}

type Validated =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

/** The schema of a tool of the AI SDK: of any library, wrapped by the AI SDK, or a function that makes one. */
export async function aiSdkSchema(given: unknown, name: string): Promise<Schema> {
  const schema: unknown = isLazy(given) ? given() : given;
  if (!isWrapped(schema)) return readInputSchema(schema, name, "inputSchema");
  const plain = await readInputSchema(await schema.jsonSchema, name, "inputSchema");
  return validated(plain, schema);
}

/** The output that such a tool declares; undefined where it declares none, or one that cannot be read. */
export async function aiSdkOutput(given: unknown): Promise<Schema | undefined> {
  try {
    const schema: unknown = isLazy(given) ? given() : given;
    if (!isWrapped(schema)) return await readAdvisoryOutput(schema);
    const plain = await readAdvisoryOutput(await schema.jsonSchema);
    return plain && validated(plain, schema);
  } catch {
    return undefined;
  }
}

function validated(plain: Schema, { validate }: Wrapped): Schema {
  if (!validate) return plain;
  return lazySchema(plain.json, async () => async (value) => toChecked(await validate(value), value));
}

function isLazy(value: unknown): value is () => unknown {
  return typeof value === "function" && !("~standard" in value);
}

function isWrapped(value: unknown): value is Wrapped {
  return isObjectOrFunction(value) && value[Symbol.for("vercel.ai.schema")] === true && "jsonSchema" in value;
}

function toChecked(said: Validated | undefined, value: unknown): Checked {
  if (!said || said.success) return { ok: true, value: said ? said.value : value };
  return { ok: false, issues: [{ path: "", message: messageOf(said.error) }] };
}
