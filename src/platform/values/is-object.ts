/** An object whose fields are not known yet. */
export type AnyObject = Readonly<Record<PropertyKey, unknown>>;

/** Whether a value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value can have properties. Unlike `isObject`, it is true of arrays and functions. */
export function isObjectOrFunction(value: unknown): value is AnyObject {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Whether a value is an object literal or comes from `JSON.parse`, also in another realm. Instances of classes are not. */
export function isPlainObject(value: unknown): value is AnyObject {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
