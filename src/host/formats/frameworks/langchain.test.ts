import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, exportAt } from "../../../../test/support/forms.ts";
import { readLangChainClass, readLangChainTool } from "./langchain.ts";

const base = { name: "add", description: "Adds", schema: z.object({ a: z.string().transform(Number) }) };

/** A message in the format of LangChain. */
const message = (content: unknown, more: object = {}): object => ({ content, tool_call_id: "c1", ...more });

async function answered(returned: unknown): Promise<unknown> {
  return (await readLangChainTool({ ...base, invoke: () => returned }, exportAt())).run({}, callContext());
}

describe("tools of LangChain", () => {
  it("[A13] are named by their name, and get the unparsed input", async () => {
    const tool = await readLangChainTool({ ...base, invoke: (input) => input }, exportAt());
    expect(tool).toMatchObject({ name: "add", description: "Adds", origin: { format: "langchain" } });
    expect(await tool.input.check({ a: "1" })).toEqual({ ok: true, value: { a: "1" } });
  });

  it("[P2] with a JSON Schema get its defaults", async () => {
    const schema = { type: "object", properties: { a: { type: "number", default: 2 } } };
    const tool = await readLangChainTool({ ...base, schema, invoke: () => 1 }, exportAt());
    expect(await tool.input.check({})).toEqual({ ok: true, value: { a: 2 } });
  });

  it("[A13] receive the config of the call, and show progress", async () => {
    const context = callContext();
    const given: { writer(chunk: unknown): void; callbacks: { handleToolEvent(chunk: unknown): void }[] }[] = [];
    const tool = await readLangChainTool({ ...base, invoke: (_, config) => given.push(config as never) }, exportAt());
    await tool.run({ a: "1" }, context);
    expect(given[0]).toMatchObject({
      signal: context.author.abort,
      configurable: { thread_id: "s1", directory: "/p/app" },
      toolCall: { type: "tool_call", id: "c1", name: "add", args: { a: "1" } },
    });
    given[0]?.writer("one");
    given[0]?.callbacks[0]?.handleToolEvent("two");
    expect(context.shown).toEqual(["one", "two"]);
  });

  it.each([
    ["plain", "plain"],
    [message("text"), { content: [{ type: "text", text: "text" }], isError: false }],
    [message("bad", { status: "error" }), { content: [{ type: "text", text: "bad" }], isError: true }],
    [
      message("x", { artifact: { k: 1 } }),
      { content: [{ type: "text", text: "x" }], details: { k: 1 }, isError: false },
    ],
  ])("[A13] return %o", async (returned, expected) => {
    expect(await answered(returned)).toEqual(expected);
  });

  it.each([
    [
      { type: "text", text: "x" },
      { type: "text", text: "x" },
    ],
    [
      { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
      { type: "file", url: "data:image/png;base64,AA" },
    ],
    [
      { type: "image_url", image_url: "https://x/y" },
      { type: "file", mimeType: "image/*", url: "https://x/y" },
    ],
    [
      { type: "image", source_type: "base64", mime_type: "image/png", data: "AA" },
      { type: "file", mimeType: "image/png", data: "AA" },
    ],
    [
      { type: "file", mimeType: "application/pdf", data: "AA" },
      { type: "file", mimeType: "application/pdf", data: "AA" },
    ],
    [
      { type: "image", url: "https://x/y" },
      { type: "file", mimeType: "image/*", url: "https://x/y" },
    ],
  ])("[P9] with the block %o", async (block, part) => {
    expect(await answered(message([block]))).toEqual({ content: [part], isError: false });
  });
});

describe("classes of LangChain", () => {
  class Shout {
    name = "shout";
    schema = z.object({});
    invoke(): string {
      return "HEY";
    }
  }

  it("[A13] are instantiated", async () => {
    const tool = await readLangChainClass(Shout, exportAt());
    expect([tool.name, await tool.run({}, callContext())]).toEqual(["shout", "HEY"]);
  });

  it("[D5] whose constructor takes arguments or fails are reported with what to do", async () => {
    class Keyed extends Shout {
      key: string;
      constructor(key: string) {
        super();
        this.key = key;
      }
    }
    class Broken extends Shout {
      constructor() {
        super();
        throw new Error("no key");
      }
    }
    await expect(readLangChainClass(Keyed as never, exportAt())).rejects.toMatchObject({
      code: "bad_definition",
      message: '"lint" is a class whose constructor takes arguments. Export an instance: export default new Keyed(…).',
    });
    await expect(readLangChainClass(Broken, exportAt())).rejects.toMatchObject({
      code: "init_failed",
      message: 'The constructor of "lint" failed: no key',
    });
  });
});
