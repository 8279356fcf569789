import { isObject } from "../../../src/platform/values/is-object.ts";
import { type Fields, resolvePointer } from "./signature.ts";

/** A schema that the form can draw, or why the input has to be written as JSON. */
type FormPlan = { readonly kind: "form"; readonly schema: Fields } | { readonly kind: "json"; readonly reason: string };

/** The form draws a part with this `$id` as a field for JSON. */
export const JSON_FIELD = "JsonField";
/** A value that cannot be chosen. It is filled in when its object has a value. */
export const CONST_FIELD = "ConstField";
/** A text with so many choices that a list of all would be slow. */
export const LONG_ENUM_FIELD = "LongEnumField";

const MOST_NODES = 1500;
const MOST_LEVELS = 12;
/** How often a reference may contain itself. */
const MOST_REPEATS = 2;
const MOST_OPTIONS = 40;
const MOST_CHOICES = 200;

const TOO_LARGE = "The schema of this tool is too large for a form. Write the input as JSON.";
const NOT_DRAWABLE = "The schema of this tool cannot be drawn as a form. Write the input as JSON.";

/**
 * Rewrites a schema of any author to the part of JSON Schema that the form library draws reliably: without references,
 * with only known keywords of the right types, and with a JSON field wherever a part cannot be drawn. Constraints may get
 * lost: the server validates.
 */
export function planForm(schema: unknown): FormPlan {
  const context = { root: schema, nodes: 0 };
  try {
    const drawn = draw(schema, { context, level: 0, references: [] });
    if (drawn.$id === JSON_FIELD || drawn.type !== "object") return { kind: "json", reason: NOT_DRAWABLE };
    return { kind: "form", schema: drawn };
  } catch (error) {
    return { kind: "json", reason: error instanceof TooLarge ? TOO_LARGE : NOT_DRAWABLE };
  }
}

class TooLarge extends Error {}

interface Place {
  readonly context: { readonly root: unknown; nodes: number };
  readonly level: number;
  /** The references that led here. */
  readonly references: readonly string[];
}

function draw(schema: unknown, place: Place): Fields {
  if (++place.context.nodes > MOST_NODES) throw new TooLarge();
  if (!isObject(schema)) return asJson({});
  if (place.level > MOST_LEVELS) return asJson(schema);
  if (typeof schema.$ref === "string") return drawReference(schema, schema.$ref, place);
  if (Array.isArray(schema.allOf)) return drawMerged(schema, schema.allOf, place);
  if ("const" in schema) return drawConstant(schema);
  if (Array.isArray(schema.enum)) return drawEnum(schema, schema.enum);
  for (const key of ["oneOf", "anyOf"] as const) {
    const options = schema[key];
    if (Array.isArray(options) && options.length > 0) return drawOptions(schema, key, options, place);
  }
  if (Array.isArray(schema.type)) return drawTypes(schema, schema.type, place);
  switch (typeof schema.type === "string" ? schema.type : guessedType(schema)) {
    case "object":
      return drawObject(schema, place);
    case "array":
      return drawArray(schema, place);
    case "string":
      return {
        ...notesOf(schema),
        type: "string",
        ...pick(schema, ["minLength", "maxLength"], "number"),
        ...formatOf(schema),
      };
    case "number":
    case "integer":
      return { ...notesOf(schema), type: schema.type ?? "number", ...pick(schema, LIMITS, "number") };
    case "boolean":
      return { ...notesOf(schema), type: "boolean" };
    case "null":
      // The library takes a field without a value for one with the type "null".
      return drawConstant({ ...schema, const: null });
    default:
      return asJson(schema);
  }
}

const LIMITS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

function drawReference(schema: Fields, reference: string, place: Place): Fields {
  const target = resolvePointer(place.context.root, reference);
  const repeats = place.references.filter((other) => other === reference).length;
  if (!isObject(target) || repeats >= MOST_REPEATS) return asJson(schema);
  const { $ref: _, ...more } = schema;
  return draw({ ...target, ...more }, { ...place, references: [...place.references, reference] });
}

/** All parts of an `allOf` in one: later keywords replace earlier ones, properties are collected. */
function drawMerged(schema: Fields, parts: readonly unknown[], place: Place): Fields {
  const { allOf: _, ...own } = schema;
  let merged: Fields = {};
  for (const part of [...parts, own]) {
    const resolved = resolveFully(part, place);
    if (!isObject(resolved)) return asJson(schema);
    merged = {
      ...merged,
      ...resolved,
      ...(isObject(merged.properties) || isObject(resolved.properties)
        ? { properties: joined(merged.properties, resolved.properties) }
        : {}),
      required: [...listOf(merged.required), ...listOf(resolved.required)],
    };
  }
  return draw(merged, { ...place, level: place.level + 1 });
}

