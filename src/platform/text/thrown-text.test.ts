import { describe, expect, it } from "vitest";
import { causesOf, textOfThrown } from "./thrown-text.ts";

describe("[A4] the text of a thrown value", () => {
  it.each<[unknown, string]>([
    [new Error("No database."), "No database."],
    ["text", "text"],
    [{ message: "like an error" }, "like an error"],
    [{ status: 404 }, '{"status":404}'],
    [new AggregateError([new Error("a"), "b"], "All failed"), "All failed: a; b"],
    [new AggregateError([new Error("a")]), "a"],
    [new AggregateError(Array.from({ length: 7 }, (_, index) => index + 1)), "1; 2; 3; 4; 5; and 2 more"],
  ])("%o has one", (thrown, text) => {
    expect(textOfThrown(thrown)).toEqual({ text, isEmpty: false });
  });

  it.each<[unknown, string]>([
    [new Error(), "an error without a message"],
    [new TypeError(), "a TypeError without a message"],
    [new EvalError(" "), "an EvalError without a message"],
    [Object.assign(new Error(), { code: "ENOENT" }), "an error without a message with the code ENOENT"],
    [undefined, "undefined"],
    [null, "null"],
    ["", "an empty text"],
    [0, "0"],
    [false, "false"],
    [{}, "an object without a message"],
    [() => 1, "a function"],
    [Symbol("s"), "Symbol(s)"],
  ])("%o has none", (thrown, text) => {
    expect(textOfThrown(thrown)).toEqual({ text, isEmpty: true });
  });

  it("ends for errors that collect themselves", () => {
    const all = new AggregateError([], "All failed");
    all.errors.push(all, all, new Error("a"));
    const inner = "All failed: All failed; All failed; a";
    expect(textOfThrown(all)).toEqual({ text: `All failed: ${inner}; ${inner}; a`, isEmpty: false });
  });

  it("survives a getter that throws", () => {
    const failing = {
      get message(): string {
        throw new Error("getter");
      },
    };
    expect(textOfThrown(failing)).toEqual({ text: "a value that cannot be printed", isEmpty: true });
  });

  it("has the causes of an error, unless its message repeats them", () => {
    const socket = new Error("connect ECONNREFUSED 127.0.0.1:1");
    const fetching = new TypeError("fetch failed", { cause: socket });
    expect(causesOf(new Error("No answer", { cause: fetching }))).toEqual(["fetch failed", socket.message]);
    expect(causesOf(new Error(`Cannot load: ${socket.message}`, { cause: socket }))).toEqual([]);
    expect(causesOf("text")).toEqual([]);
    const circular = new Error("a");
    circular.cause = circular;
    expect(causesOf(circular)).toEqual([]);
  });
});
