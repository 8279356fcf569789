import type { JsonSchema } from "../../core/schema.ts";
import { anyValue } from "./any-value.ts";
import { addItems, addProperties, joinTuple } from "./arrays-and-objects.ts";
import { describeKeyword, withDescription } from "./descriptions.ts";
import { fitChildren } from "./fit-children.ts";
import { childLocation, exceedsLimits, type FitContext, ROOT_LOCATION, type SchemaLocation } from "./fit-context.ts";
import { allowedKeywords, constToEnum, moveToDescription, refusedFieldNames, stringEnums } from "./fit-keywords.ts";
import { addType, collapseNull, splitTypes, typedAlternatives } from "./fit-types.ts";
import { type InlinedSchema, inlineRef } from "./inline-ref.ts";
import { intersect } from "./intersect.ts";
import { plainRoot } from "./plain-root.ts";
import { hasInvertedRefs, hasOnlyDefinitionRefs } from "./resolve-ref.ts";
import { SchemaChanges } from "./schema-changes.ts";
import type { SchemaRules } from "./schema-rules.ts";
import { asList, isSchema, omit } from "./schema-values.ts";
import { isOldDraft, upgradeDraft } from "./upgrade-draft.ts";

export interface FittedSchema {
  readonly schema: JsonSchema;
  /** Text about the whole input, for the description of the tool. */
  readonly addedDescription: string;
  readonly changes: readonly string[];
}

const MAX_SCHEMAS = 5000;
const MAX_ALTERNATIVES = 500;

/**
 * Adapts a schema to the rules of a client. The fitted schema accepts every value that the author's schema accepts, and maybe
 * more: inputs are validated against the author's schema. There are three exceptions, where the author probably meant less
 * than the schema accepts: a schema without a type but with keywords for objects accepts only objects; a field that one alternative at
 * the root describes must match that description in all alternatives; arrays of any value are nested at most two levels deep.
 * Returns the same object if nothing is changed. May throw if the value is not a schema.
 */
export function fitSchema(schema: JsonSchema, rules: SchemaRules): FittedSchema {
  const keepsRefs = rules.refs === undefined && hasOnlyDefinitionRefs(schema);
  const withRefs = keepsRefs ? fitWith(schema, rules, false) : undefined;
  if (withRefs && (sameDefinitions(withRefs.schema, schema) || !hasInvertedRefs(schema))) return withRefs;
  return fitWith(schema, rules, true);
}

function sameDefinitions(one: JsonSchema, other: JsonSchema): boolean {
  return one.$defs === other.$defs && one.definitions === other.definitions;
}

function fitWith(schema: JsonSchema, rules: SchemaRules, inlinesRefs: boolean): FittedSchema {
  const changes = new SchemaChanges();
  const context: FitContext = {
    rules,
    root: schema,
    inlinesRefs,
    changes,
    left: { schemas: MAX_SCHEMAS },
    fit: (value, location) => fitNode(value, location, context),
  };
  // Text about the whole input goes to the description of the tool, which a model reads first.
  const { description, ...undescribed } = schema;
  const root = rules.plainRoot
    ? plainRoot(undescribed, ROOT_LOCATION, { ...context, left: { schemas: MAX_ALTERNATIVES } })
    : undescribed;
  const fitted = refusedFieldNames(
    fitNode(withoutDraft(root, changes), ROOT_LOCATION, context) as JsonSchema,
    rules,
    changes,
  );
  if (fitted === undescribed) return { schema, addedDescription: "", changes: [] };
  const { description: addedDescription = "", ...rest } = fitted;
  return {
    schema: { ...rest, ...(description === undefined ? {} : { description }) },
    addedDescription: String(addedDescription),
    changes: changes.lines(),
  };
}

function withoutDraft(root: JsonSchema, changes: SchemaChanges): JsonSchema {
  if (!isOldDraft(root)) return root;
  changes.add("written in an older draft of JSON Schema, sent as 2020-12", "");
  return omit(root, ["$schema"]);
}

