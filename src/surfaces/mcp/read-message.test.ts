import { describe, expect, it } from "vitest";
import { readMessage } from "./read-message.ts";

describe("one line of a protocol", () => {
  it.each([
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: "a", method: "ping", params: {} },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
  ])("[M1] may hold %j", (message) => {
    expect(readMessage(JSON.stringify(message))).toEqual({ kind: "message", message });
  });

  it.each<[string, string | number | null, string]>([
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, '"id" must be a string or an integer.'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, '"id" must be a string or an integer.'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, '"id" must be a string or an integer.'],
    ['{"jsonrpc":"2.0","id":1}', 1, '"method" is missing.'],
    ['{"jsonrpc":"2.0","id":1,"result":5}', 1, '"method" is missing.'],
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":null}', 1, '"params" must be an object.'],
    ['{"jsonrpc":"1.0","id":1,"method":"x"}', null, 'A message is an object with "jsonrpc": "2.0".'],
  ])("[M1] [X1] may not hold %s", (line, id, reason) => {
    expect(readMessage(line)).toEqual({ kind: "bad", id, code: -32600, reason });
  });
});
