import type { JsonSchema } from "../core/schema.ts";
import { alternativesText } from "./alternatives-text.ts";
import { type Fitting, inside, isTooMuch, type Place } from "./fitting.ts";
import { follow } from "./follow.ts";
import { intersect } from "./intersect.ts";
import { isSchema, listed, without } from "./schema-parts.ts";
import { unite } from "./unite.ts";
import { inWords, withWords } from "./words.ts";

/** More alternatives than these are not told apart. */
const MOST = 32;

const COMBINED = ["allOf", "anyOf", "oneOf"];
const REFUSED = ["not", "if", "then", "else", "enum", "const"];

/** One object that holds for all that the root holds for; what cannot be said in it is said in words. */
export function plainRoot(root: JsonSchema, place: Place, fitting: Fitting): JsonSchema {
  const needed = ["$ref", ...COMBINED, ...REFUSED].filter((keyword) => keyword in root);
  const { notes } = fitting;
  if (needed.length === 0) return root;
  const choices = alternatives(root, place, fitting);
  const [first = {}] = choices;
  const united = choices.length > 1 ? unite(choices) : first;
  if (COMBINED.some((keyword) => keyword in root)) notes.add(combinedNote(root, choices.length), place.path);
  return withWords({ ...united, type: "object" }, choices.length > 1 ? [alternativesText(choices)] : []);
}

function combinedNote(root: JsonSchema, count: number): string {
  if (count > 1) return `${count} alternatives became one object with the fields of all`;
  if ("anyOf" in root || "oneOf" in root) return "alternatives became one object with the fields of all";
  return "schemas that hold together became one";
}

/** The objects that a schema holds for, one after another. */
function alternatives(schema: JsonSchema, place: Place, fitting: Fitting): readonly JsonSchema[] {
  if (isTooMuch(place, fitting)) {
    fitting.notes.add("too many alternatives to be told apart", "");
    return [{}];
  }
  const followed = follow(schema, inside(place), fitting);
  const base = plain(followed.schema, fitting);
  const parts = listed(followed.schema.allOf).filter(isSchema);
  const unions = [followed.schema.anyOf, followed.schema.oneOf].filter((union) => Array.isArray(union));
  const together = parts.reduce<readonly JsonSchema[]>(
    (sofar, part) => crossed(sofar, alternatives(part, followed.place, fitting)),
    [base],
  );
  return unions.reduce<readonly JsonSchema[]>((sofar, union) => {
    const choices = union.flatMap((each) => choicesOf(each, followed.place, fitting));
    return choices.length === 0 ? sofar : crossed(sofar, choices);
  }, together);
}

function choicesOf(each: unknown, place: Place, fitting: Fitting): readonly JsonSchema[] {
  if (each === false) return [];
  return isSchema(each) ? alternatives(each, place, fitting) : [{}];
}

/** A schema by itself, with what an object at the root may not say in words. */
function plain(schema: JsonSchema, { notes }: Fitting): JsonSchema {
  const refused = REFUSED.filter((keyword) => keyword in schema);
  for (const keyword of refused) notes.add(`"${keyword}" is said in words`, "");
  const sentences = refused.map((keyword) => inWords(keyword, schema[keyword]));
  return withWords(without(schema, [...COMBINED, ...REFUSED]), sentences);
}

/** Each of the one kind together with each of the other, or, where that would be too many, with all of the other in one. */
function crossed(some: readonly JsonSchema[], others: readonly JsonSchema[]): readonly JsonSchema[] {
  if (some.length * others.length > MOST) return some.map((one) => intersect(one, unite(others)));
  return some.flatMap((one) => others.map((other) => intersect(one, other)));
}