function fitNode(value: unknown, location: SchemaLocation, context: FitContext): unknown {
  if (!isSchema(value)) return fitNonObject(value, location, context);
  if (exceedsLimits(location, context)) {
    context.changes.add("too large or too deep: sent as a value of any type", location.path);
    return anyValue(context.rules);
  }
  const written = prepareNode(value, location, context);
  const fitted = finish(fitChildren(written.schema, written.location, context), location, context);
  return fitted === value ? value : withoutUnevaluated(fitted, location, context);
}

/** For `true`, `false` and values that are not schemas. */
function fitNonObject(value: unknown, { path }: SchemaLocation, { rules, changes }: FitContext): unknown {
  if (typeof value === "boolean" && rules.booleans === undefined && rules.everyType === undefined) return value;
  changes.add(
    `${value === true ? '"true"' : value === false ? '"false"' : "a value that is not a schema"} became a schema`,
    path,
  );
  return value === false ? withDescription(anyValue(rules), ["Leave this out."]) : anyValue(rules);
}

/** A node with references inlined, old drafts upgraded, and `allOf` merged. */
function prepareNode(schema: JsonSchema, location: SchemaLocation, context: FitContext): InlinedSchema {
  const { rules, changes, inlinesRefs } = context;
  const inlined = inlinesRefs ? inlineRefs(schema, location, context) : { schema, location };
  const modern = upgradeDraft(inlined.schema, location, context);
  if (rules.allOf === undefined || !Array.isArray(modern.allOf)) return { schema: modern, location: inlined.location };
  changes.add('the schemas in "allOf" are merged', location.path);
  const lost: string[] = [];
  const merged = asList(modern.allOf)
    .filter((part) => isSchema(part) && !exceedsLimits(location, context))
    .map((part) => prepareNode(part as JsonSchema, childLocation(inlined.location), { ...context, inlinesRefs: true }))
    .reduce<InlinedSchema>(
      (one, other) => ({
        schema: intersect(one.schema, other.schema, (keyword, value) => lost.push(describeKeyword(keyword, value))),
        location: { ...other.location, refs: [...one.location.refs, ...other.location.refs] },
      }),
      { schema: omit(modern, ["allOf"]), location: inlined.location },
    );
  return { ...merged, schema: withDescription(merged.schema, lost) };
}

/** Also removes definitions and ids: no reference is left, and copies would share an id. */
function inlineRefs(schema: JsonSchema, location: SchemaLocation, context: FitContext): InlinedSchema {
  const inlined = inlineRef(schema, location, context);
  const alone = omit(inlined.schema, ["$defs", "definitions", "$id", "$anchor", "$dynamicAnchor"]);
  if (alone !== inlined.schema) context.changes.add("references are inlined", location.path);
  return { ...inlined, schema: alone };
}

/** Fits the keywords of a node whose children are fitted. */
function finish(schema: JsonSchema, location: SchemaLocation, context: FitContext): JsonSchema {
  const through = (steps: readonly Step[]) => (start: JsonSchema) =>
    steps.reduce((now, step) => step(now, location, context), start);
  const end = through([stringEnums, addItems, addProperties, allowedKeywords]);
  const typed = through([constToEnum, joinTuple, allowedKeywords, collapseNull, addType])(schema);
  return typedAlternatives(end(splitTypes(typed, location, context, end)), location, context);
}

type Step = (schema: JsonSchema, location: SchemaLocation, context: FitContext) => JsonSchema;

/** The meaning of these keywords depends on all other keywords, some of which have changed. */
function withoutUnevaluated(schema: JsonSchema, location: SchemaLocation, { changes }: FitContext): JsonSchema {
  return moveToDescription(schema, ["unevaluatedProperties", "unevaluatedItems"], { path: location.path, changes });
}
