import { expect, it } from "vitest";
import { parseRoute, pathTo } from "./router.ts";

it.each([
  ["/", "tools", undefined],
  ["/tools", "tools", undefined],
  ["/tools/", "tools", undefined],
  ["/tools/hello", "tools", "hello"],
  ["/tools/a%2Fb%20c", "tools", "a/b c"],
  ["/tools/%E0%A4%A", "tools", "%E0%A4%A"],
  ["/tools/a/b", undefined, "a"],
  ["/sessions/ses_1?at=5", "sessions", "ses_1"],
  ["/nothing", undefined, undefined],
  ["/__proto__", undefined, undefined],
  ["/Tools", undefined, undefined],
])("reads the address %s", (address, view, id) => {
  expect(parseRoute(address)).toMatchObject({ view, id });
});

it.each(["a", "a/b", "ü?x#y", "100%", "a b", "__proto__"])("writes and reads the name %j", (name) => {
  const address = pathTo("tools", name, { q: "x&y", none: undefined });
  const { view, id, query } = parseRoute(address);
  expect([view, id, query.get("q"), query.has("none")]).toEqual(["tools", name, "x&y", false]);
});
