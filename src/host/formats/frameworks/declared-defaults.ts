import { isObject } from "../../../platform/values/is-object.ts";

/**
 * A JSON Schema without the requirement of fields that have a default. Some libraries convert the parsed input to JSON Schema,
 * where such fields always have a value.
 */
export function withOptionalDefaults(schema: unknown): unknown {
  if (!isObject(schema) || !isObject(schema.properties) || !Array.isArray(schema.required)) return schema;
  const { properties } = schema;
  const hasDefault = (name: unknown): boolean => {
    const property = properties[String(name)];
    return isObject(property) && "default" in property;
  };
  return { ...schema, required: schema.required.filter((name) => !hasDefault(name)) };
}
