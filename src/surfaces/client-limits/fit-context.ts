import type { JsonSchema } from "../../core/schema.ts";
import type { SchemaChanges } from "./schema-changes.ts";
import type { SchemaRules } from "./schema-rules.ts";

/** The state of fitting one schema. */
export interface FitContext {
  readonly rules: SchemaRules;
  /** The schema that references point into. */
  readonly root: JsonSchema;
  readonly inlinesRefs: boolean;
  readonly changes: SchemaChanges;
  /** The remaining number of nodes: inlined references to references can grow exponentially. */
  readonly left: { schemas: number };
  /** Fits a child of the current node. */
  fit(value: unknown, location: SchemaLocation): unknown;
}

/** The location of a node in the root schema. */
export interface SchemaLocation {
  /** As in `a.b[]`; "" is the whole input. */
  readonly path: string;
  readonly depth: number;
  /** The references that were inlined on the way to this node. */
  readonly refs: readonly string[];
  /** Whether the node is inside a schema with its own `$id`, which references are relative to. */
  readonly hasOwnBase: boolean;
}

export const ROOT_LOCATION: SchemaLocation = { path: "", depth: 0, refs: [], hasOwnBase: false };

/** The location of a child. Without a step it describes the same value, as alternatives and conditions do. */
export function childLocation(location: SchemaLocation, step = ""): SchemaLocation {
  return { ...location, depth: location.depth + 1, path: joined(location.path, step) };
}

function joined(path: string, step: string): string {
  if (step === "" || step === "[]" || path === "") return `${path}${step}`;
  return `${path}.${step}`;
}

const MAX_DEPTH = 64;

/** Whether the schema is too large or too deep to fit this node. Counts the node otherwise. */
export function exceedsLimits(location: SchemaLocation, { left }: FitContext): boolean {
  if (location.depth > MAX_DEPTH || left.schemas <= 0) return true;
  left.schemas--;
  return false;
}
