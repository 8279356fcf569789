import { describe, expect, it } from "vitest";
import { InvalidMessage, validateMessage } from "./validate-message.ts";

const line = (message: unknown): string => JSON.stringify(message);
const result = (fields: object): string => line({ type: "result", id: 1, result: fields });
const update = (fields: unknown): string => line({ type: "update", id: 1, update: fields });
const request = (request: unknown): string => line({ type: "request", id: 1, requestID: 1, request });
const sessionAction = (action: unknown): string => line({ type: "session-action", sessionID: "default", action });
const answer = (answer: unknown): string => line({ type: "answer", id: 1, answer });
const view = (view: unknown): string =>
  line({ type: "ui-request", requestID: 1, request: { method: "custom", args: [], dialogID: "d", view } });
const manifest = (fields: object): string =>
  line({ type: "loaded", load: 1, manifests: [{ file: "/x", tools: [], problems: [], imports: [], ...fields }] });
const LONG = "x".repeat(20_001);
const text = [{ type: "text", text: "x" }];

describe("validateMessage", () => {
  it.each([
    ["a list", line([]), "it sent an invalid message (not an object)"],
    ["no type", line({}), "it sent an invalid message (unknown type undefined)"],
    [
      "a type that is a property of every object",
      line({ type: "constructor" }),
      'it sent an invalid message (unknown type "constructor")',
    ],
    ["an unknown field", line({ type: "pong", x: 1 }), 'it sent an invalid message ("pong": unknown field "x")'],
    [
      "the field __proto__",
      '{"type":"pong","__proto__":{}}',
      'it sent an invalid message ("pong": unknown field "__proto__")',
    ],
    ["an ending message without a reason", line({ type: "ending", started: [] }), '"ending": "reason"'],
    ["invalid manifests", line({ type: "loaded", load: 1, manifests: [null] }), '"loaded": "manifests"'],
    ["a change without a manifest", line({ type: "manifest-changed" }), '"manifest-changed": "manifest"'],
    ["invalid imports", line({ type: "imports-changed", file: "x", imports: 5 }), '"imports-changed": "imports"'],
    ["a result without content", result({ ok: true }), '"result": "result"'],
    ["a result that is neither success nor failure", result({ content: [] }), '"result": "result"'],
    ["content of an unknown type", result({ ok: true, content: [{ type: "video", data: "" }] }), '"result": "result"'],
    [
      "an image without data",
      result({ ok: true, content: [{ type: "image", mimeType: "image/png" }] }),
      '"result": "result"',
    ],
    ["content with an unknown field", result({ ok: true, content: [{ ...text[0], more: 1 }] }), '"result": "result"'],
    ["an unknown error code", result({ ok: false, code: "oops", message: "", content: [] }), '"result": "result"'],
    [
      "negative sizes",
      result({ ok: true, content: [], truncated: { keptBytes: -1, totalBytes: 1, omittedLines: 0 } }),
      '"result": "result"',
    ],
    [
      "an infinite number",
      result({ ok: true, content: [], data: 0 }).replace('"data":0', '"data":1e999'),
      '"result": "result"',
    ],
    ["an invalid id", line({ type: "started", id: -1 }), '"started": "id"'],
    ["invalid progress", update({ metadata: [] }), '"update": "update"'],
    ["progress with a result", update({ result: 1 }), '"update": "update"'],
    [
      "progress that is nested too deeply",
      update({ metadata: "DEEP" }).replace('"DEEP"', "[".repeat(100_000) + "]".repeat(100_000)),
      '"update": "update"',
    ],
    ["a request of an unknown kind", request({ kind: "money" }), '"request": "request"'],
    ["a call of a tool without a name", request({ kind: "call", input: {} }), '"request": "request"'],
    [
      "a call of a tool with a further field",
      request({ kind: "call", tool: "bash", input: {}, agent: "root" }),
      '"request": "request"',
    ],
    ["a cancellation of no request", line({ type: "cancel-request", id: 1 }), '"cancel-request": "requestID"'],
    [
      "a question with invalid patterns",
      request({ kind: "ask", request: { permission: "x", patterns: "y" } }),
      '"request": "request"',
    ],
    [
      "access of an unknown kind",
      request({ kind: "permit", access: { kind: "steal", target: "/" } }),
      '"request": "request"',
    ],
    [
      "a call of the user interface without a method",
      line({ type: "ui-request", requestID: 1 }),
      '"ui-request": "request"',
    ],
    ["a component of an unknown kind", view({ kind: "steal" }), '"ui-request": "request"'],
    ["a component without overlay", view({ kind: "open", title: "x" }), '"ui-request": "request"'],
    ["a component with a long title", view({ kind: "open", overlay: true, title: LONG }), '"ui-request": "request"'],
    ["a drawing of no lines", view({ kind: "next", drawn: { id: 1, lines: [1] } }), '"ui-request": "request"'],
    ["a drawing without an id", view({ kind: "next", drawn: { lines: [] } }), '"ui-request": "request"'],
    [
      "a drawing of too many lines",
      view({ kind: "next", drawn: { id: 1, lines: Array(2_001).fill("") } }),
      '"ui-request": "request"',
    ],
    ["a drawing with a long line", view({ kind: "next", drawn: { id: 1, lines: [LONG] } }), '"ui-request": "request"'],
    [
      "a drawing with too much text",
      view({ kind: "next", drawn: { id: 1, lines: Array(401).fill("x".repeat(1_000)) } }),
      '"ui-request": "request"',
    ],
    [
      "a rendered tool with too many lines",
      answer({ kind: "rendered", lines: Array(2_001).fill("") }),
      '"answer": "answer"',
    ],
    ["a command with a hostile name", manifest({ commands: [{ name: "a\x1b[2J" }] }), '"loaded": "manifests"'],
    [
      "a command with a long description",
      manifest({ commands: [{ name: "a", description: LONG }] }),
      '"loaded": "manifests"',
    ],
    ["a command with a further field", manifest({ commands: [{ name: "a", file: "/x" }] }), '"loaded": "manifests"'],
    ["an invalid session action", sessionAction({ type: "active-tools", names: 5 }), '"session-action": "action"'],
    ["a session action of an unknown type", sessionAction({ type: "explode" }), '"session-action": "action"'],
    [
      "a negative number of previews",
      line({ type: "previews", sessionID: "default", count: -1 }),
      '"previews": "count"',
    ],
    ["an answer of an unknown kind", answer({ kind: "died", reason: "x" }), '"answer": "answer"'],
  ])("[P5] refuses %s", (_, json, why) => {
    const said = /: "[^"]*"$/.test(why) ? `${why} is not valid` : why;
    const message = said.startsWith("it ") ? said : `it sent an invalid message (${said})`;
    expect(() => validateMessage(JSON.parse(json))).toThrow(InvalidMessage);
    expect(() => validateMessage(JSON.parse(json))).toThrow(message);
  });

  it.each([
    ["a result", result({ ok: true, content: text, data: [1, null, "x"], title: "t" })],
    ["a failure", result({ ok: false, code: "failed", message: "m", content: [] })],
    ["progress", update({ title: "t", metadata: { output: "x" } })],
    ["the removal of a value", request({ kind: "set", key: "k" })],
    ["a message without options", sessionAction({ type: "message", message: { content: "x" } })],
    ["an answer", answer({ kind: "prepared", access: ["undeclared", { kind: "read", target: "/x" }] })],
    ["a component", view({ kind: "open", overlay: false, title: "t" })],
    ["a drawing", view({ kind: "next", drawn: { id: 1, lines: ["\x1b[31ma"] } })],
    ["commands", manifest({ commands: [{ name: "plan:run", description: "Runs" }, { name: "größe" }] })],
    [
      "a call of the user interface outside a call",
      line({ type: "ui-request", requestID: 1, request: { method: "notify", args: [] } }),
    ],
  ])("accepts %s", (_, json) => {
    expect(validateMessage(JSON.parse(json))).toEqual(JSON.parse(json));
  });
});
