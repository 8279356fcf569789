/** The value as JSON can hold it: fields without a value are left out. Items of arrays without a value are null. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutUndefined(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const defined = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(defined.map(([key, item]) => [key, withoutUndefined(item)]));
}
