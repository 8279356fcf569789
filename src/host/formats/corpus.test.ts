import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { callContext, formatHost } from "../../../test/support/forms.ts";
import { put, temporary } from "../../../test/support/temporary.ts";
import type { RenderView } from "../../core/render.ts";
import type { SessionSnapshot } from "../../core/session.ts";
import type { System, Tool } from "../../core/tool.ts";
import { createLoader } from "../loader/node-hooks.ts";
import type { Contributions, FormatHost, PendingAction } from "./contributions.ts";
import { readModule } from "./read-module.ts";

/** A copy, where no folder above has anything installed. */
const CORPUS = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-corpus-")));
cpSync(fileURLToPath(new URL("../../../test/corpus", import.meta.url)), CORPUS, { recursive: true });
afterAll(() => rmSync(CORPUS, { recursive: true }));

const loader = createLoader();
afterAll(() => loader.close());

async function load(path: string, host: FormatHost = formatHost()): Promise<Contributions> {
  const file = join(CORPUS, path);
  const name = basename(file).startsWith("index.") ? basename(dirname(file)) : basename(file).replace(/\.\w+$/, "");
  const system = path.split("/")[0] as System;
  const at = { path: file, name, source: "custom", place: "project", system } as const;
  return readModule(await loader.load(file), at, { host, source: readFileSync(file, "utf8") });
}

async function only(path: string, host?: FormatHost): Promise<Tool> {
  const { tools, problems } = await load(path, host);
  expect(problems).toEqual([]);
  expect(tools).toHaveLength(1);
  return tools[0] as Tool;
}

async function call(tool: Tool, input: unknown, session: SessionSnapshot = { id: "s1" }): Promise<unknown> {
  const checked = await tool.input.check(input);
  if (!checked.ok) return checked;
  return tool.run(checked.value, callContext({ directory: CORPUS, session }));
}

const text = (text: string): object => expect.objectContaining({ content: [{ type: "text", text }] });

const view: Omit<RenderView & { kind: "call" }, "input" | "kind"> = {
  width: 40,
  expanded: false,
  isPartial: false,
  color: false,
  callID: "c1",
  cwd: CORPUS,
};

