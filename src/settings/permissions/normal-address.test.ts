import { describe, expect, it } from "vitest";
import { decide } from "./decide.ts";
import { normalAddress } from "./normal-address.ts";

describe("[P3] [X1] each URL has one normal spelling", () => {
  it.each([
    ["HTTPS://User:Word@Example.com:443/a/../b", "https://example.com/b"],
    ["https://example.com./a", "https://example.com/a"],
    ["https://example.com/%61dmin/%7eme?q=%2f", "https://example.com/admin/~me?q=%2F"],
    ["https://münchen.de/ä", "https://xn--mnchen-3ya.de/%C3%A4"],
    ["http://[::1]:80/", "http://[::1]/"],
    ["http://127.1:8080/", "http://127.0.0.1:8080/"],
    ["no address", "no address"],
  ])("%s", (address, normal) => {
    expect(normalAddress(address)).toBe(normal);
  });

  it.each([
    ["https://evil.test/*", "https://evil.test./x"],
    ["https://evil.test./*", "https://evil.test/x"],
    ["https://evil.test:443/*", "https://evil.test/x"],
    ["http://evil.test:80/*", "http://evil.test/x"],
    ["https://evil.test/admin*", "https://evil.test/%61dmin"],
    ["https://evil.test/%61dmin*", "https://evil.test/admin"],
    ["https://evil.test/%c3%a4*", "https://evil.test/ä"],
    ["https://evil.test/ä*", "https://evil.test/%c3%a4"],
    ["https://*.münchen.de/*", "https://www.münchen.de/x"],
    ["https://münchen.de", "https://xn--mnchen-3ya.de/"],
  ])("so the rule %s applies to %s", (match, target) => {
    const user = { rules: [{ tool: "*", match, action: "deny" as const }], mode: "bypass" as const };
    const access = [{ kind: "network" as const, target }];
    expect(decide({ user, tool: "t", agent: "", access, root: "/work/app" }).action).toBe("deny");
  });
});
