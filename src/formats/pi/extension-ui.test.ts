import { describe, expect, it } from "vitest";
import { FILE, formatHost } from "../../../test/support/forms.ts";
import { temporary } from "../../../test/support/temporary.ts";
import type { FormatHost } from "../contributions.ts";
import { createUi } from "./extension-ui.ts";
import { exec } from "./factory-api.ts";
import { createPiRuntime } from "./pi-runtime.ts";

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

  it("with one, questions and notifications are passed on, and components are not", async () => {
    const asked: unknown[] = [];
    const { ui, host } = uiOf(formatHost({ hasUI: true, ui: async (...call) => asked.push(call) && "b" }));
    expect([await ui.select("a", ["b", "c"]), await ui.confirm("a", "b"), await ui.input("a", "p")]).toEqual([
      ...["b", false, "b"],
    ]);
    ui.notify("hello", "info");
    ui.setWidget("a", (() => {}) as never);
    ui.setWidget("a", (() => {}) as never);
    await ui.custom(() => 1);
    expect(asked).toEqual([
      ["select", ["a", ["b", "c"]], undefined],
      ["confirm", ["a", "b"], undefined],
      ["input", ["a", "p"], undefined],
      ["notify", ["hello", "info"], undefined],
    ]);
    expect(host.logged).toEqual([
      ["info", `${FILE.path}: ui.setWidget(component) has no effect in Toolwright.`],
      ["info", `${FILE.path}: ui.custom() has no effect in Toolwright.`],
    ]);
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
