import { describe, expect, it } from "vitest";
import { FILE, formatHost } from "../../../../test/support/forms.ts";
import { temporary } from "../../../../test/support/temporary.ts";
import type { Theme } from "../../../authoring/pi/theme.ts";
import type { FormatHost, ViewComponent } from "../contributions.ts";
import { createUi } from "./extension-ui.ts";
import { exec } from "./factory-api.ts";
import { createPiRuntime } from "./pi-runtime.ts";

interface Tui {
  readonly terminal: { readonly rows: number };
  requestRender(): void;
}

const uiOf = (host = formatHost()) => ({ host, ui: createUi(createPiRuntime(FILE, "", host), () => host.hasUI) });

describe("[A5] [A12] the user interface of files", () => {
  it("without one, nothing is shown and answers are empty", async () => {
    const { ui } = uiOf();
    const answers = [ui.select("a", ["b"]), ui.confirm("a", "b"), ui.input("a"), ui.editor("a"), ui.custom(() => 1)];
    expect(await Promise.all(answers)).toEqual([undefined, false, undefined, undefined, undefined]);
    ui.notify("hello");
    ui.setWidget("a", ["b"]);
    expect([ui.getEditorText(), ui.setTheme("dark").success, ui.then, ui.somethingNew(1)]).toEqual([
      ...["", false, undefined, undefined],
    ]);
    expect(ui.theme.fg("accent", "x")).toBe("x");
  });

  it("with one, questions and notifications are passed on, and the lines of widgets", async () => {
    const asked: unknown[] = [];
    const { ui, host } = uiOf(formatHost({ hasUI: true, ui: async (...call) => asked.push(call) && "b" }));
    expect([await ui.select("a", ["b", "c"]), await ui.confirm("a", "b"), await ui.input("a", "p")]).toEqual([
      ...["b", false, "b"],
    ]);
    ui.notify("hello", "info");
    ui.setWidget("a", () => ({ render: (width: number) => [`w${width}`, 2] }));
    ui.setWidget("a", ["b"], { placement: "belowEditor" });
    ui.setWorkingIndicator((() => {}) as never);
    expect(await ui.custom(() => 1)).toBeUndefined();
    expect(await ui.custom(5 as never)).toBeUndefined();
    expect(asked).toEqual([
      ["select", ["a", ["b", "c"]], undefined],
      ["confirm", ["a", "b"], undefined],
      ["input", ["a", "p"], undefined],
      ["notify", ["hello", "info"], undefined],
      ["setWidget", ["a", ["w80", "2"]], undefined],
      ["setWidget", ["a", ["b"], { placement: "belowEditor" }], undefined],
    ]);
    expect(host.logged).toEqual([
      ["info", `${FILE.path}: ui.setWorkingIndicator(component) has no effect in Toolwright.`],
      ["info", `${FILE.path}: ui.custom() has no effect in Toolwright.`],
      ["info", `${FILE.path}: ui.custom() without a function has no effect in Toolwright.`],
    ]);
  });

  it("a widget that fails has no lines until it works again, and a slow one is removed", async () => {
    const shown: unknown[][] = [];
    const { ui } = uiOf(formatHost({ hasUI: true, ui: async (_method, args) => void shown.push([...args]) }));
    const draws = { broken: 0, slow: 0 };
    const tuis: Tui[] = [];
    ui.setWidget("broken", (tui: Tui) => {
      tuis.push(tui);
      return {
        render: () => {
          draws.broken += 1;
          if (draws.broken === 1) throw new Error("no");
          return ["fine"];
        },
      };
    });
    ui.setWidget("slow", (tui: Tui) => {
      tuis.push(tui);
      return {
        render: () => {
          draws.slow += 1;
          const end = performance.now() + 210;
          while (performance.now() < end);
          return ["slow"];
        },
        dispose: () => shown.push(["slow", "disposed"]),
      };
    });
    await expect
      .poll(
        () => {
          for (const tui of tuis) tui.requestRender();
          return shown.at(-1);
        },
        { timeout: 5_000 },
      )
      .toEqual(["slow", "disposed"]);
    expect([shown, draws.slow]).toEqual([
      [
        ["broken", []],
        ["slow", []],
        ["broken", ["fine"]],
        ["slow", "disposed"],
      ],
      3,
    ]);
  });

  it.each([
    ["pi, oh-my-pi: (tui, theme, keybindings, done)", 3],
    ["hooks of oh-my-pi, older pi: (tui, theme, done)", 2],
  ])("custom() shows a component in the order of %s", async (_order, place) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const components: ViewComponent[] = [];
    const changes: string[] = [];
    const show: FormatHost["show"] = async (component) => {
      components.push(component);
      return { changed: () => void changes.push("changed"), close: resolve, closed };
    };
    const { ui, host } = uiOf(formatHost({ hasUI: true, show }));
    const state = { focused: false };
    const disposed: string[] = [];
    const value = ui.custom(
      (...args: unknown[]) => {
        const [tui, theme, keybindings] = args as unknown as [Tui, Theme, { getKeys(name: string): string[] }];
        return Object.assign(state, {
          render: (width: number) => [
            theme.fg("error", `${width} ${tui.terminal.rows}`),
            keybindings.getKeys("selectCancel"),
          ],
          handleInput: (data: string) =>
            data === "q" ? (args[place] as (v: unknown) => void)({ data }) : tui.requestRender(),
          dispose: () => void disposed.push("disposed"),
        });
      },
      { overlay: true, onHandle: (handle: { isFocused(): boolean }) => expect(handle.isFocused()).toBe(true) },
    );
    await expect.poll(() => changes.length).toBe(1);
    const [component] = components;
    expect(component).toMatchObject({ overlay: true });
    expect([component?.render(30, 7), state.focused]).toEqual([["\x1b[31m30 7\x1b[39m", ["escape"]], true]);
    component?.input("a");
    expect(changes.length).toBe(2);
    component?.input("q");
    expect([await value, disposed, host.logged]).toEqual([{ data: "q" }, ["disposed"], []]);
  });

  it("a dialog ends when its signal fires or its timeout passes", async () => {
    const ask: FormatHost["ui"] = (_method, _args, signal) =>
      new Promise((resolve) => signal?.addEventListener("abort", () => resolve(undefined)));
    const { ui } = uiOf(formatHost({ hasUI: true, ui: ask }));
    const stop = new AbortController();
    const waiting = ui.select("a", ["b"], { signal: stop.signal });
    stop.abort();
    expect(await waiting).toBeUndefined();
    expect(await ui.confirm("a", "b", { timeout: 10 })).toBe(false);
  });
});

