/** A stand-in for an export of pi. It can be imported and extended, but fails when it is called or constructed. */
export type Unavailable = { new (...args: unknown[]): object; (...args: unknown[]): never };

/** A stand-in for an export of an agent's package. The loader creates one for each name that a file imports and we lack. */
export function unavailable(name: string): Unavailable {
  function fail(): never {
    throw new Error(
      `${name} is only available in the agent that this file was written for. Use the context of the call, fetch(), a module of Node or a package from npm in its place.`,
    );
  }
  return new Proxy(Object.defineProperty(fail, "name", { value: name }), { get: member }) as never;
}

/** Members are stand-ins too, except `then`: with it, the object would be treated as a promise. */
function member(target: () => never, key: string | symbol): unknown {
  if (key in target || typeof key === "symbol" || key === "then") return Reflect.get(target, key);
  return unavailable(`${target.name}.${key}`);
}
