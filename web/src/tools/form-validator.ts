import { type Schema, Validator } from "@cfworker/json-schema";
import type { RJSFSchema, ValidatorType } from "@rjsf/utils";

/**
 * Tells the form library which option of a `oneOf` or `anyOf` a value belongs to. Mistakes in the input are found by the
 * server. Unlike ajv it compiles nothing, so the page needs no `unsafe-eval`.
 */
export function createFormValidator(): ValidatorType {
  const validators = new WeakMap<object, Validator>();
  const validatorOf = (schema: RJSFSchema): Validator => {
    const known = validators.get(schema);
    if (known) return known;
    const created = new Validator(plain(schema) as Schema, "2020-12", true);
    validators.set(schema, created);
    return created;
  };
  return {
    isValid: (schema, value) => {
      try {
        return validatorOf(schema).validate(value).valid;
      } catch {
        return false;
      }
    },
    validateFormData: () => ({ errors: [], errorSchema: {} }),
    rawValidation: () => ({ errors: [] }),
  };
}

/** Without the ids, which name fields of the form and are not unique. Without patterns, which can take forever. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => key !== "$id" && key !== "pattern" && key !== "$comment");
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === "const" || key === "enum" ? value : plain(value)]),
  );
}
