import { describe, expect, it } from "vitest";
import { snapshot } from "./snapshot.ts";

describe("[P8] a value as it was", () => {
  it("does not change with what it was taken of", () => {
    const value = { n: 1, list: [{ a: 1 }], nested: { b: { c: 2 } } };
    const taken = snapshot(value);
    value.n = 2;
    value.list.push({ a: 2 });
    value.nested.b.c = 3;
    expect(taken).toEqual({ n: 1, list: [{ a: 1 }], nested: { b: { c: 2 } } });
  });

  it("keeps a member that is called __proto__", () => {
    const taken = snapshot(JSON.parse('{ "__proto__": { "a": 1 } }')) as object;
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype);
    expect(JSON.stringify(taken)).toBe('{"__proto__":{"a":1}}');
  });

  it("leaves what is no plain data as it is", () => {
    const value = { at: new Date(0), map: new Map(), f: () => 1 };
    expect(snapshot(value)).toEqual(value);
  });

  it("ends, whatever it is given", () => {
    const circle: Record<string, unknown> = {};
    for (const name of "abcdefghij") circle[name] = circle;
    expect(snapshot(circle)).toMatchObject({ a: { a: { a: {} } } });
    const unreadable = {
      get a() {
        throw new Error("no");
      },
    };
    expect(snapshot(unreadable)).toBe(unreadable);
  });
});
