import { describe, expect, it } from "vitest";
import { copyPlainData } from "./copy-plain-data.ts";

describe("[P8] a copy of plain data", () => {
  it("does not change with its original", () => {
    const value = { n: 1, list: [{ a: 1 }], nested: { b: { c: 2 } } };
    const copy = copyPlainData(value);
    value.n = 2;
    value.list.push({ a: 2 });
    value.nested.b.c = 3;
    expect(copy).toEqual({ n: 1, list: [{ a: 1 }], nested: { b: { c: 2 } } });
  });

  it("has a member named __proto__ as its own property", () => {
    const copy = copyPlainData(JSON.parse('{ "__proto__": { "a": 1 } }')) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}');
  });

  it("shares values that are not plain data with its original", () => {
    const value = { at: new Date(0), map: new Map(), f: () => 1 };
    expect(copyPlainData(value)).toEqual(value);
  });

  it("shares objects and lists with more members than a log shows", () => {
    const fields = Object.fromEntries(Array.from({ length: 10_001 }, (_, key) => [`key${key}`, key]));
    const value = { fields, list: new Array(10_001).fill(1), few: [1] };
    const copy = copyPlainData(value) as typeof value;
    expect(copy).toEqual(value);
    expect([copy.fields === fields, copy.list === value.list, copy.few === value.few]).toEqual([true, true, false]);
  });

  it("ends for circular data, and returns a value that cannot be read unchanged", () => {
    const circle: Record<string, unknown> = {};
    for (const name of "abcdefghij") circle[name] = circle;
    expect(copyPlainData(circle)).toMatchObject({ a: { a: { a: {} } } });
    const unreadable = {
      get a() {
        throw new Error("no");
      },
    };
    expect(copyPlainData(unreadable)).toBe(unreadable);
  });
});
