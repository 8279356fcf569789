import type { TSchema as TSchema0 } from "@sinclair/typebox";
import type { TSchema } from "typebox";
import { messageOf } from "../../core/error.ts";
import type { Issue, JsonSchema } from "../../core/schema.ts";
import { type AnyObject, isObjectOrFunction } from "../../platform/values/is-object.ts";
import { type Side, TYPEBOX0_KIND, TYPEBOX0_OPTIONAL } from "./dialect.ts";
import { rootFor } from "./json-copy.ts";
import { compileJson } from "./json-schema.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import type { SchemaCheck } from "./slow-check.ts";
import { typeboxJson } from "./typebox-json.ts";

/** The package of a TypeBox schema: `typebox` or `@sinclair/typebox`. */
type TypeboxLine = "typebox1" | "typebox0";

/** The functions that are used of either package. Ajv does the main check: 0.34 rejects `Unsafe` and unknown formats. */
interface Library {
  /** Adds defaults, and converts "5" to 5 for a number. */
  convert(value: unknown): unknown;
  /** Checks that Ajv cannot do: dates, bigints, refinements. */
  issuesIn(value: unknown): readonly Issue[];
  decode(value: unknown): unknown;
}

/** A complete TypeBox schema. The output of a tool is not decoded. */
export function typeboxSchema(schema: unknown, line: TypeboxLine, side: Side = "input"): LazySchema {
  const { json, exotic } = typeboxJson(schema);
  const root = rootFor(json, side);
  return lazySchema(root, async () => {
    const library = await (line === "typebox1" ? library1(schema as TSchema) : library0(schema as TSchema0, exotic));
    return compile(root, side === "input" ? library : { ...library, decode: (value) => value });
  });
}

/** The TypeBox fields of a raw shape, all of one package, as one object. */
export function typeboxObject(fields: AnyObject, line: TypeboxLine, side: Side = "input"): LazySchema {
  const required = Object.keys(fields).filter((name) => !isOptional(fields[name], line));
  const object = { type: "object", properties: fields, ...(required.length > 0 ? { required } : {}) };
  const key = line === "typebox1" ? "~kind" : TYPEBOX0_KIND;
  return typeboxSchema(Object.defineProperty(object, key, { value: "Object", enumerable: false }), line, side);
}

function isOptional(field: unknown, line: TypeboxLine): boolean {
  return isObjectOrFunction(field) && (line === "typebox1" ? "~optional" in field : TYPEBOX0_OPTIONAL in field);
}

async function compile(json: JsonSchema, library: Library): Promise<SchemaCheck> {
  const check = await compileJson(json);
  return (input) => {
    const checked = check(library.convert(input));
    if (!checked.ok) return checked;
    const issues = library.issuesIn(checked.value);
    if (issues.length > 0) return { ok: false, issues };
    return decoded(library, checked.value);
  };
}

function decoded(library: Library, value: unknown): ReturnType<SchemaCheck> {
  try {
    return { ok: true, value: library.decode(value) };
  } catch (thrown) {
    const { path = "", error = thrown } = thrown as { path?: string; error?: unknown };
    return { ok: false, issues: [{ path, message: `could not be decoded: ${messageOf(error)}` }] };
  }
}

async function library1(type: TSchema): Promise<Library> {
  const value = await import("typebox/value");
  return {
    convert: (input) => value.Convert(type, value.Default(type, input)),
    issuesIn: (input) =>
      value.Check(type, input)
        ? []
        : value.Errors(type, input).map(({ instancePath, message }) => ({ path: instancePath, message })),
    decode: (input) => (value.HasCodec(type) ? value.DecodeUnsafe({}, type, input) : input),
  };
}

async function library0(type: TSchema0, exotic: boolean): Promise<Library> {
  const value = await import("@sinclair/typebox/value");
  const unknownFormat = value.ValueErrorType.StringFormatUnknown;
  return {
    convert: (input) => {
      try {
        return value.Value.Convert(type, value.Value.Default(type, input));
      } catch {
        // A union with an `Unsafe` in it: the library cannot choose between the alternatives.
        return input;
      }
    },
    issuesIn: (input) =>
      exotic
        ? [...value.Value.Errors(type, input)]
            .filter((error) => error.type !== unknownFormat)
            .map(({ path, message }) => ({ path, message: message.replace(/^E/, "e") }))
        : [],
    decode: (input) => (value.HasTransform(type, []) ? value.TransformDecode(type, [], input) : input),
  };
}
