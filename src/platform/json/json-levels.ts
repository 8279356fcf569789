/** The objects and arrays in a parsed JSON value, level by level, lazily. Not recursive: deep values cannot overflow the stack. */
export function* levelsOf(value: unknown): Generator<readonly object[]> {
  let level = isObjectOrArray(value) ? [value] : [];
  while (level.length > 0) {
    yield level;
    level = innerOf(level);
  }
}

export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  let depth = 0;
  for (const _level of levelsOf(value)) {
    depth += 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

function innerOf(level: readonly object[]): object[] {
  const inner: object[] = [];
  for (const each of level) {
    for (const value of Array.isArray(each) ? each : Object.values(each)) if (isObjectOrArray(value)) inner.push(value);
  }
  return inner;
}

function isObjectOrArray(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
