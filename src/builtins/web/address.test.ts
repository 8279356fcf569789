import { describe, expect, it } from "vitest";
import { parseAddress, parseLocation } from "./address.ts";

const messageOf = (work: () => unknown): string => {
  try {
    return `not refused: ${work()}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("an address", () => {
  it.each([
    [" https://Example.COM:443/a/../b?c=d#e \n", "https://example.com/b?c=d"],
    ["HTTP://example.com", "http://example.com/"],
    ["http:example.com", "http://example.com/"],
    ["https://example.com./x", "https://example.com/x"],
    ["http://localhost.:1/", "http://localhost:1/"],
    ["https://例え.jp/ü", "https://xn--r8jz45g.jp/%C3%BC"],
    ["http:\\\\example.com\\a", "http://example.com/a"],
  ])("[B8] [X1] is normalized: %s", (written, normal) => {
    expect(parseAddress(written).href).toBe(normal);
  });

  const control = "The address has a space or a control character in it. Write it percent-encoded: a space is %20.";
  it.each([
    ["example.com/a", "example.com/a has no scheme. Write the whole address: https://example.com/a"],
    ["//example.com", "//example.com has no scheme. Write the whole address: https://example.com"],
    ["localhost:80/a", "localhost:80/a has no scheme. Write the whole address: https://localhost:80/a"],
    [" ", "There is no address. Write it like https://example.com/page."],
    ["ftp://example.com", "ftp: addresses are not fetched. Only http: and https: are."],
    ["file:///etc/passwd", "file: addresses are not fetched. Only http: and https: are."],
    ["javascript:alert(1)", "javascript: addresses are not fetched. Only http: and https: are."],
    ["http://", "http:// is not an address. Write it like https://example.com/page."],
    ["http://a:99999/", "http://a:99999/ is not an address. Write it like https://example.com/page."],
    ["http://1.2.3.4.5/", "http://1.2.3.4.5/ is not an address. Write it like https://example.com/page."],
    ["http://a b/", control],
    ["http://a/\0", control],
    ["http://a/\r\nHost: b", control],
    [
      "http://user@example.com/a#b",
      "The address has a user name or a password in it, and those are never sent. Write it without: http://example.com/a",
    ],
  ])("[B8] [X1] is refused if it cannot be fetched: %j", (written, message) => {
    expect(messageOf(() => parseAddress(written))).toBe(message);
  });

  it("[B8] [X1] has a maximum length", () => {
    expect(messageOf(() => parseAddress(`http://a/${"x".repeat(100)}`, 50))).toBe(
      "The address has 109 characters, and at most 50 are sent. Shorten it.",
    );
    const shown = `${"x".repeat(200)}...`;
    expect(messageOf(() => parseAddress("x".repeat(1_000)))).toBe(
      `${shown} has no scheme. Write the whole address: https://${shown}`,
    );
  });
});

describe("the target of a redirect", () => {
  const from = new URL("https://example.com/a/b");

  it("[B8] is resolved against the address of the page", () => {
    expect(parseLocation("../c#d", from).href).toBe("https://example.com/c");
    expect(parseLocation("//other.example", from).href).toBe("https://other.example/");
    expect(parseLocation(Buffer.from("/é").toString("latin1"), from).href).toBe("https://example.com/%C3%A9");
    expect(parseLocation("/\u00e9", from).href).toBe("https://example.com/%C3%A9");
  });

  it("[B8] [X1] must be http or https, without a password", () => {
    expect(messageOf(() => parseLocation("gopher://x", from))).toBe(
      "https://example.com/a/b redirects to a gopher: address, which is not followed.",
    );
    expect(messageOf(() => parseLocation("https://a@b/", from))).toBe(
      "https://example.com/a/b redirects to an address with a user name or a password in it, which is not followed.",
    );
  });
});