function resolveFully(schema: unknown, place: Place): unknown {
  let resolved = schema;
  for (let step = 0; step < 10 && isObject(resolved) && typeof resolved.$ref === "string"; step++) {
    if (place.references.includes(resolved.$ref)) return undefined;
    const { $ref, ...more } = resolved;
    const target = resolvePointer(place.context.root, $ref as string);
    resolved = isObject(target) ? { ...target, ...more } : undefined;
  }
  return resolved;
}

function drawConstant(schema: Fields): Fields {
  return { ...notesOf(schema), $id: CONST_FIELD, const: schema.const, ...typeOfValue(schema.const) };
}

function drawEnum(schema: Fields, values: readonly unknown[]): Fields {
  const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  if (unique.length === 0) return asJson(schema);
  const areTexts = unique.every((value) => typeof value === "string");
  if (unique.length > MOST_CHOICES)
    return areTexts ? { ...notesOf(schema), $id: LONG_ENUM_FIELD, type: "string", enum: unique } : asJson(schema);
  return { ...notesOf(schema), enum: unique, ...(areTexts ? { type: "string" } : {}) };
}

function drawOptions(schema: Fields, key: "oneOf" | "anyOf", options: readonly unknown[], place: Place): Fields {
  if (options.length > MOST_OPTIONS) return asJson(schema);
  const { [key]: _, ...own } = schema;
  const deeper = { ...place, level: place.level + 1 };
  if (options.length === 1) return isObject(options[0]) ? draw({ ...own, ...options[0] }, deeper) : asJson(schema);
  const constants = options.flatMap(constantOf);
  if (constants.length === options.length) return drawConstants(own, constants);
  const drawn = options.map((option, index) => {
    const inherited =
      isObject(option) && !hasShape(option) && typeof own.type === "string" ? { type: own.type, ...option } : option;
    const result = draw(inherited, deeper);
    return { ...result, title: titleOf(option, result, index) };
  });
  const rest = isObject(own.properties) ? drawObject(own, deeper) : notesOf(own);
  const areObjects = drawn.every(
    (option: Fields) => option.type === "object" || "anyOf" in option || "oneOf" in option,
  );
  // The first option is shown at first, and a constant fills itself in.
  const isConstant = (option: Fields): boolean => "const" in option;
  return {
    ...rest,
    ...(areObjects && { type: "object" }),
    [key]: [...drawn.filter((option) => !isConstant(option)), ...drawn.filter(isConstant)],
  };
}

function constantOf(option: unknown): Fields[] {
  if (!isObject(option)) return [];
  return "const" in option ? [option] : option.type === "null" ? [{ ...option, const: null }] : [];
}

/** A choice of constants. If they are of one type, each has a title. The library draws it as one list. */
function drawConstants(schema: Fields, constants: readonly Fields[]): Fields {
  const types = new Set(constants.map((option) => typeof option.const));
  if (types.size > 1 || types.has("object")) {
    return drawEnum(
      schema,
      constants.map((option) => option.const),
    );
  }
  const options = constants.map((option, index) => ({ const: option.const, title: titleOf(option, option, index) }));
  return { ...notesOf(schema), oneOf: options, ...typeOfValue(options[0]?.const) };
}

function hasShape(option: Fields): boolean {
  return ["type", "$ref", "allOf", "anyOf", "oneOf", "enum", "const"].some((keyword) => keyword in option);
}

/** The name of an option: its title, the constant that tells it apart, its reference, or its type. */
function titleOf(option: unknown, drawn: Fields, index: number): string {
  if (isObject(option) && typeof option.title === "string" && option.title !== "") return option.title;
  if ("const" in drawn) return textOf(drawn.const);
  const properties = isObject(drawn.properties) ? Object.values(drawn.properties) : [];
  const constant = properties.find((property): property is Fields => isObject(property) && "const" in property);
  if (constant) return textOf(constant.const);
  const reference = isObject(option) && typeof option.$ref === "string" ? option.$ref.split("/").at(-1) : undefined;
  if (reference) return reference;
  if (drawn.$id === JSON_FIELD) return "JSON";
  if (drawn.type === "array" && isObject(drawn.items) && typeof drawn.items.type === "string")
    return `array of ${drawn.items.type}`;
  return typeof drawn.type === "string" ? drawn.type : `Option ${index + 1}`;
}

