import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createToolbox, outputOf } from "../../src/index.ts";
import type { CustomView, Toolbox, UIContext } from "../../src/toolbox/toolbox.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";

/** Resolves to the value once it is neither undefined nor false. */
async function until<T>(read: () => T): Promise<NonNullable<T>> {
  for (let tries = 0; tries < 500; tries += 1) {
    const value = read();
    if (value) return value;
    await sleep(10);
  }
  throw new Error("It did not happen within 5 s.");
}

/** A user interface that records what it is called with, and the components that it gets. */
function recordingUi(answers: UIContext = {}): { ui: UIContext; views: CustomView[]; shown: unknown[][] } {
  const views: CustomView[] = [];
  const shown: unknown[][] = [];
  const record =
    (method: string) =>
    (...args: unknown[]): void =>
      void shown.push([method, ...args]);
  const methods = ["notify", "setWidget", "setFooter", "setHeader"].map((method) => [method, record(method)]);
  const custom = (view: CustomView): void => void views.push(view);
  return { ui: { custom, ...Object.fromEntries(methods), ...answers }, views, shown };
}

/** Draws a view at first and after each change, as a user interface does: one drawing at a time. */
function drawing(view: CustomView): { text: string } {
  const screen = { text: "" };
  let isDrawing = false;
  let isOutdated = false;
  const draw = async (): Promise<void> => {
    isOutdated = true;
    if (isDrawing) return;
    isDrawing = true;
    while (isOutdated) {
      isOutdated = false;
      screen.text = (await view.render(30, 10)).join("\n");
    }
    isDrawing = false;
  };
  view.onChange(() => void draw());
  void draw();
  return screen;
}

/** The lines of a view once it has some: a busy machine may not draw them in time. */
async function drawn(view: CustomView): Promise<readonly string[]> {
  for (let tries = 0; tries < 50; tries += 1) {
    const lines = await view.render(10);
    if (lines.length > 0) return lines;
  }
  return [];
}

const EXTENSION = `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";
export default function (pi: ExtensionAPI) {
  const tool = (name, run) => pi.registerTool({ name, label: name, description: name, parameters: Type.Object({}),
    async execute(_id, _params, signal, _onUpdate, ctx) {
      return { content: [{ type: "text", text: String(await run(ctx, signal)) }], details: {} };
    } });
`;

const extension = (body: string): string => `${EXTENSION}${body}\n}\n`;

async function open(
  files: Record<string, string> | Sandbox,
  { isolation = "shared", ui }: { isolation?: "shared" | "none"; ui?: UIContext } = {},
): Promise<{ toolbox: Toolbox; at: Sandbox }> {
  const at =
    "project" in files && "env" in files ? (files as unknown as Sandbox) : sandbox(files as Record<string, string>);
  const options = { cwd: at.project, env: at.env, trust: true, builtins: false, isolation };
  const toolbox = await createToolbox(options);
  onTestFinished(() => toolbox.close());
  if (ui) toolbox.setUIContext(ui);
  return { toolbox, at };
}

const COUNTER = extension(`
  tool("count", async (ctx) => {
    const got = await ctx.ui.custom((tui, theme, keybindings, done) => {
      let count = 0;
      return {
        render: (width) => [theme.fg("accent", "count " + count), "w" + width + " " + tui.terminal.columns + "x" + tui.terminal.rows],
        handleInput(data) {
          if (keybindings.matches(data, "tui.select.confirm")) return done({ count });
          if (data === "x") throw new Error("not this key");
          if (data === "t") return void setTimeout(() => { count += 10; tui.requestRender(); }, 10);
          count += 1;
        },
        invalidate() {},
        dispose() { ctx.ui.notify("disposed"); },
      };
    }, { overlay: true, title: "Counter" });
    return ctx.mode + " " + JSON.stringify(got ?? "nothing");
  });
`);

