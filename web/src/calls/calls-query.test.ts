import { expect, test } from "vitest";
import type { ApiCall, ApiCalls } from "../../../src/core/api-page.ts";
import { callerText, filtersOf, toAddress, toApiQuery, withFirstPage } from "./calls-query.ts";

function call(id: number): ApiCall {
  return { callID: `c${id}`, tool: "a", sessionID: "s", agent: "", at: id, durationMs: 1, ok: true, input: {} };
}

function page(ids: readonly number[], next?: string): ApiCalls {
  return { calls: ids.map(call), ...(next === undefined ? {} : { next }) };
}

test("[U4] filters come from the address and go back to it", () => {
  const query = new URLSearchParams("range=7d&outcome=failed&tool=a%20b&session=s&agent=build&caller=cli");
  const filters = filtersOf(query);
  const expected = { outcome: "failed", tool: "a b", agent: "build", caller: "cli" };
  expect(filters).toEqual({ ...expected, range: "7d", session: "s" });
  expect(toAddress(filters)).toEqual({ ...expected, range: "7d", session: "s" });
  expect(toApiQuery(filters, 0)).toEqual({ ...expected, since: -604_800_000, sessionID: "s" });
});

test("[U4] unknown values of the address are ignored", () => {
  const filters = filtersOf(new URLSearchParams("range=1y&outcome=maybe&tool=&caller=robot"));
  const none = { outcome: undefined, tool: undefined, agent: undefined, caller: undefined, session: undefined };
  expect(filters).toEqual({ range: "24h", ...none });
  expect(toAddress(filters)).toEqual({});
  expect(toApiQuery(filters, 86_400_000 + 61_000)).toEqual({ since: 60_000 });
});

test.each([
  [{ caller: "page", agent: "" }, "page"],
  [{ caller: "mcp", agent: "some-editor" }, "some-editor (mcp)"],
  [{ caller: "agent", agent: "demo" }, "demo"],
  [{ agent: "demo" }, "demo"],
  [{ agent: "" }, ""],
] as const)("[U4] the caller %j is shown as %s", (call, text) => {
  expect(callerText(call)).toBe(text);
});

test.each<[title: string, known: ApiCalls, first: ApiCalls, expected: ApiCalls]>([
  ["nothing was loaded", page([]), page([3, 2], "p"), page([3, 2], "p")],
  ["no new call", page([3, 2], "p"), page([3, 2], "p"), page([3, 2], "p")],
  ["a new call", page([3, 2], "p2"), page([4, 3], "p3"), page([4, 3, 2], "p2")],
  ["a new call, after more was loaded", page([5, 4, 3, 2], "p2"), page([6, 5], "p5"), page([6, 5, 4, 3, 2], "p2")],
  ["all was loaded", page([3, 2, 1]), page([4, 3], "p3"), page([4, 3, 2, 1])],
  ["more new calls than a page has", page([3, 2, 1]), page([9, 8], "p8"), page([9, 8], "p8")],
  ["the first page has all", page([2, 1]), page([3, 2, 1]), page([3, 2, 1])],
])("[U4] the first page is read again: %s", (_, known, first, expected) => {
  expect(withFirstPage(known, first)).toEqual(expected);
});