describe("files as people write them", () => {
  it.each(globSync("{pi,omp}/{*.{ts,cjs},*/index.ts}", { cwd: CORPUS }))("[A5] [A8] [A9] %s loads", async (path) => {
    const { problems, about, dependsOnHost } = await load(path, formatHost({ cwd: CORPUS }));
    expect(problems).toEqual([]);
    expect(about?.format).toBe(path.startsWith("pi/") ? "pi-extension" : "factory");
    expect(dependsOnHost).toBe(true);
  });

  it("[A8] an extension restores its state from the session entries, and renders", async () => {
    const from = await load("pi/notes.ts");
    const [tool] = from.tools as [Tool];
    const message = { role: "toolResult", toolName: "notes", details: { notes: ["one", "two"] } };
    const entry = { id: "e1", parentId: null, type: "message", timestamp: "2026-01-01T00:00:00Z", message };
    await from.onSession?.({ reason: "start", resumed: true }, { id: "s1", entries: [entry] });
    expect(await call(tool, { action: "add", text: "three" })).toEqual(text("1. one\n2. two\n3. three"));
    expect(await call(tool, { action: "forget" })).toMatchObject({ ok: false });
    expect(tool.input.json).toMatchObject({
      properties: { action: { type: "string", enum: ["add", "list", "clear"], description: "What to do" } },
      required: ["action"],
    });
    expect(await tool.render?.({ ...view, kind: "call", input: { action: "add" } })).toEqual([
      expect.stringMatching(/^notes add *$/),
    ]);
    const result = { kind: "result", content: [], data: { notes: ["a", "b", "c"] }, isError: false } as const;
    const lines = await tool.render?.({ ...view, ...result, input: {} });
    expect(lines?.map((line) => line.trimEnd())).toEqual(["• a", "• b", "… 1 more"]);
    expect((await tool.render?.({ ...view, ...result, input: {}, color: true }))?.[0]).toContain("\x1b[32m•\x1b[39m");
  });

  it("[A8] a tool that is registered at session start is listed, and replaced with the next session", async () => {
    const from = await load("pi/late.ts");
    expect(from.tools.map(({ name, description }) => [name, description])).toEqual([
      ["late_echo", "Says a message back.\n\nGuidelines:\n- Use late_echo when an exact echo is asked for."],
    ]);
    expect(await call(from.tools[0] as Tool, { message: "hi" })).toEqual(text("[startup] hi"));
    await from.onSession?.({ reason: "start" }, { id: "s1" });
    expect(await call(from.tools[0] as Tool, { message: "hi" })).toEqual(text("[new] hi"));
    expect(from.about?.unsupportedFeatures).toEqual([]);
  });

  it("[A8] an extension without tools can block and change calls of other tools", async () => {
    const { hooks, tools } = await load("pi/guard.ts");
    expect(tools).toEqual([]);
    const about = { callID: "c1", session: { id: "s1" }, directory: CORPUS };
    expect(await hooks?.before?.({ ...about, tool: "read", input: { path: "a/.env" } })).toEqual({
      refuse: '"a/.env" holds secrets. Ask the user for the value you need.',
    });
    expect(await hooks?.before?.({ ...about, tool: "notes", input: { text: " x " } })).toEqual({
      input: { text: "x" },
    });
    expect(await hooks?.before?.({ ...about, tool: "read", input: { path: "a.txt" } })).toBeUndefined();
    const result = { content: [{ type: "text", text: "key sk-12345678" }], isError: false } as const;
    expect(await hooks?.after?.({ ...about, tool: "read", input: {} }, result)).toEqual({
      content: [{ type: "text", text: "key [key]" }],
    });
  });

  it("[A8] [A9] the truncation helpers of pi work", async () => {
    vi.stubEnv("TMPDIR", temporary());
    onTestFinished(() => void vi.unstubAllEnvs());
    const tool = await only("pi/big-log.ts");
    expect(tool.description).toBe("Writes a long log. Only the last 2000 lines or 50.0KB are shown.");
    expect(await call(tool, {})).toMatchObject({ content: [{ text: expect.stringMatching(/^line 1\n/) }] });
    const { content } = (await call(tool, { lines: 2001 })) as { content: { text: string }[] };
    expect(content[0]?.text).toMatch(/^line 2\n[\s\S]*\n\[Last 2000 of 2001 lines\. All of them: /);
  });

  it("[A8] commands run in the directory of the call, and siblings are found", async () => {
    const tool = await only("pi/git-info/index.ts", formatHost({ cwd: temporary() }));
    expect(await call(tool, { command: "version" })).toEqual(text(expect.stringMatching(/^> git version /)));
    expect(tool.description).toMatch(/\(git version .*\)$/);
  });

  it("[A8] entries that a call adds are seen by it and by the next", async () => {
    let session: SessionSnapshot = { id: "s1" };
    const host = formatHost({
      session: () => session,
      act: (action) => {
        if (action.type === "entry") session = { ...session, entries: [...(session.entries ?? []), action.entry] };
      },
    });
    const tool = await only("pi/counter.ts", host);
    expect(await call(tool, {})).toEqual(text("1"));
    expect(await call(tool, 4)).toEqual(text("5"));
    const [first, second] = session.entries ?? [];
    expect(second).toMatchObject({
      type: "custom",
      customType: "counter-state",
      parentId: first?.id,
      data: { count: 5 },
    });
  });

  it("[A5] a factory has the documented API", async () => {
    const tool = await only("omp/repo-stats.ts", formatHost({ cwd: put(join(temporary(), "a.txt")).slice(0, -6) }));
    const context = callContext({ directory: join(CORPUS, "pi/git-info") });
    expect(await tool.run({}, context)).toMatchObject({
      content: [{ type: "text", text: "Found 3 files" }],
      details: { toolCallId: "c1", count: 3, idle: false },
    });
    expect(context.shown).toEqual([{ content: [{ type: "text", text: "Counting…" }], details: { phase: "count" } }]);
    await expect(tool.run({ folder: "none" }, context)).rejects.toThrow(/none/);
    await expect(tool.run({}, callContext({ abort: AbortSignal.abort() }))).rejects.toThrow("Counting was cancelled");
  });

  it("[A5] a factory may return several tools, and use Zod", async () => {
    const { tools } = await load("omp/pair.ts");
    const [set, get] = tools as [Tool, Tool];
    expect(get.hints).toEqual({ title: "Get", readOnly: true });
    expect(set.input.json).toMatchObject({ properties: { key: { type: "string", description: "The key" } } });
    expect(await call(set, { key: "", value: "b" })).toMatchObject({ ok: false });
    expect(await call(set, { key: "a", value: "b" })).toEqual(text('{"stored":1}'));
    expect(await call(get, { key: "a" })).toEqual(text('{"key":"a","value":"b"}'));
    await expect(call(get, { key: "z" })).rejects.toThrow('Nothing is stored under "z"');
  });

  it("[A5] renderers of oh-my-pi get options, theme and arguments, and the symbols of the theme", async () => {
    const tool = await only("omp/greeter/index.ts");
    expect(await call(tool, { name: "Ada" })).toEqual(text("Hello, Ada!"));
    const drawn = await tool.render?.({ ...view, kind: "call", input: { name: "Ada" } });
    expect(drawn?.map((line) => line.trimEnd())).toEqual(["greet Ada"]);
    const result = { kind: "result", content: [], data: { greeted: "Ada" }, isError: false } as const;
    const lines = await tool.render?.({ ...view, ...result, expanded: true, input: { name: "Ada" } });
    expect(lines?.map((line) => line.trimEnd())).toEqual(['✓ Ada {"greeted":"Ada"}']);
  });

  it("[A5] a preview is pushed with functions that apply and discard it", async () => {
    const pushed: PendingAction[] = [];
    const folder = temporary();
    const host = formatHost({ cwd: folder, pushPendingAction: (action) => void pushed.push(action) });
    const tool = await only("omp/preview.ts", host);
    await tool.run({ path: "a.txt", text: "hello" }, callContext({ directory: folder }));
    expect(pushed).toMatchObject([{ label: "Write a.txt", sourceToolName: "write_preview", details: { bytes: 5 } }]);
    expect(await pushed[0]?.reject?.("no")).toEqual(text("Left a.txt alone: no"));
    expect(await pushed[0]?.apply("yes")).toEqual(text("Wrote a.txt"));
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("hello");
  });

  it("[A5] onSession gets every event, with the session", async () => {
    const tool = await only("omp/session-aware.ts");
    const entries = [{ id: "e1", parentId: null, type: "message", timestamp: "2026-01-01T00:00:00Z" }];
    await tool.onSession?.({ reason: "start" }, { id: "s1", entries });
    await tool.onSession?.({ reason: "todo_reminder", todos: [], attempt: 1, maxAttempts: 3 }, { id: "s1", entries });
    const session = { id: "s1", model: { provider: "p", id: "m" }, queuedMessages: true };
    expect(await call(tool, {}, session)).toMatchObject({
      details: { session: "s1", messages: 1, reasons: ["start", "todo_reminder"], model: "m", queued: true, ui: false },
    });
  });

  it("[A5] a factory needs no imports, and may be CommonJS", async () => {
    expect(await call(await only("omp/plain.cjs"), { text: "hey", times: 2 })).toBe("HEY!!");
  });

  it.each([
    ["units/index.ts", ["convert_length"]],
    ["journal/src/index.ts", ["journal_add", "journal_list"]],
    ["guardrails/index.js", ["guardrails_open"]],
    ["links/index.mjs", ["link_host", "link_query", "link_join"]],
    ["tally.ts", ["tally_files"]],
  ])("[A15] [A9] openclaw/%s loads", async (path, names) => {
    vi.stubEnv("OPENCLAW_STATE_DIR", temporary());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { problems, about, tools } = await load(`openclaw/${path}`);
    expect(problems).toEqual([]);
    expect(about?.format).toBe("openclaw-plugin");
    expect(tools.map(({ name }) => name)).toEqual(names);
  });
});
