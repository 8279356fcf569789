import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../core/session-store.ts";
import { encodeEvents, toStoredEvent } from "./encode-event.ts";
import { checkSessionID } from "./session-checks.ts";

const CALL = { callID: "c", tool: "hello", messageID: "m", agent: "a" };

describe("checkSessionID", () => {
  it.each(["a", "a b/c", "ü😀", "../x", "x".repeat(200), "__proto__"])("accepts %j", (id) => {
    expect(() => checkSessionID(id)).not.toThrow();
  });

  it.each([undefined, null, 7, "", "x".repeat(201), "a\nb", "a\0", "\x7f", "\ud83d"])("refuses %j", (id) => {
    expect(() => checkSessionID(id)).toThrow(
      "The id of a session must be a string of 1 to 200 characters, without control characters.",
    );
  });
});

describe("encodeEvents", () => {
  it("keeps half characters, keys named __proto__ and unknown fields, and copies", () => {
    const input = JSON.parse('{"__proto__":{"a":1},"half":"\\ud83d","left out":null}') as Record<string, unknown>;
    const event = { type: "tool.start", ...CALL, input, added: undefined, more: 1 } as NewEvent;
    const [encoded] = encodeEvents([event], 5);
    input.half = "changed";
    const expected = JSON.parse(
      '{"type":"tool.start","callID":"c","tool":"hello","messageID":"m","agent":"a","input":{"__proto__":{"a":1},"half":"\\ud83d","left out":null},"more":1}',
    ) as object;
    expect(encoded).toEqual({ event: expected, json: JSON.stringify(expected), at: 5, bytes: encoded?.json.length });
  });

  it("ignores the position and version of the caller, and keeps its time", () => {
    const [encoded] = encodeEvents([{ type: "usage", position: 99, v: 99, at: 7 } as NewEvent], 5);
    expect(encoded).toMatchObject({ json: '{"type":"usage"}', at: 7 });
    expect(toStoredEvent({ type: "usage" }, 3, 7)).toEqual({ type: "usage", position: 3, at: 7, v: 1 });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const deep = JSON.parse(`${"[".repeat(501)}${"]".repeat(501)}`) as unknown;
  const types =
    "session.start, message.user, message.complete, tool.start, tool.complete, tool.failed, question.asked, question.answered, cancel.requested, state.set, entry.added, usage, session.idle, session.error, session.interrupted";
  it.each<[unknown, string]>([
    [null, 'An event must be an object with a "type".'],
    ["usage", 'An event must be an object with a "type".'],
    [[], 'An event must be an object with a "type".'],
    [{}, 'An event must be an object with a "type".'],
    [{ type: "usages" }, `There is no event type "usages". Types: ${types}.`],
    [{ type: "__proto__" }, `There is no event type "__proto__". Types: ${types}.`],
    [{ type: "message.delta" }, "A message.delta event is not stored. Pass it to publish()."],
    [{ type: "session.partial" }, "A session.partial event is not stored. Pass it to publish()."],
    [{ type: "session.start", directory: "/" }, "A session.start event is written by create(), and only there."],
    [{ type: "tool.start", ...CALL, callID: 7 }, '"callID" of a tool.start event must be a string.'],
    [{ type: "tool.complete", ...CALL }, '"result" of a tool.complete event must be an object.'],
    [
      { type: "message.user", messageID: "m", content: [null] },
      '"content" of a message.user event must be a list of objects.',
    ],
    [{ type: "question.answered", questionID: "q" }, '"allowed" of a question.answered event must be a boolean.'],
    [
      { type: "session.interrupted", reason: "", calls: [1], questions: [] },
      '"calls" of a session.interrupted event must be a list of strings.',
    ],
    [{ type: "usage", at: "now" }, '"at" of a usage event must be milliseconds since the epoch.'],
    [{ type: "usage", at: Number.NaN }, '"at" of a usage event must be milliseconds since the epoch.'],
    [{ type: "usage", at: -1 }, '"at" of a usage event must be milliseconds since the epoch.'],
    [{ type: "usage", more: Number.NaN }, "The event cannot be stored as JSON: NaN is not plain data."],
    [
      { type: "usage", more: Symbol.iterator },
      "The event cannot be stored as JSON: Symbol(Symbol.iterator) is not plain data.",
    ],
    [{ type: "usage", more: new Date(0) }, "The event cannot be stored as JSON: An object is not plain data."],
    [{ type: "usage", more: new Map() }, "The event cannot be stored as JSON: An object is not plain data."],
    [{ type: "usage", more: cyclic }, "The event cannot be stored as JSON: It contains itself."],
    [
      { type: "usage", more: deep },
      "The event cannot be stored as JSON: Data that is nested more than 500 levels deep cannot be sent. Make it flatter.",
    ],
  ])("refuses an event: %s → %s", (event, message) => {
    expect(() => encodeEvents([event as NewEvent], 5)).toThrow(
      expect.objectContaining({ code: "invalid_event", message }),
    );
  });

  it("refuses an event that cannot be read", () => {
    const event = Object.defineProperty({}, "type", {
      enumerable: true,
      get: () => {
        throw new Error("boom");
      },
    });
    const message = "The event cannot be stored as JSON: boom";
    expect(() => encodeEvents([event as NewEvent], 5)).toThrow(
      expect.objectContaining({ code: "invalid_event", message }),
    );
  });

  it("refuses an event of more than 16 MB", () => {
    expect(() => encodeEvents([{ type: "session.idle", text: "ü".repeat(8_000_000) }], 5)).toThrow(
      expect.objectContaining({
        code: "too_large",
        message:
          "A session.idle event has 16.0 MB; an event of a session may have 16 MB. Store large data in a file, and its path in the event.",
      }),
    );
  });
});
