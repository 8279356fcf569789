import { remedyFor } from "./unavailable-exports.ts";

/** A stand-in for an export of pi. It can be imported and extended, but fails when it is called or constructed. */
export type Unavailable = { new (...args: unknown[]): object; (...args: unknown[]): never };

export function unavailable(name: string): Unavailable {
  function fail(): never {
    const [exported = ""] = name.split(".");
    throw new Error(`${name} needs the agent that this file was written for. ${remedyFor(exported)}`);
  }
  return new Proxy(Object.defineProperty(fail, "name", { value: name }), { get: member }) as never;
}

/** Members are stand-ins too, except `then`: with it, the object would be treated as a promise. */
function member(target: () => never, key: string | symbol): unknown {
  if (key in target || typeof key === "symbol" || key === "then") return Reflect.get(target, key);
  return unavailable(`${target.name}.${key}`);
}
