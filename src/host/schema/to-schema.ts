import type { Schema } from "../../core/schema.ts";
import { isPlainObject } from "../../platform/values/is-object.ts";
import { isWholeJsonSchema, libraryOf, type Side } from "./dialect.ts";
import { typeName } from "./issue-text.ts";
import { jsonSchema } from "./json-schema.ts";
import { shapeSchema } from "./raw-shape.ts";
import { SchemaProblem } from "./schema-problem.ts";
import { isSelfDescribing, selfDescribingSchema } from "./self-describing.ts";
import { standardSchema } from "./standard.ts";
import { typeboxSchema } from "./typebox.ts";
import { zod3Schema } from "./zod3.ts";
import { zod4Schema } from "./zod4.ts";

/**
 * Converts the arguments that an author declared: a schema of a library, an object with `getJsonSchema()`, a JSON Schema, a raw shape `{ field: schema }`, or
 * undefined for no arguments. Rejects with a `SchemaProblem` for anything else.
 */
export async function toSchema(value: unknown): Promise<Schema> {
  if (value === undefined) return shapeSchema({});
  const schema = await readSchema(value, "input");
  if (schema) return schema;
  throw new SchemaProblem(
    `The arguments are described by a value of type ${typeName(value)}. Write an object of fields such as { path: z.string() }, a z.object(…), or a JSON Schema of an object.`,
  );
}

/** Converts the output that an author declared. It need not be an object. Rejects with a `SchemaProblem` as `toSchema` does. */
export async function toOutputSchema(value: unknown): Promise<Schema> {
  const schema = await readSchema(value, "output");
  if (schema) return schema;
  throw new SchemaProblem(
    `The output is described by a value of type ${typeName(value)}. Write an object of fields such as { count: z.number() }, a z.object(…), or a JSON Schema.`,
  );
}

async function readSchema(value: unknown, side: Side): Promise<Schema | undefined> {
  switch (libraryOf(value)) {
    case "zod4":
      return zod4Schema(value, side);
    case "zod3":
      return zod3Schema(value, side);
    case "typebox1":
      return typeboxSchema(value, "typebox1", side);
    case "typebox0":
      return typeboxSchema(value, "typebox0", side);
    case "standard":
      return standardSchema(value, side);
  }
  if (isSelfDescribing(value)) return selfDescribingSchema(value, side);
  if (!isPlainObject(value)) return undefined;
  return isWholeJsonSchema(value) ? jsonSchema(value, side) : shapeSchema(value, side);
}
