/**
 * The objects and lists in a value that was read from JSON, level by level, the outermost first. A level is looked for
 * only when it is asked for, and none takes a call of its own: however deep a value is, no stack overflows.
 */
export function* levelsOf(value: unknown): Generator<readonly object[]> {
  let level = isNesting(value) ? [value] : [];
  while (level.length > 0) {
    yield level;
    level = innerOf(level);
  }
}

/** Whether a value is nested deeper than that. */
export function isDeeper(value: unknown, most: number): boolean {
  let depth = 0;
  for (const _level of levelsOf(value)) {
    depth += 1;
    if (depth > most) return true;
  }
  return false;
}

function innerOf(level: readonly object[]): object[] {
  const inner: object[] = [];
  for (const each of level) {
    for (const value of Array.isArray(each) ? each : Object.values(each)) if (isNesting(value)) inner.push(value);
  }
  return inner;
}

function isNesting(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
