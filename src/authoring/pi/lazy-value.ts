/** Calls `load` on first use of the object. */
export function lazyValue<T extends object>(load: () => T): T {
  let loaded: T | undefined;
  const value = (): T => {
    loaded ??= load();
    return loaded;
  };
  return new Proxy({} as T, {
    get: (_target, key) => Reflect.get(value(), key),
    has: (_target, key) => Reflect.has(value(), key),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor: (_target, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value(), key);
      // A proxy may only report a property that its target lacks as configurable.
      return found && { ...found, configurable: true };
    },
  });
}
