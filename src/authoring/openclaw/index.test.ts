import { join } from "node:path";
import { Type as Type0 } from "@sinclair/typebox";
import { Type as Type1 } from "typebox";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { toSchema } from "../../host/schema/to-schema.ts";
import {
  buildJsonPluginConfigSchema,
  createPluginRuntimeStore,
  defineBundledChannelEntry,
  defineChannelPluginEntry,
  definePluginEntry,
  defineSingleProviderPluginEntry,
  defineToolPlugin,
  emptyPluginConfigSchema,
  imageResultFromFile,
  isSecretRef,
  jsonResult,
  normalizeAccountId,
  optionalStringEnum,
  payloadTextResult,
  readNumberParam,
  readStringArrayParam,
  readStringOrNumberParam,
  readStringParam,
  stringEnum,
  textResult,
} from "./index.ts";

describe("[A9] [A15] the exports of openclaw/plugin-sdk", () => {
  it.each([
    ["@sinclair/typebox", Type0.Object({ a: stringEnum(["x", "y"]), b: optionalStringEnum(["z"]) })],
    ["typebox", Type1.Object({ a: stringEnum(["x", "y"]), b: optionalStringEnum(["z"]) })],
  ])("stringEnum and optionalStringEnum fit into objects of %s", async (_name, object) => {
    expect((await toSchema(object)).json).toMatchObject({
      required: ["a"],
      properties: { a: { type: "string", enum: ["x", "y"] }, b: { type: "string", enum: ["z"] } },
    });
  });

  it.each<[string, unknown, unknown]>([
    ["a text", readStringParam({ a: " x " }, "a"), "x"],
    ["a text as it is", readStringParam({ a: " x " }, "a", { trim: false }), " x "],
    ["no text", readStringParam({ a: 5 }, "a"), undefined],
    ["an empty text", readStringParam({ a: " " }, "a"), undefined],
    ["an allowed empty text", readStringParam({ a: " " }, "a", { allowEmpty: true }), ""],
    ["a number as text", readStringOrNumberParam({ a: 5 }, "a"), "5"],
    ["a number", readNumberParam({ a: 2.5 }, "a"), 2.5],
    ["a number in a text", readNumberParam({ a: "2.5 km" }, "a"), 2.5],
    ["a strict number", readNumberParam({ a: "2.5 km" }, "a", { strict: true }), undefined],
    ["an integer", readNumberParam({ a: "2.5" }, "a", { integer: true }), 2],
    ["no number", readNumberParam({ a: "" }, "a"), undefined],
    ["a list", readStringArrayParam({ a: [" x", 5, ""] }, "a"), ["x"]],
    ["a list in a text", readStringArrayParam({ a: "x, y" }, "a"), ["x", "y"]],
    ["a JSON list in a text", readStringArrayParam({ a: '["x","y"]' }, "a"), ["x", "y"]],
    ["a text in brackets", readStringArrayParam({ a: "[x]" }, "a"), ["[x]"]],
    ["no list", readStringArrayParam({}, "a"), undefined],
    ["an account", normalizeAccountId(" Work "), "work"],
    ["no account", normalizeAccountId(), "default"],
    ["a secret", isSecretRef({ source: "env", provider: "p", id: "i" }), true],
    ["no secret", isSecretRef({ source: "env" }), false],
    ["a result", textResult("a", 1), { content: [{ type: "text", text: "a" }], details: 1 }],
    ["a JSON result", jsonResult({ a: 1 }), { content: [{ type: "text", text: '{\n  "a": 1\n}' }], details: { a: 1 } }],
    ["a text payload", payloadTextResult("a"), { content: [{ type: "text", text: "a" }], details: "a" }],
  ])("read %s", (_what, value, expected) => {
    expect(value).toEqual(expected);
  });

  it("name a required argument that is missing", () => {
    expect(() => readStringParam({}, "a", { required: true })).toThrow("a required");
    expect(() => readNumberParam({}, "a", { required: true, label: "amount" })).toThrow("amount required");
    expect(() => readStringArrayParam({}, "a", { required: true })).toThrow("a required");
  });

  it("read images", async () => {
    const path = put(join(temporary(), "a.gif"), "GIF89a");
    expect(await imageResultFromFile({ path, details: { n: 1 } })).toEqual({
      content: [
        { type: "text", text: `MEDIA:${path}` },
        { type: "image", data: Buffer.from("GIF89a").toString("base64"), mimeType: "image/gif" },
      ],
      details: { path, n: 1 },
    });
  });

  it("build schemas of configurations", () => {
    expect(emptyPluginConfigSchema().safeParse?.({})).toEqual({ success: true, data: {} });
    expect(emptyPluginConfigSchema().safeParse?.({ a: 1 })).toMatchObject({ success: false });
    expect(buildJsonPluginConfigSchema({ type: "object" })).toMatchObject({ jsonSchema: { type: "object" } });
  });

  it("store the runtime of a plugin", () => {
    const store = createPluginRuntimeStore<string>("Not yet.");
    expect(() => store.getRuntime()).toThrow("Not yet.");
    store.setRuntime("now");
    expect([store.getRuntime(), store.tryGetRuntime()]).toEqual(["now", "now"]);
    store.clearRuntime();
    expect(store.tryGetRuntime()).toBeNull();
  });

  it("entries register their parts", () => {
    const registered: unknown[] = [];
    const api = {
      registerChannel: (channel: unknown) => void registered.push(channel),
      registerProvider: (provider: unknown) => void registered.push(provider),
    };
    const registerFull = (): void => void registered.push("full");
    const entry = { id: "a", register: () => {} };
    expect(definePluginEntry(entry)).toBe(entry);
    defineChannelPluginEntry({ plugin: "chat", registerFull }).register(api);
    defineBundledChannelEntry({ plugin: "bundled" }).register(api);
    defineSingleProviderPluginEntry({ id: "p", provider: { label: "P" }, register: registerFull }).register(api);
    expect(registered).toEqual([{ plugin: "chat" }, "full", { plugin: "bundled" }, { id: "p", label: "P" }, "full"]);
  });

  it.each<[unknown, unknown]>([
    ["text", { content: [{ type: "text", text: "text" }], details: "text" }],
    [{ a: 1 }, jsonResult({ a: 1 })],
    [{ content: [{ type: "text", text: "x" }] }, { content: [{ type: "text", text: "x" }] }],
    [{ content: ["x"] }, jsonResult({ content: ["x"] })],
    [undefined, { content: [{ type: "text", text: "" }], details: undefined }],
  ])("tools of defineToolPlugin that return %j have a result", async (returned, expected) => {
    const tools: { execute(...args: unknown[]): unknown }[] = [];
    const api = { pluginConfig: { n: 1 }, registerTool: (tool: unknown) => void tools.push(tool as never) };
    const seen: unknown[] = [];
    defineToolPlugin({
      id: "a",
      tools: (tool) => [
        tool({
          name: "t",
          execute: (...args) => {
            seen.push(args);
            return returned;
          },
        }),
      ],
    }).register(api);
    expect(await tools[0]?.execute("c1", { x: 1 })).toEqual(expected);
    expect(seen).toMatchObject([[{ x: 1 }, { n: 1 }, { toolCallId: "c1", api }]]);
  });

  it("a tool of defineToolPlugin without a function is an error", () => {
    const plugin = defineToolPlugin({ id: "a", tools: (tool) => [tool({ name: "t" })] });
    expect(() => plugin.register({ registerTool: () => {} })).toThrow(
      'The tool "t" has neither execute nor factory. Add execute(params, config) { … }.',
    );
  });
});
