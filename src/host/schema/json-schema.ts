import type { Ajv, Options } from "ajv";
import { messageOf } from "../../core/error.ts";
import type { Checked, JsonSchema } from "../../core/schema.ts";
import type { AnyObject } from "../../platform/values/is-object.ts";
import { fromAjvErrors } from "./ajv-issues.ts";
import { isJsonType, JSON_TYPES, type Side } from "./dialect.ts";
import { rootFor, toPlainJson } from "./json-copy.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";
import { walkSchema } from "./walk-schema.ts";

/** A complete JSON Schema, passed on unchanged. */
export function jsonSchema(schema: AnyObject, side: Side = "input"): LazySchema {
  const json = rootFor(toPlainJson(schema), side);
  refuseUnknownTypes(json);
  return lazySchema(json, () => compileJson(json));
}

/** A check with Ajv. It adds defaults to the value. */
export async function compileJson(json: JsonSchema): Promise<(value: unknown) => Checked> {
  const validate = await compile(json);
  return (value) =>
    validate(value) ? { ok: true, value } : { ok: false, issues: fromAjvErrors(validate.errors ?? []) };
}

async function compile(json: JsonSchema): Promise<ReturnType<Ajv["compile"]>> {
  // One instance per schema: a shared one would return the same check for schemas with the same $id.
  const ajv = await createAjv(json);
  try {
    const validate = ajv.compile(withoutOldDraft(json));
    if ("$async" in validate) throw new Error("$async is not supported");
    return validate;
  } catch (cause) {
    throw new SchemaProblem(`The JSON Schema is not valid: ${messageOf(cause)}`, { cause });
  }
}

async function createAjv(json: JsonSchema): Promise<Ajv> {
  const formats = await import("ajv-formats");
  const ajv = await newAjv(String(json.$schema ?? ""), { ...OPTIONS, meta: refersElsewhere(json) });
  formats.default.default(ajv);
  return ajv;
}

async function newAjv(draft: string, options: Options): Promise<Ajv> {
  if (/draft-0[67]/.test(draft)) return new (await import("ajv")).Ajv(options);
  if (draft.includes("2019-09")) return new (await import("ajv/dist/2019.js")).Ajv2019(options);
  return new (await import("ajv/dist/2020.js")).Ajv2020(options);
}

/** Whether a schema may refer to a meta-schema. Compiling meta-schemas takes ten times as long as the schema. */
function refersElsewhere(json: JsonSchema): boolean {
  let found = false;
  walkSchema(json, ({ $ref }) => {
    found ||= typeof $ref === "string" && !$ref.startsWith("#");
  });
  return found;
}

/** Drops the draft-06 URI: draft-07 includes draft-06. */
function withoutOldDraft(json: JsonSchema): JsonSchema {
  if (!String(json.$schema).includes("draft-06")) return json;
  const { $schema: _, ...rest } = json;
  return rest;
}

/** Compiles a pattern in Unicode mode if possible. Common patterns such as `[\w\-]` are valid only without it. */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern, flags.replace("u", ""));
  }
}

const OPTIONS: Options = {
  allErrors: true,
  useDefaults: true,
  coerceTypes: false,
  strict: false,
  verbose: true,
  ownProperties: true,
  logger: false,
  // The compiler rejects invalid keywords too, without compiling the meta-schema.
  validateSchema: false,
  code: { regExp: Object.assign(toRegExp, { code: "new RegExp" }) },
};

/** Throws for an unknown type: a common mistake for which some clients drop every tool. */
export function refuseUnknownTypes(json: JsonSchema): void {
  walkSchema(json, ({ type }, pointer) => {
    for (const name of [type ?? []].flat()) {
      if (isJsonType(name)) continue;
      throw new SchemaProblem(
        `At ${pointer}, ${JSON.stringify(name)} is not a JSON Schema type. Use one of ${JSON_TYPES.join(", ")}.`,
      );
    }
  });
}
