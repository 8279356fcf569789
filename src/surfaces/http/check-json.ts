import { levelsOf } from "../../core/json-levels.ts";

/**
 * What makes a value dangerous that was read from JSON, as a sentence: nested so deeply that walking it would exhaust the
 * stack, or keys that reach the prototype of what they are copied into.
 */
export function faultOf(value: unknown, deepest: number): string | undefined {
  let depth = 0;
  for (const level of levelsOf(value)) {
    depth += 1;
    if (depth > deepest) return `The JSON is nested more than ${deepest} levels deep. Send it flatter.`;
    for (const each of level) {
      const fault = Array.isArray(each) ? undefined : keyFaultOf(each);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function keyFaultOf(value: object): string | undefined {
  if (Object.hasOwn(value, "__proto__")) return 'The key "__proto__" is not taken. Leave it out.';
  const made: unknown = Object.hasOwn(value, "constructor") ? value.constructor : undefined;
  if (typeof made !== "object" || made === null || !Object.hasOwn(made, "prototype")) return undefined;
  return 'The key "constructor" is not taken with a "prototype" in it. Leave it out.';
}
