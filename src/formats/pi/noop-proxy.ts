/**
 * An object whose unknown members are functions that do nothing, so that a file written for a newer system still loads.
 * `called` is told of each call of such a function.
 */
export function noopProxy<T extends object>(
  members: T,
  called: (member: string, args: unknown[]) => void = () => {},
): T {
  return new Proxy(members, {
    get: (target, key, receiver) => {
      if (key in target) return Reflect.get(target, key, receiver);
      // A function under one of these would make the object be taken for a promise, or for something with JSON of its own.
      if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
      return (...args: unknown[]) => called(key, args);
    },
  });
}
