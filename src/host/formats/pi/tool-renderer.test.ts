import { describe, expect, it } from "vitest";
import { FILE, formatHost } from "../../../../test/support/forms.ts";
import { createTheme, type Theme } from "../../../authoring/pi/theme.ts";
import type { RenderView } from "../../../core/render.ts";
import { createPiRuntime } from "./pi-runtime.ts";
import { createRender, type Renderers } from "./tool-renderer.ts";

const around = { width: 10, expanded: true, isPartial: false, callID: "c1", cwd: "/p", input: { a: 1 } };
const call: RenderView = { ...around, color: false, kind: "call" };
const result: RenderView = { ...around, color: false, kind: "result", content: [], data: { n: 1 }, isError: true };

const rendererOf = (renderers: Renderers, system: "pi" | "omp" = "pi") =>
  createRender(renderers, createPiRuntime({ ...FILE, system }, "", formatHost())).render;

describe("[A5] [U5] a tool renderer", () => {
  it("does not exist if a file has no renderers", async () => {
    expect(rendererOf({})).toBeUndefined();
    expect(await rendererOf({ renderCall: () => "a" })?.(result)).toBeUndefined();
    expect(await rendererOf({ renderCall: () => undefined })?.(call)).toBeUndefined();
  });

  it.each([
    ["a text", "a\nb"],
    ["lines", ["a", "b"]],
    ["a component", { render: () => ["a", "b"] }],
  ])("accepts %s", async (_what, drawn) => {
    expect(await rendererOf({ renderCall: () => drawn })?.(call)).toEqual(["a", "b"]);
  });

  it("cuts lines to the width, and removes colors if the terminal has none", async () => {
    const line = "\x1b[31m0123456789ab\x1b[39m";
    const render = rendererOf({ renderCall: () => [line, "日本語日本語"] });
    expect(await render?.(call)).toEqual(["0123456789", "日本語日本"]);
    expect((await render?.({ ...call, color: true }))?.[0]).toContain("\x1b[31m0123456789");
  });

  it("bounds the number of lines and their length", async () => {
    const view = { ...call, width: 1_000 };
    const lengths = async (drawn: unknown): Promise<unknown> => {
      const lines = await rendererOf({ renderCall: () => drawn })?.(view);
      return [lines?.length, lines?.[0]?.length];
    };
    expect(await lengths(Array.from({ length: 100_000 }, () => "x"))).toEqual([2_000, 1]);
    expect(await lengths(["x".repeat(10_000_000)])).toEqual([1, 1_000]);
    expect(await lengths(Array.from({ length: 1_000 }, () => "x".repeat(1_000)))).toEqual([400, 1_000]);
    expect(await lengths("\n".repeat(1_000_000))).toEqual([2_000, 0]);
  });

  it.each([
    ["pi: renderCall(args, theme, context)", "renderCall", 1, 2],
    ["oh-my-pi: renderCall(args, options, theme)", "renderCall", 2, 1],
    ["pi and oh-my-pi: renderResult(result, options, theme)", "renderResult", 2, 1],
  ] as const)("%s draws in every state", async (_order, name, theme, flags) => {
    type Flags = { expanded: boolean; isPartial: boolean };
    const renderer = (...args: unknown[]): object => ({
      render: (width: number) => {
        const { expanded, isPartial } = args[flags] as Flags;
        return [(args[theme] as Theme).fg("error", `${width} ${expanded} ${isPartial}`)];
      },
    });
    const render = rendererOf({ [name]: renderer });
    for (const color of [true, false]) {
      for (const expanded of [true, false]) {
        for (const isPartial of [true, false]) {
          for (const width of [20, 80]) {
            const view: RenderView = { ...(name === "renderCall" ? call : result), color, expanded, isPartial, width };
            const text = `${width} ${expanded} ${isPartial}`;
            expect(await render?.(view)).toEqual([color ? `\x1b[31m${text}\x1b[39m` : text]);
          }
        }
      }
    }
  });

  it("passes the frame of the spinner in the second argument", async () => {
    const frame = (_first: unknown, options: { spinnerFrame: number }): string => `frame ${options.spinnerFrame}`;
    for (const view of [call, result]) {
      const render = rendererOf({ renderCall: frame, renderResult: frame });
      expect(await render?.({ ...view, spinnerFrame: 3, isPartial: true })).toEqual(["frame 3"]);
    }
  });

  it("passes the arguments of each system", async () => {
    const seen: unknown[] = [];
    const keep = (...args: unknown[]): void => void seen.push(...args);
    await rendererOf({ renderCall: keep })?.(call);
    const [args, second, third] = seen.splice(0) as [unknown, Theme, Theme];
    expect(args).toEqual({ a: 1 });
    for (const both of [second, third])
      expect([both.fg("error", "x"), both.expanded, both.isPartial]).toEqual(["x", true, false]);
    expect(third).toMatchObject({ args: { a: 1 }, toolCallId: "c1", cwd: "/p", showImages: false, isError: false });

    await rendererOf({ renderResult: keep })?.(result);
    const options = { expanded: true, isPartial: false, spinnerFrame: 0 };
    const context = expect.objectContaining({ args: { a: 1 }, isError: true });
    expect(seen.splice(0)).toEqual([
      { content: [], details: { n: 1 }, isError: true },
      options,
      expect.anything(),
      context,
    ]);
    await rendererOf({ renderResult: keep }, "omp")?.(result);
    expect(seen.splice(0)[3]).toEqual({ a: 1 });
  });

  it("always passes expanded and isPartial", async () => {
    const seen: unknown[] = [];
    const { expanded: _, isPartial: __, ...view } = result;
    await rendererOf({ renderResult: (...args: unknown[]) => void seen.push(args[1], args[3]) })?.(view);
    const flags = { expanded: false, isPartial: false };
    expect(seen).toEqual([{ ...flags, spinnerFrame: 0 }, expect.objectContaining(flags)]);
  });

  it("keeps state and the last component of the last hundred calls", async () => {
    const render = rendererOf({
      renderCall: (_args: unknown, _theme: unknown, context: { state: { n?: number }; lastComponent?: string[] }) => {
        context.state.n = (context.state.n ?? 0) + 1;
        return [`${context.state.n} ${context.lastComponent ?? ""}`];
      },
    });
    expect(await render?.(call)).toEqual(["1 "]);
    expect(await render?.(call)).toEqual(["2 1 "]);
    for (let index = 0; index < 100; index += 1) await render?.({ ...call, callID: `other${index}` });
    expect(await render?.(call)).toEqual(["1 "]);
  });

  it("rejects with the error of a renderer", async () => {
    const renderCall = (): never => {
      throw new Error("no colours");
    };
    await expect(rendererOf({ renderCall })?.(call)).rejects.toThrow("no colours");
  });
});

describe("themes", () => {
  it("have the colors of pi, and empty strings for unknown symbols", () => {
    const theme = createTheme(true);
    expect(theme.fg("error", theme.bold("x"))).toBe("\x1b[31m\x1b[1mx\x1b[22m\x1b[39m");
    expect([theme.fg("unknown", "x"), theme.bg("selectedBg", "x"), theme.fg("error", "")]).toEqual([
      ...["x", "\x1b[100mx\x1b[49m", ""],
    ]);
    expect([theme.status.success, theme.status.unheardOf, theme.icon.anything, theme.symbol("tree.last")]).toEqual([
      ...["✓", "", "", "└─"],
    ]);
    const plain = createTheme(false);
    expect([plain.fg("error", "x"), plain.bold("x"), plain.getFgAnsi("error")]).toEqual(["x", "x", ""]);
  });
});
