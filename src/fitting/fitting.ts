import type { JsonSchema } from "../core/schema.ts";
import type { Notes } from "./notes.ts";
import type { SchemaRules } from "./profile.ts";

/** The fitting of one schema: the rules, and what they were applied to so far. */
export interface Fitting {
  readonly rules: SchemaRules;
  /** What references lead into. */
  readonly root: JsonSchema;
  readonly writesOutRefs: boolean;
  readonly notes: Notes;
  /** How many more schemas may be made: written out, references to references grow without bound. */
  readonly left: { schemas: number };
  /** Fits a schema inside of another. */
  fit(value: unknown, place: Place): unknown;
}

/** Where in a schema a part of it stands. */
export interface Place {
  /** The path for people: `a.b[]`; "" is the whole input. */
  readonly path: string;
  readonly depth: number;
  /** The references that were followed on the way. */
  readonly refs: readonly string[];
  /** Inside of a schema with an address of its own, where references mean something else. */
  readonly elsewhere: boolean;
}

export const ROOT: Place = { path: "", depth: 0, refs: [], elsewhere: false };

/** A place one step further in. Parts of the same value (alternatives, conditions) have the path of the whole. */
export function inside(place: Place, step = ""): Place {
  return { ...place, depth: place.depth + 1, path: joined(place.path, step) };
}

function joined(path: string, step: string): string {
  if (step === "" || step === "[]" || path === "") return `${path}${step}`;
  return `${path}.${step}`;
}

const DEEPEST = 64;

/** Whether a schema is too large, or too deep, to be fitted any further. Counts each that is not. */
export function isTooMuch(place: Place, { left }: Fitting): boolean {
  if (place.depth > DEEPEST || left.schemas <= 0) return true;
  left.schemas--;
  return false;
}
