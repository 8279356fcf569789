import { describe, expect, it } from "vitest";
import { looksSecret, withoutSecrets } from "./input-history.ts";

describe("remembered inputs", () => {
  it.each([
    "password",
    "Password",
    "dbPassword",
    "passwd",
    "token",
    "GITHUB_TOKEN",
    "accessToken",
    "api_key",
    "apiKey",
    "clientSecret",
    "private-key",
    "Authorization",
    "cookie",
    "credentials",
    "otp",
  ])("leave out %s", (name) => expect(looksSecret(name)).toBe(true));

  it.each(["name", "path", "pattern", "compass", "key", "monkey", "author", "pinned", "passenger"])("keep %s", (name) =>
    expect(looksSecret(name)).toBe(false),
  );

  it("leave them out at any depth", () => {
    const input = { a: 1, token: "x", nested: [{ password: "y", b: { apiKey: "z", c: 2 } }] };
    expect(withoutSecrets(input)).toEqual({ a: 1, nested: [{ b: { c: 2 } }] });
  });
});
