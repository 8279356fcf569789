import type { JsonSchema } from "../core/schema.ts";
import { anything } from "./anything.ts";
import { joinTuple, sayItems, sayProperties } from "./arrays-and-objects.ts";
import { fieldNames } from "./field-names.ts";
import { fitChildren } from "./fit-children.ts";
import { constAsEnum, textValues } from "./fit-values.ts";
import { type Fitting, inside, isTooMuch, type Place, ROOT } from "./fitting.ts";
import { type Followed, follow } from "./follow.ts";
import { intersect } from "./intersect.ts";
import { knownKeywords } from "./keywords.ts";
import { isOldDraft, modernise } from "./modernise.ts";
import { Notes } from "./notes.ts";
import { plainRoot } from "./plain-root.ts";
import type { SchemaRules } from "./profile.ts";
import { hasGuardedRefs, hasPlainRefs } from "./resolve-ref.ts";
import { isSchema, listed, without } from "./schema-parts.ts";
import { typedAlternatives } from "./typed-alternatives.ts";
import { collapseNull, sayType, splitTypes } from "./types.ts";
import { inWords, withWords } from "./words.ts";

/** A schema as it is sent, what of it had to be said in words, and what was changed. */
export interface FittedSchema {
  readonly schema: JsonSchema;
  readonly words: string;
  readonly changes: readonly string[];
}

const MOST_SCHEMAS = 5000;
const MOST_ALTERNATIVES = 500;

/**
 * A schema that a client can take. It holds for all that the author's holds for, and maybe for more: what a client sends is
 * checked against the author's. Only where an author has left something open that he can hardly have meant is it closed: a
 * schema without a type that says what objects look like is for objects; a field that one alternative at the root names is
 * what that says, also in another that would let anything pass; lists of anything end at lists in lists.
 * The same object comes back where nothing is changed. May throw for what is no schema.
 */
export function fitSchema(schema: JsonSchema, rules: SchemaRules): FittedSchema {
  const keepsRefs = rules.refs === undefined && hasPlainRefs(schema);
  const kept = keepsRefs ? fitWith(schema, rules, false) : undefined;
  if (kept && (sameDefinitions(kept.schema, schema) || !hasGuardedRefs(schema))) return kept;
  return fitWith(schema, rules, true);
}

function sameDefinitions(one: JsonSchema, other: JsonSchema): boolean {
  return one.$defs === other.$defs && one.definitions === other.definitions;
}

function fitWith(schema: JsonSchema, rules: SchemaRules, writesOutRefs: boolean): FittedSchema {
  const notes = new Notes();
  const fitting: Fitting = {
    rules,
    root: schema,
    writesOutRefs,
    notes,
    left: { schemas: MOST_SCHEMAS },
    fit: (value, place) => fitNode(value, place, fitting),
  };
  // What is said of the whole in words stands where a model reads it first: in the description of the tool.
  const { description, ...silent } = schema;
  const root = rules.plainRoot ? plainRoot(silent, ROOT, { ...fitting, left: { schemas: MOST_ALTERNATIVES } }) : silent;
  const fitted = fieldNames(fitNode(withoutDraft(root, notes), ROOT, fitting) as JsonSchema, rules, notes);
  if (fitted === silent) return { schema, words: "", changes: [] };
  const { description: words = "", ...rest } = fitted;
  return {
    schema: { ...rest, ...(description === undefined ? {} : { description }) },
    words: String(words),
    changes: notes.lines(),
  };
}

function withoutDraft(root: JsonSchema, notes: Notes): JsonSchema {
  if (!isOldDraft(root)) return root;
  notes.add("written in an older draft of JSON Schema, sent as 2020-12", "");
  return without(root, ["$schema"]);
}

function fitNode(value: unknown, place: Place, fitting: Fitting): unknown {
  if (!isSchema(value)) return fitOther(value, place, fitting);
  if (isTooMuch(place, fitting)) {
    fitting.notes.add("too large or too deep: sent as a value of any type", place.path);
    return anything(fitting.rules);
  }
  const written = writtenOut(value, place, fitting);
  const fitted = finish(fitChildren(written.schema, written.place, fitting), place, fitting);
  return fitted === value ? value : withoutUnevaluated(fitted, place, fitting);
}

/** `true` and `false`, and what is no schema at all. */
function fitOther(value: unknown, { path }: Place, { rules, notes }: Fitting): unknown {
  if (typeof value === "boolean" && rules.booleans === undefined && rules.everyType === undefined) return value;
  notes.add(`${value === true ? '"true"' : value === false ? '"false"' : "what is no schema"} became a schema`, path);
  return value === false ? withWords(anything(rules), ["Leave this out."]) : anything(rules);
}

/** A node in the words of today, with its reference written out and what holds together in one. */
function writtenOut(schema: JsonSchema, place: Place, fitting: Fitting): Followed {
  const { rules, notes, writesOutRefs } = fitting;
  const followed = writesOutRefs ? followedWhole(schema, place, fitting) : { schema, place };
  const modern = modernise(followed.schema, place, fitting);
  if (rules.allOf === undefined || !Array.isArray(modern.allOf)) return { schema: modern, place: followed.place };
  notes.add("schemas that hold together became one", place.path);
  const lost: string[] = [];
  const merged = listed(modern.allOf)
    .filter((part) => isSchema(part) && !isTooMuch(place, fitting))
    .map((part) => writtenOut(part as JsonSchema, inside(followed.place), { ...fitting, writesOutRefs: true }))
    .reduce<Followed>(
      (one, other) => ({
        schema: intersect(one.schema, other.schema, (keyword, value) => lost.push(inWords(keyword, value))),
        place: { ...other.place, refs: [...one.place.refs, ...other.place.refs] },
      }),
      { schema: without(modern, ["allOf"]), place: followed.place },
    );
  return { ...merged, schema: withWords(merged.schema, lost) };
}

/** What others refer to goes: nobody does any more, and copies would share an address. */
function followedWhole(schema: JsonSchema, place: Place, fitting: Fitting): Followed {
  const followed = follow(schema, place, fitting);
  const alone = without(followed.schema, ["$defs", "definitions", "$id", "$anchor", "$dynamicAnchor"]);
  if (alone !== followed.schema) fitting.notes.add("references are written out", place.path);
  return { ...followed, schema: alone };
}

/** What concerns a node itself, once its parts are fitted. */
function finish(schema: JsonSchema, place: Place, fitting: Fitting): JsonSchema {
  const through = (steps: readonly Step[]) => (start: JsonSchema) =>
    steps.reduce((now, step) => step(now, place, fitting), start);
  const end = through([textValues, sayItems, sayProperties, knownKeywords]);
  const typed = through([constAsEnum, joinTuple, knownKeywords, collapseNull, sayType])(schema);
  return typedAlternatives(end(splitTypes(typed, place, fitting, end)), place, fitting);
}

type Step = (schema: JsonSchema, place: Place, fitting: Fitting) => JsonSchema;

/** What these forbid depends on all that stands beside and inside, some of which is gone. */
function withoutUnevaluated(schema: JsonSchema, place: Place, { notes }: Fitting): JsonSchema {
  const gone = ["unevaluatedProperties", "unevaluatedItems"].filter((keyword) => keyword in schema);
  for (const keyword of gone) notes.add(`"${keyword}" is said in words`, place.path);
  const sentences = gone.map((keyword) => inWords(keyword, schema[keyword]));
  return gone.length === 0 ? schema : withWords(without(schema, gone), sentences);
}
