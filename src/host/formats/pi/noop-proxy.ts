/** Unknown members are functions that only call `onCall`, so that files written for newer versions still load. */
export function noopProxy<T extends object>(
  members: T,
  onCall: (member: string, args: unknown[]) => void = () => {},
): T {
  return new Proxy(members, {
    get: (target, key, receiver) => {
      if (key in target) return Reflect.get(target, key, receiver);
      // With a function under these names, the object would be treated as a promise, or serialised with it.
      if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
      return (...args: unknown[]) => onCall(key, args);
    },
  });
}
