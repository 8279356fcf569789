import { describe, expect, it } from "vitest";
import { ToolError } from "../../core/error.ts";
import { shape } from "./shape-result.ts";

const PNG = "iVBORw0KGgo=";

function refusal(returned: unknown): ToolError {
  try {
    shape(returned);
  } catch (error) {
    if (ToolError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function text(words: string): unknown {
  return { content: [{ type: "text", text: words }], isError: false };
}

describe("[A4] values that are not result objects", () => {
  it.each<[string, unknown, unknown]>([
    ["a string", "hello", text("hello")],
    ["an empty string", "", { content: [], isError: false }],
    ["undefined", undefined, { content: [], isError: false }],
    ["null", null, text("null")],
    ["a number", 4.5, text("4.5")],
    ["a boolean", false, text("false")],
    ["an array", [1, { a: "b" }], text('[1,{"a":"b"}]')],
    ["an object", { a: 1, b: undefined, c: [true] }, text('{"a":1,"c":[true]}')],
    ["a date", { at: new Date(0) }, text('{"at":"1970-01-01T00:00:00.000Z"}')],
    ["an object whose output is no string", { output: 3 }, text('{"output":3}')],
    ["an object with a list called content", { content: ["a"], page: 2 }, text('{"content":["a"],"page":2}')],
    ["an object with a text called content", { content: "a" }, text('{"content":"a"}')],
    ["half a surrogate pair", "a\ud83d", text("a\ufffd")],
  ])("[A4] %s", (_, returned, shaped) => {
    expect(shape(returned)).toEqual(shaped);
  });
});

describe("[A4] { title?, output, metadata?, attachments? }", () => {
  it("[A4] uses every field", () => {
    const at = new Date(0);
    const attachments = [{ type: "file", mime: "image/png", url: `data:image/png;base64,${PNG}`, filename: "a.png" }];
    expect(shape({ title: "Done", output: "text", metadata: { at, skip: undefined }, attachments })).toEqual({
      title: "Done",
      content: [
        { type: "text", text: "text" },
        { type: "image", data: PNG, mimeType: "image/png" },
      ],
      data: { at: "1970-01-01T00:00:00.000Z" },
      isError: false,
    });
  });

  it("[A4] needs only output", () => {
    expect(shape({ output: "x" })).toEqual(text("x"));
    expect(shape({ output: "x", title: 3, metadata: null, attachments: null })).toEqual(text("x"));
  });

  it("[P9] makes no text part for an empty output", () => {
    const attachments = [{ type: "file", mime: "text/csv", url: "file:///tmp/a.csv", filename: "a.csv" }];
    expect(shape({ output: "", attachments }).content).toEqual([
      { type: "file", mimeType: "text/csv", name: "a.csv", url: "file:///tmp/a.csv" },
    ]);
  });
});

describe("[A4] { content, details?, isError? }", () => {
  it("[A4] uses parts, details and isError", () => {
    const content = [
      { type: "text", text: "one" },
      { type: "text", text: "two\ud83d" },
      { type: "image", data: PNG, mimeType: "image/png" },
    ];
    expect(shape({ content, details: { n: 1 }, isError: true })).toEqual({
      content: [{ type: "text", text: "one" }, { type: "text", text: "two\ufffd" }, content[2]],
      data: { n: 1 },
      isError: true,
    });
  });

  it("[A4] structured content of MCP becomes data; only isError: true is an error", () => {
    expect(shape({ content: [], structuredContent: { n: 1 }, isError: "no" })).toEqual({
      content: [],
      data: { n: 1 },
      isError: false,
    });
  });

  it.each<[string, unknown, unknown]>([
    [
      "audio",
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "file", data: "AA==", mimeType: "audio/wav" },
    ],
    [
      "an embedded text",
      { type: "resource", resource: { uri: "file:///a.md", mimeType: "text/markdown", text: "# a" } },
      { type: "text", text: "# a" },
    ],
    [
      "an embedded image",
      { type: "resource", resource: { uri: "x://a", mimeType: "image/png", blob: PNG } },
      { type: "image", data: PNG, mimeType: "image/png" },
    ],
    [
      "an embedded file",
      { type: "resource", resource: { uri: "x://a", blob: "AA==" } },
      { type: "file", mimeType: "application/octet-stream", data: "AA==", url: "x://a" },
    ],
    [
      "a link",
      { type: "resource_link", uri: "file:///a.png", name: "a.png", mimeType: "image/png" },
      { type: "file", mimeType: "image/png", name: "a.png", url: "file:///a.png" },
    ],
    [
      "a path",
      { type: "file", mime: "application/pdf", url: "/tmp/a.pdf" },
      { type: "file", mimeType: "application/pdf", url: "/tmp/a.pdf" },
    ],
    [
      "a data address that is not base64",
      { type: "file", url: "data:text/csv;charset=utf-8,a%2Cb" },
      { type: "file", mimeType: "text/csv", data: "YSxi" },
    ],
    [
      "our own form",
      { type: "file", mimeType: "text/csv", data: "YSxi", name: "a.csv" },
      { type: "file", mimeType: "text/csv", data: "YSxi", name: "a.csv" },
    ],
    [
      "bytes",
      { type: "image", data: Uint8Array.of(0), mimeType: "image/png" },
      { type: "image", data: "AA==", mimeType: "image/png" },
    ],
  ])("[P9] %s", (_, part, expected) => {
    expect(shape({ content: [part] }).content).toEqual([expected]);
  });

  it.each<[string, unknown, string]>([
    ["text without text", { type: "text" }, '{"type":"text"}'],
    ["an image without data", { type: "image", mimeType: "image/png" }, '{"type":"image","mimeType":"image/png"}'],
    ["an unknown kind", { type: "video", id: 7 }, '{"type":"video","id":7}'],
    ["a resource of nothing", { type: "resource", resource: null }, '{"type":"resource","resource":null}'],
    ["a string", "loose", '"loose"'],
    ["null", null, "null"],
  ])("[A4] a malformed part becomes its JSON: %s", (_, part, json) => {
    const content = [{ type: "text", text: "before" }, part];
    expect(shape({ content }).content).toEqual([
      { type: "text", text: "before" },
      { type: "text", text: json },
    ]);
  });
});

describe("[A4] values that cannot be JSON are invalid_output", () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const advice = "It should return a string, or plain JSON data (a BigInt as a string, no circular references).";

  it.each<[string, unknown, string]>([
    ["a BigInt", 1n, "Do not know how to serialize a BigInt"],
    ["a BigInt in metadata", { output: "x", metadata: { n: 1n } }, "Do not know how to serialize a BigInt"],
    ["a circle", circular, "Converting circular structure to JSON"],
    ["a circle in details", { content: [], details: circular }, "Converting circular structure to JSON"],
    ["a function", () => 1, "a function has no JSON form"],
  ])("[A4] %s", (_, returned, reason) => {
    const error = refusal(returned);
    expect(error.code).toBe("invalid_output");
    expect(error.message).toBe(`The tool's result cannot be written as JSON: ${reason}. ${advice}`);
  });

  const hostile = (): never => {
    throw {
      get message(): never {
        throw new Error("twice");
      },
    };
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  it.each<[string, unknown]>([
    ["a getter that throws", Object.defineProperty({}, "output", { enumerable: true, get: () => hostile() })],
    ["a part whose getter throws", { content: [Object.defineProperty({ type: "text" }, "text", { get: hostile })] }],
    ["toJSON that throws", { toJSON: hostile }],
    ["a revoked proxy", revoked.proxy],
    ["a proxy whose traps throw", new Proxy({}, { get: hostile, has: hostile })],
  ])("[A4] %s", (_, returned) => {
    expect(refusal(returned).code).toBe("invalid_output");
  });

  it("[X1] a result cannot pollute prototypes", () => {
    const shaped = shape({ output: "x", metadata: JSON.parse('{"__proto__":{"polluted":true}}') });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(shaped.data)).toBe(Object.prototype);
  });
});
