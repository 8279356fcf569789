/**
 * What makes a value dangerous that was read from JSON, as a sentence: nested so deeply that walking it would exhaust the
 * stack, or keys that reach the prototype of what they are copied into. Goes level by level: it must not fall for the
 * first itself.
 */
export function faultOf(value: unknown, deepest: number): string | undefined {
  let level = isObject(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > deepest) return `The JSON is nested more than ${deepest} levels deep. Send it flatter.`;
    const next: object[] = [];
    for (const each of level) {
      const fault = Array.isArray(each) ? undefined : keyFaultOf(each);
      if (fault !== undefined) return fault;
      for (const inner of Array.isArray(each) ? each : Object.values(each)) if (isObject(inner)) next.push(inner);
    }
    level = next;
  }
  return undefined;
}

function keyFaultOf(value: object): string | undefined {
  if (Object.hasOwn(value, "__proto__")) return 'The key "__proto__" is not taken. Leave it out.';
  const made: unknown = Object.hasOwn(value, "constructor") ? value.constructor : undefined;
  if (!isObject(made) || !Object.hasOwn(made, "prototype")) return undefined;
  return 'The key "constructor" is not taken with a "prototype" in it. Leave it out.';
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
