/**
 * Throws for what JSON would lose or change without a word: functions, symbols, NaN, maps, dates and whatever else is no
 * plain object. Members that are undefined are left out, as everywhere.
 */
export function mustBeJson(value: unknown): void {
  if (typeof value !== "object" || value === null) {
    if (!isJson(value)) throw new TypeError(`${String(value)} is not plain data.`);
    return;
  }
  if (Array.isArray(value)) {
    // What a list has left out is undefined here.
    for (const member of value) mustBeJson(member);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another Object's prototype, whose own is null as well.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError("An object is not plain data.");
  for (const member of Object.values(value)) if (member !== undefined) mustBeJson(member);
}

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}