describe("[A5] exec", () => {
  const runtime = createPiRuntime(FILE, "", formatHost({ cwd: process.cwd() }));
  const node = (script: string, options = {}) => exec(runtime, process.execPath, ["-e", script], options);

  it("returns both streams and the exit code", async () => {
    expect(await node("console.log('out'); console.error('err'); process.exitCode = 3")).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      code: 3,
      killed: false,
    });
    expect((await node("console.log(process.env.A)", { env: { A: "b" } })).stdout).toBe("b\n");
  });

  it("runs in the directory of the call, unless another is named", async () => {
    const folder = temporary();
    const where = "process.stdout.write(process.cwd())";
    expect((await runtime.inDirectory(folder, () => node(where))).stdout).toBe(folder);
    expect((await node(where, { cwd: folder })).stdout).toBe(folder);
  });

  it("reports a killed process as failed", async () => {
    const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
    expect(await node(deaf, { timeout: 200 })).toMatchObject({
      killed: true,
      code: expect.toSatisfy((code) => code > 0),
    });
    expect(await node("", { signal: AbortSignal.abort() })).toMatchObject({ killed: true, code: 1 });
  });

  it("returns a result for a command that cannot be started", async () => {
    expect(await exec(runtime, "no-such-command-here")).toEqual({
      stdout: "",
      stderr: '"no-such-command-here" cannot be started: it is not installed or not on PATH.',
      code: 1,
      killed: false,
    });
  });
});
