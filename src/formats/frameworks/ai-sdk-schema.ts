import { messageOf } from "../../core/error.ts";
import type { Checked, Schema } from "../../core/schema.ts";
import { isBag } from "../../schema/dialect.ts";
import { lazySchema } from "../../schema/lazy-schema.ts";
import { schemaOf } from "./foreign-tool.ts";

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
  if (!isWrapped(schema)) return schemaOf(schema, name, "inputSchema");
  const plain = await schemaOf(await schema.jsonSchema, name, "inputSchema");
  if (!schema.validate) return plain;
  return lazySchema(plain.json, async () => async (input) => toChecked(await schema.validate?.(input), input));
}

function isLazy(value: unknown): value is () => unknown {
  return typeof value === "function" && !("~standard" in value);
}

function isWrapped(value: unknown): value is Wrapped {
  return isBag(value) && value[Symbol.for("vercel.ai.schema")] === true && "jsonSchema" in value;
}

function toChecked(validated: Validated | undefined, input: unknown): Checked {
  if (!validated || validated.success) return { ok: true, value: validated ? validated.value : input };
  return { ok: false, issues: [{ path: "", message: messageOf(validated.error) }] };
}