describe.each(["shared", "none"] as const)("[A5] [A8] [U5] ui.custom(), isolation %s", (isolation) => {
  it("draws the component, passes keys, and resolves to the value of done", async () => {
    const { ui, views, shown } = recordingUi();
    const { toolbox } = await open({ "count.ts": COUNTER }, { isolation, ui });
    const { result } = toolbox.call({ name: "count", input: {} });
    const view = await until(() => views[0]);
    expect([view.overlay, view.title]).toEqual([true, "Counter"]);
    const screen = drawing(view);
    await until(() => screen.text === "\x1b[36mcount 0\x1b[39m\nw30 30x10");
    for (const key of ["a", "x", "b"]) view.input(key);
    await until(() => screen.text.includes("count 2"));
    view.input("t");
    await until(() => screen.text.includes("count 12"));
    view.input("\r");
    await view.closed;
    expect(outputOf(await result)).toBe('tui {"count":12}');
    expect(await view.render(20)).toEqual([]);
    expect(shown).toEqual([["notify", "disposed"]]);
  });

  it("resolves to undefined if the user closes the view, or if the user interface shows no components", async () => {
    const { ui, views } = recordingUi();
    const { toolbox } = await open({ "count.ts": COUNTER }, { isolation, ui });
    const { result } = toolbox.call({ name: "count", input: {} });
    (await until(() => views[0])).close();
    expect(outputOf(await result)).toBe('tui "nothing"');
    toolbox.setUIContext({ notify: () => {} });
    expect(outputOf(await toolbox.call({ name: "count", input: {} }).result)).toBe('rpc "nothing"');
    toolbox.setUIContext(undefined);
    expect(outputOf(await toolbox.call({ name: "count", input: {} }).result)).toBe('print "nothing"');
  });

  it("closes the view when the call is aborted", async () => {
    const { ui, views } = recordingUi();
    const { toolbox } = await open({ "count.ts": COUNTER }, { isolation });
    toolbox.sessions.setUIContext("s", ui);
    const run = toolbox.call({ name: "count", input: {}, sessionID: "s" });
    const view = await until(() => views[0]);
    run.abort();
    await view.closed;
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });
});

describe("[P5] components of tool files", () => {
  it("the clock of the call does not run while a view is open", async () => {
    const { ui, views } = recordingUi();
    const { toolbox } = await open({ "count.ts": COUNTER }, { ui });
    const { result } = toolbox.call({ name: "count", input: {}, timeoutMs: 1_000 });
    const view = await until(() => views[0]);
    await sleep(1_500);
    view.close();
    expect(outputOf(await result)).toBe('tui "nothing"');
  });

  it("a view that the tool forgot is closed at the end of its call, and one whose host dies at once", async () => {
    const { ui, views } = recordingUi();
    const { toolbox } = await open(
      {
        "views.ts": extension(`
          tool("forget", (ctx) => { void ctx.ui.custom(() => ({ render: () => ["a"] })); return new Promise((done) => setTimeout(done, 100, "left")); });
          tool("die", (ctx) => ctx.ui.custom(() => ({ render: () => ["a"], handleInput: () => process.exit(3) })));
        `),
      },
      { ui },
    );
    expect(outputOf(await toolbox.call({ name: "forget", input: {} }).result)).toBe("left");
    await views[0]?.closed;
    const { result } = toolbox.call({ name: "die", input: {} });
    const view = await until(() => views[1]);
    await drawn(view);
    view.input("x");
    await view.closed;
    expect(await result).toMatchObject({ ok: false, error: { code: "crashed" } });
  });

  it("a component that throws, is slow or returns too much is drawn without a crash", async () => {
    const { ui, views } = recordingUi();
    const { toolbox } = await open(
      {
        "views.ts": extension(`
          let kind = "throw";
          tool("draw", (ctx) => ctx.ui.custom(() => ({
            render() {
              if (kind === "throw") throw new Error("no");
              if (kind === "slow") { const end = Date.now() + 300; while (Date.now() < end); return ["slow"]; }
              if (kind === "much") return Array.from({ length: 5_000 }, () => "x".repeat(1_000));
              if (kind === "odd") return [1, undefined, { toString() { throw 1; } }, "ok"];
              return "nothing";
            },
            handleInput(data) { kind = data; },
          })));
          tool("broken", async (ctx) => (await ctx.ui.custom(() => { throw new Error("no component"); })) ?? "nothing");
          tool("third", (ctx) => ctx.ui.custom((_tui, _theme, done) => done("older order")));
        `),
      },
      { ui },
    );
    const { result } = toolbox.call({ name: "draw", input: {} });
    const view = await until(() => views[0]);
    expect(await view.render(10)).toEqual([]);
    view.input("slow");
    expect(await view.render(10)).toEqual([]);
    view.input("much");
    const much = await drawn(view);
    expect([much.length, much[0]?.length]).toEqual([400, 1_000]);
    view.input("odd");
    expect(await drawn(view)).toEqual(["1", "undefined", "", "ok"]);
    view.input("text");
    expect(await view.render(10)).toEqual([]);
    view.close();
    await result;
    expect(outputOf(await toolbox.call({ name: "broken", input: {} }).result)).toBe("nothing");
    expect(outputOf(await toolbox.call({ name: "third", input: {} }).result)).toBe("older order");
  });

  it("widgets, footers and headers are shown as lines, and again after requestRender, also after the call", async () => {
    const { ui, shown } = recordingUi();
    const { toolbox } = await open({
      "widgets.ts": extension(`
        let count = 0;
        tool("widgets", (ctx) => {
          ctx.ui.setWidget("w", (tui) => { setTimeout(() => { count += 1; tui.requestRender(); }, 200); return { render: (width) => ["n " + count + " " + width] }; }, { placement: "belowEditor" });
          ctx.ui.setFooter((_tui, theme, data) => new Text(theme.bold("foot ") + data.getGitBranch(), 0, 0));
          ctx.ui.setHeader(() => { throw new Error("no header"); });
          ctx.ui.setWidget("broken", () => ({ render() { throw new Error("no"); } }));
          return "set";
        });
        tool("replace", (ctx) => { ctx.ui.setWidget("w", ["plain"]); ctx.ui.setFooter(undefined); return "set"; });
      `),
    });
    toolbox.sessions.setUIContext("s", ui);
    await toolbox.call({ name: "widgets", input: {}, sessionID: "s" }).result;
    await until(() => shown.length > 3);
    const below = { placement: "belowEditor" };
    expect(shown[0]).toEqual(["setWidget", "w", ["n 0 80"], below]);
    expect(shown[1]?.[0]).toBe("setFooter");
    expect(String(shown[1]?.[1])).toContain("\x1b[1mfoot \x1b[22mnull");
    expect(shown.slice(2)).toEqual([
      ["setWidget", "broken", []],
      ["setWidget", "w", ["n 1 80"], below],
    ]);
    await toolbox.call({ name: "replace", input: {}, sessionID: "s" }).result;
    expect(shown.slice(4)).toEqual([
      ["setWidget", "w", ["plain"]],
      ["setFooter", null],
    ]);
  });
});

