import { expect, it } from "vitest";
import { storeOf } from "./session-values.ts";

it("[A15] a store has no values but those that were set", () => {
  const store = storeOf({ known: 1 }) as { get(key: string, fallback?: unknown): unknown };
  expect(["known", "constructor", "toString", "__proto__"].map((key) => store.get(key, "none"))).toEqual([
    1,
    "none",
    "none",
    "none",
  ]);
});
