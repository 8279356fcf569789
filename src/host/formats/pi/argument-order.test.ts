import { describe, expect, it } from "vitest";
import { type ArgumentOrder, argumentOrder, type ProvidedAs, writtenFor } from "./argument-order.ts";

const OMP = 'import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";';
const PI = "import { Type } from '@mariozechner/pi-ai';";
const NEW_PI = 'import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";';

describe("[A8] the system that a file was written for", () => {
  it.each([
    [OMP, "pi", "omp"],
    [PI, "omp", "pi"],
    [NEW_PI, "toolwright", "pi"],
    ["", "pi", "pi"],
    ["", "omp", "omp"],
    ["", "claude", undefined],
    ['import { createJiti } from "@mariozechner/jiti";', "claude", undefined],
  ] as const)("%s in a folder of %s is %s", (source, folder, system) => {
    expect(writtenFor(source, folder)).toBe(system);
  });
});

describe("[A5] [A8] the order of the arguments of execute", () => {
  const silent = (...args: unknown[]): unknown => args;
  it.each([
    ["registered", "pi", "signal-first"],
    ["returned", "pi", "update-first"],
    ["exported", "pi", "signal-first"],
    ["registered", "omp", "update-first"],
    ["returned", "omp", "update-first"],
    ["exported", "omp", "update-first"],
    ["registered", undefined, "signal-first"],
    ["returned", undefined, "update-first"],
    ["exported", undefined, "update-first"],
  ] as const)("a tool that is %s, of %s, is %s if the parameter names are unknown", (providedAs, system, order) => {
    expect(argumentOrder(silent, providedAs, system)).toBe(order);
  });

  const named: [string, (...args: never[]) => unknown, ArgumentOrder][] = [
    ["a signal third", (_id: string, _params: object, signal: unknown) => signal, "signal-first"],
    ["an unused signal third", async (_id: string, _params: object, _signal: unknown) => {}, "signal-first"],
    ["abortSignal third", (_id: string, _p: object, abortSignal: unknown) => abortSignal, "signal-first"],
    ["onUpdate third", (_id: string, _p: object, onUpdate: unknown) => onUpdate, "update-first"],
    ["_onUpdate third", (_id: string, _p: object, _onUpdate: unknown, _ctx: unknown) => {}, "update-first"],
    ["ctx fourth", (_id: string, _p: object, _: unknown, ctx: unknown) => ctx, "update-first"],
    ["onUpdate fourth", (_id: string, _p: object, _a: unknown, onUpdate: unknown) => onUpdate, "signal-first"],
    ["ctx last", (_id: string, _p: object, _a: unknown, _b: unknown, ctx: unknown) => ctx, "signal-first"],
    ["signal last", (_id: string, _p: object, _a: unknown, _b: unknown, signal: unknown) => signal, "update-first"],
    [
      "arguments taken apart",
      (_id: string, { a = [1, 2], b: { c } = { c: ")" } }: { a?: number[]; b?: { c: string } }, onUpdate: unknown) => [
        a,
        c,
        onUpdate,
      ],
      "update-first",
    ],
    [
      "comments",
      // biome-ignore format: the comments are what is tried
      function execute(_id: string /* , signal */, _params: object, // signal
        onUpdate: unknown) { return onUpdate; },
      "update-first",
    ],
    [
      "a method",
      {
        async execute(_id: string, _params: object, signal: unknown) {
          return signal;
        },
      }.execute,
      "signal-first",
    ],
  ];
  it.each(named)("%s wins over the system", (_what, execute, order) => {
    for (const providedAs of ["registered", "returned", "exported"] satisfies ProvidedAs[]) {
      for (const system of ["pi", "omp", undefined] as const)
        expect(argumentOrder(execute, providedAs, system)).toBe(order);
    }
  });

  it("does not depend on the number of parameters", () => {
    const five = (_a: unknown, _b: unknown, _c: unknown, _d: unknown, _e: unknown): void => {};
    const two = (_a: unknown, _b: unknown): void => {};
    for (const execute of [five, two, five.bind(undefined), undefined]) {
      expect(argumentOrder(execute, "registered", "pi")).toBe("signal-first");
      expect(argumentOrder(execute, "returned", "pi")).toBe("update-first");
    }
  });
});