describe("[U5] renderers", () => {
  it("that throw or take over 200 ms give no lines, and later ones are drawn", async () => {
    const { toolbox } = await open({
      "draws.ts": extension(`
        pi.registerTool({ name: "draws", label: "Draws", description: "Draws.", parameters: Type.Object({ how: Type.String() }),
          async execute() { return { content: [] }; },
          renderCall({ how }, theme) {
            if (how === "throw") throw new Error("no");
            if (how === "block") { const end = Date.now() + 400; while (Date.now() < end); }
            if (how === "component") return { render() { throw new Error("no"); } };
            return new Text(theme.fg("error", how), 0, 0);
          },
        });
      `),
    });
    const render = (how: string) =>
      toolbox.render({ name: "draws", kind: "call", callID: how, cwd: "/", color: true, width: 10, input: { how } });
    // The first drawing may have to start a host.
    await render("warm");
    expect(await render("throw")).toBeUndefined();
    expect(await render("component")).toBeUndefined();
    expect(await render("block")).toBeUndefined();
    let lines: readonly string[] | undefined;
    for (let tries = 0; tries < 20 && !lines; tries += 1) lines = await render("fine");
    expect(String(lines).trimEnd()).toBe("\x1b[31mfine\x1b[39m");
  });
});

const COMMANDS = extension(`
  pi.registerCommand("greet", { description: "Greets", async handler(args, ctx) {
    const name = await ctx.ui.input("Name?");
    const sure = await ctx.ui.confirm("Sure?", "Really?");
    ctx.ui.notify([args, name, sure, ctx.hasUI, ctx.isIdle(), ctx.sessionManager.getSessionId(), ctx.cwd === pi.cwd].join(" "));
    pi.sendUserMessage("hello " + name);
    pi.registerCommand("later", { handler: () => {} });
    await ctx.waitForIdle();
    ctx.ui.notify(JSON.stringify(await ctx.newSession()));
  } });
  pi.registerCommand("/fail", { handler() { throw new Error("It failed."); } });
  pi.registerCommand("wait", { handler: (_args, ctx) => ctx.ui.select("Which?", ["a"]) });
  pi.registerCommand("ignore", { handler: () => new Promise(() => setInterval(() => {}, 1_000)) });
  pi.registerCommand("show", { handler: async (_args, ctx) => ctx.ui.notify(String(await ctx.ui.custom((_t, _th, _k, done) => ({ render: () => ["drawn"], handleInput: done })))) });
  pi.registerCommand("bad name", { handler() {} });
  pi.registerCommand("empty", {});
`);

