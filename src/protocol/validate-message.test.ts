import { describe, expect, it } from "vitest";
import { InvalidMessage, validateMessage } from "./validate-message.ts";

const line = (message: unknown): string => JSON.stringify(message);
const result = (fields: object): string => line({ type: "result", id: 1, result: fields });
const update = (fields: unknown): string => line({ type: "update", id: 1, update: fields });
const need = (what: unknown): string => line({ type: "need", id: 1, need: 1, what });
const act = (action: unknown): string => line({ type: "act", sessionID: "default", action });
const response = (answer: unknown): string => line({ type: "response", id: 1, answer });
const text = [{ type: "text", text: "x" }];

describe("validateMessage", () => {
  it.each([
    ["a list", line([]), "it sent an invalid message (not an object)"],
    ["no type", line({}), "it sent an invalid message (unknown type undefined)"],
    [
      "a type of every object",
      line({ type: "constructor" }),
      'it sent an invalid message (unknown type "constructor")',
    ],
    [
      "a field that is not known",
      line({ type: "pong", x: 1 }),
      'it sent an invalid message ("pong": unknown field "x")',
    ],
    ["a prototype", '{"type":"pong","__proto__":{}}', 'it sent an invalid message ("pong": unknown field "__proto__")'],
    ["last words without a reason", line({ type: "ending", begun: [] }), '"ending": "reason"'],
    ["manifests that are none", line({ type: "loaded", load: 1, manifests: [null] }), '"loaded": "manifests"'],
    ["a change of nothing", line({ type: "changed" }), '"changed": "manifest"'],
    ["imports that are none", line({ type: "depends", file: "x", imports: 5 }), '"depends": "imports"'],
    ["a result without content", result({ ok: true }), '"result": "result"'],
    ["a result that is neither", result({ content: [] }), '"result": "result"'],
    ["content of an unknown type", result({ ok: true, content: [{ type: "video", data: "" }] }), '"result": "result"'],
    [
      "a picture without data",
      result({ ok: true, content: [{ type: "image", mimeType: "image/png" }] }),
      '"result": "result"',
    ],
    ["content with more in it", result({ ok: true, content: [{ ...text[0], more: 1 }] }), '"result": "result"'],
    ["an error code that is none", result({ ok: false, code: "oops", message: "", content: [] }), '"result": "result"'],
    [
      "sizes below zero",
      result({ ok: true, content: [], truncated: { keptBytes: -1, totalBytes: 1, omittedLines: 0 } }),
      '"result": "result"',
    ],
    [
      "a number beyond all",
      result({ ok: true, content: [], data: 0 }).replace('"data":0', '"data":1e999'),
      '"result": "result"',
    ],
    ["an id that is none", line({ type: "started", id: -1 }), '"started": "id"'],
    ["progress that is none", update({ metadata: [] }), '"update": "update"'],
    ["progress with a result", update({ result: 1 }), '"update": "update"'],
    [
      "progress without a bottom",
      update({ metadata: "DEEP" }).replace('"DEEP"', "[".repeat(100_000) + "]".repeat(100_000)),
      '"update": "update"',
    ],
    ["a need of an unknown kind", need({ kind: "money" }), '"need": "what"'],
    [
      "a question with patterns that are none",
      need({ kind: "ask", request: { permission: "x", patterns: "y" } }),
      '"need": "what"',
    ],
    ["access of an unknown kind", need({ kind: "permit", access: { kind: "steal", target: "/" } }), '"need": "what"'],
    ["a call of the user interface without a method", line({ type: "ui", ui: 1 }), '"ui": "request"'],
    ["an act that is none", act({ type: "active-tools", names: 5 }), '"act": "action"'],
    ["an act of an unknown type", act({ type: "explode" }), '"act": "action"'],
    ["fewer than no previews", line({ type: "pending", sessionID: "default", count: -1 }), '"pending": "count"'],
    ["an answer of an unknown kind", response({ kind: "died", reason: "x" }), '"response": "answer"'],
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
    ["a value that is taken away", need({ kind: "set", key: "k" })],
    ["a message without options", act({ type: "message", message: { content: "x" } })],
    ["an answer", response({ kind: "prepared", access: ["undeclared", { kind: "read", target: "/x" }] })],
    [
      "a call of the user interface outside a call",
      line({ type: "ui", ui: 1, request: { method: "notify", args: [] } }),
    ],
  ])("takes %s", (_, json) => {
    expect(validateMessage(JSON.parse(json))).toEqual(JSON.parse(json));
  });
});
