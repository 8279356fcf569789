/** An object that is made when something is first asked of it. */
export function lazyValue<T extends object>(make: () => T): T {
  let made: T | undefined;
  const value = (): T => {
    made ??= make();
    return made;
  };
  return new Proxy({} as T, {
    get: (_target, key) => Reflect.get(value(), key),
    has: (_target, key) => Reflect.has(value(), key),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor: (_target, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value(), key);
      // What is not on the proxy's own target may only be told of as something that can go away.
      return found && { ...found, configurable: true };
    },
  });
}
