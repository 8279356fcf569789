import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type as Type0 } from "@sinclair/typebox";
import { Type as Type1 } from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { toSchema } from "../../host/schema/to-schema.ts";
import * as all from "./index.ts";
import { unavailable } from "./stand-in.ts";
import {
  createEventBus,
  createReadTool,
  DynamicBorder,
  getLanguageFromPath,
  getMarkdownTheme,
  keyHint,
  parseFrontmatter,
  readTool,
  StringEnum,
  Type,
  uuidv7,
  withFileMutationQueue,
} from "./values.ts";

const action = StringEnum(["add", "list"], { description: "What to do" });
const other = StringEnum(["x"]);

describe("[A9] the exports of the pi packages", () => {
  it.each([
    ["@sinclair/typebox", Type0.Object({ action, other: Type0.Optional(other) })],
    ["typebox", Type1.Object({ action, other: Type1.Optional(other) })],
    ["pi itself", Type.Object({ action, other: Type.Optional(other) })],
  ])("StringEnum fits into objects of %s", async (_name, object) => {
    const schema = await toSchema(object);
    expect(schema.json).toMatchObject({
      required: ["action"],
      properties: {
        action: { type: "string", enum: ["add", "list"], description: "What to do" },
        other: { type: "string", enum: ["x"] },
      },
    });
    expect(await schema.check({ action: "add" })).toEqual({ ok: true, value: { action: "add" } });
    expect(await schema.check({ action: "drop" })).toMatchObject({ ok: false, issues: [{ path: "/action" }] });
  });

  it("include the components, without duplicate names", () => {
    expect(new all.Text("hello", 0, 0).render(10).map((line) => line.trimEnd())).toEqual(["hello"]);
    expect(new all.Markdown("**a**", 0, 0, getMarkdownTheme()).render(10).join("")).toContain("a");
    expect(all.visibleWidth("日本")).toBe(4);
    expect(all.truncateHead).toBeTypeOf("function");
    expect(all.matchesKey("\x1b", "escape")).toBe(true);
  });

  it("stand-ins for parts of the agent can be imported and extended, and fail with the reason when used", () => {
    class Editor extends unavailable("CustomEditor") {}
    expect(() => unavailable("createAgentSession")()).toThrow(
      "createAgentSession is only available in the agent that this file was written for. Use the context of the call, fetch(), a module of Node or a package from npm in its place.",
    );
    expect(() => new Editor()).toThrow("CustomEditor is only available in the agent that this file was written for");
    const { create } = unavailable("ModelRuntime") as unknown as { create(): void };
    expect(() => create()).toThrow("ModelRuntime.create is only available in the agent");
  });

  it("built-in tools of pi can be spread, and explain a call outside of a call", async () => {
    const read = { ...createReadTool("/p"), label: "Read" };
    expect([read.name, read.label, { ...readTool }.name]).toEqual(["read", "Read", "read"]);
    await expect(read.execute("c1", { path: "a" } as never)).rejects.toThrow(
      'The tool "read" of pi can only be executed while a tool of this file runs',
    );
  });

  it("run mutations of one file in order, also after a failure", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolwright-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "a.txt");
    writeFileSync(file, "");
    const add = (text: string) =>
      withFileMutationQueue(file, async () => {
        const before = readFileSync(file, "utf8");
        await new Promise((resolve) => setTimeout(resolve, 5));
        writeFileSync(file, before + text);
      });
    const failing = withFileMutationQueue(file, () => Promise.reject(new Error("no")));
    await Promise.all([add("1"), add("2"), expect(failing).rejects.toThrow("no"), add("3")]);
    expect(readFileSync(file, "utf8")).toBe("123");
  });

  it("parse frontmatter", () => {
    const text = '---\nname: "a"\ntools: [read, bash]\nmax: 3\non: true\nlist:\n  - x\n  - y\n---\n\nBody\n';
    expect(parseFrontmatter(text)).toEqual({
      frontmatter: { name: "a", tools: ["read", "bash"], max: 3, on: true, list: ["x", "y"] },
      body: "Body",
    });
    expect(parseFrontmatter("Body")).toEqual({ frontmatter: {}, body: "Body" });
  });

  it("render borders and hints, and detect languages", () => {
    expect(new DynamicBorder((text) => text).render(3)).toEqual(["───"]);
    expect(keyHint("app.tools.expand", "to expand")).toBe("\x1b[90mctrl+o\x1b[39m\x1b[90m to expand\x1b[39m");
    expect([getLanguageFromPath("a/b.TS"), getLanguageFromPath("Makefile")]).toEqual(["typescript", undefined]);
    expect(uuidv7(0x1234_5678_9abc)).toMatch(/^12345678-9abc-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it("an error of an event bus handler does not affect the others", async () => {
    const failures: unknown[] = [];
    const heard: unknown[] = [];
    const bus = createEventBus((error) => failures.push(error));
    bus.on("a", () => Promise.reject(new Error("no")));
    const off = bus.on("a", (data) => heard.push(data));
    bus.emit("a", 1);
    off();
    bus.emit("a", 2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([1]);
    expect(failures).toHaveLength(2);
  });
});