function drawTypes(schema: Fields, types: readonly unknown[], place: Place): Fields {
  const { type: _, description, title, ...own } = schema;
  const options = types.filter((type) => typeof type === "string").map((type) => ({ ...own, type }));
  if (options.length === 0) return asJson(schema);
  return draw({ description, title, anyOf: options }, place);
}

function drawObject(schema: Fields, place: Place): Fields {
  const properties = Object.entries(allProperties(schema));
  if (properties.some(([name]) => isHostile(name))) return asJson(schema);
  const others = otherProperties(schema);
  if (properties.length === 0 && others === undefined) {
    return place.level === 0 ? { type: "object", properties: {} } : asJson(schema);
  }
  const required = listOf(schema.required).filter((name) => properties.some(([other]) => other === name));
  const deeper = { ...place, level: place.level + 1 };
  const drawn = properties.map(([name, property]) => {
    const field = draw(property, deeper);
    // A constant that may be left out is a choice.
    const isChoice = "const" in field && !required.includes(name);
    return [name, isChoice ? drawEnum(field, [field.const]) : field] as const;
  });
  return {
    ...notesOf(schema),
    type: "object",
    properties: Object.fromEntries(drawn),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...(others !== undefined && { additionalProperties: draw(others, deeper) }),
  };
}

/** Also those that are only allowed together with certain other values. */
function allProperties(schema: Fields): Fields {
  const dependent = isObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : [];
  const parts = [schema.then, schema.else, ...dependent, schema].filter(isObject);
  return parts.reduce<Fields>((all, { properties }) => joined(all, properties), {});
}

/** The schema of properties that have no name in the schema. Undefined if there are none, or nothing is known of them. */
function otherProperties(schema: Fields): unknown {
  if (isObject(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0)
    return schema.additionalProperties;
  const patterns = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  return patterns.length === 1 ? patterns[0] : undefined;
}

function drawArray(schema: Fields, place: Place): Fields {
  const deeper = { ...place, level: place.level + 1 };
  const tuple = Array.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Array.isArray(schema.items)
      ? schema.items
      : undefined;
  const sizes = pick(schema, ["minItems", "maxItems"], "number");
  if (tuple) return asJson(schema);
  if (!isObject(schema.items) || Object.keys(schema.items).length === 0) return asJson(schema);
  return { ...notesOf(schema), type: "array", items: draw(schema.items, deeper), ...sizes };
}

/** Names that mean something else in JavaScript, or to the form library. */
function isHostile(name: string): boolean {
  return (
    name in Object.prototype ||
    name === "" ||
    /^(?:__|ui:|\$)/.test(name) ||
    /^(?:oneOf|anyOf|items|additionalProperties)$/.test(name)
  );
}

function guessedType(schema: Fields): string | undefined {
  if ("properties" in schema || "additionalProperties" in schema || "patternProperties" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  if (["minLength", "maxLength", "pattern", "format"].some((keyword) => keyword in schema)) return "string";
  return LIMITS.some((keyword) => keyword in schema) ? "number" : undefined;
}

function asJson(schema: Fields): Fields {
  return { ...notesOf(schema), $id: JSON_FIELD };
}

/** Words for people. A default is shown and not filled in, so that the input has only what the person has chosen. */
function notesOf(schema: Fields): Fields {
  const title = typeof schema.title === "string" && schema.title.length <= 200 ? schema.title : undefined;
  const description = typeof schema.description === "string" ? schema.description.slice(0, 4000) : undefined;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...("default" in schema && { $comment: `Default: ${textOf(schema.default)}` }),
  };
}

/** Formats for which browsers have a field that writes the same text. */
function formatOf(schema: Fields): Fields {
  return schema.format === "date" ? { format: "date" } : {};
}

function typeOfValue(value: unknown): Fields {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return ["string", "number", "boolean"].includes(type) ? { type } : {};
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function pick(schema: Fields, keywords: readonly string[], type: string): Fields {
  return Object.fromEntries(keywords.flatMap((key) => (typeof schema[key] === type ? [[key, schema[key]]] : [])));
}

/** Without the key `__proto__`, which a spread or an assignment would take for the prototype. */
function joined(a: unknown, b: unknown): Fields {
  return Object.fromEntries([...(isObject(a) ? Object.entries(a) : []), ...(isObject(b) ? Object.entries(b) : [])]);
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