describe("[A8] commands of tool files", () => {
  const names = (toolbox: Toolbox): string[] => toolbox.commands().map(({ name }) => name);

  it("are listed, also from the cache, and run with the user interface of their session", async () => {
    const { ui, shown } = recordingUi({ input: async () => "Ada", confirm: async () => true });
    const { toolbox, at } = await open({
      "commands.ts": COMMANDS,
      "other.ts": extension(`pi.registerCommand("greet", { handler: (args, ctx) => ctx.ui.notify("other " + args) });`),
    });
    expect(names(toolbox)).toEqual(["greet", "fail", "wait", "ignore", "show", "greet:2"]);
    expect(toolbox.commands()[0]).toEqual({ name: "greet", description: "Greets", file: `${at.tools}/commands.ts` });
    expect(toolbox.problems().map(({ message }) => message)).toEqual([
      '"bad name" is not a name for a command. Use up to 64 letters, digits, "_", "-", "." and ":".',
      'The command "empty" has no handler. Add async handler(args, ctx) { … }.',
    ]);
    const actions: unknown[] = [];
    toolbox.on("session", ({ sessionID, action }) => actions.push([sessionID, action]));
    toolbox.sessions.setUIContext("s", ui);
    expect(await toolbox.runCommand({ name: "greet", args: "a b", sessionID: "s" })).toEqual({ ok: true });
    expect(shown).toEqual([
      ["notify", "a b Ada true true true s true"],
      ["notify", '{"cancelled":true}'],
    ]);
    expect(actions).toEqual([["s", { type: "user-message", content: "hello Ada" }]]);
    await until(() => names(toolbox).includes("later"));
    expect(await toolbox.runCommand({ name: "greet:2", args: "x", sessionID: "s" })).toEqual({ ok: true });
    expect(shown.at(-1)).toEqual(["notify", "other x"]);
    await toolbox.close();

    const { toolbox: cached } = await open(at);
    expect(cached.status.hosts.every(({ started }) => started === 0)).toBe(true);
    expect(names(cached)).toContain("greet:2");
    cached.setUIContext(ui);
    expect(await cached.runCommand({ name: "greet:2", args: "y", sessionID: "s" })).toEqual({ ok: true });
    expect(shown.at(-1)).toEqual(["notify", "other y"]);
  });

  it("report errors, and end when they are aborted, with their dialogs and views", async () => {
    const closed: unknown[] = [];
    let selects = 0;
    const select = (
      _title: string,
      _options: string[],
      { commandSignal }: { commandSignal: AbortSignal },
    ): Promise<undefined> => {
      selects += 1;
      return new Promise((resolve) =>
        commandSignal.addEventListener("abort", () => resolve(void closed.push("select"))),
      );
    };
    const { ui, views, shown } = recordingUi({ select });
    const { toolbox } = await open({ "commands.ts": COMMANDS }, { ui });
    const run = (name: string, signal?: AbortSignal) =>
      toolbox.runCommand({ name, args: "", sessionID: "s", ...(signal ? { signal } : {}) });
    expect(await run("fail")).toMatchObject({ ok: false, error: { code: "failed", message: "It failed." } });
    expect(await run("waiit")).toMatchObject({
      ok: false,
      error: { code: "unknown_tool", message: 'No tool file has the command "waiit". Did you mean "wait"?' },
    });
    const showing = run("show");
    (await until(() => views[0])).input("k");
    expect(await showing).toEqual({ ok: true });
    expect(shown).toEqual([["notify", "k"]]);

    const cancelled = { ok: false, error: { code: "aborted" } };
    const abort = new AbortController();
    const all = ["wait", "show", "ignore"].map((name) => run(name, abort.signal));
    await until(() => selects > 0 && views[1]);
    abort.abort();
    const outcomes = await Promise.all(all);
    expect(outcomes[2]).toMatchObject({ ...cancelled, error: { message: 'The command "/ignore" was cancelled.' } });
    await views[1]?.closed;
    expect(closed).toEqual(["select"]);
    expect(await run("fail")).toMatchObject({ ok: false, error: { message: "It failed." } });
    expect(await run("wait", AbortSignal.abort())).toMatchObject(cancelled);
  });
});
