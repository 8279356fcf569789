import { describe, expect, it } from "vitest";
import { ToolError } from "../core/error.ts";
import { createMask } from "./mask.ts";

const mask = createMask({ values: ["hunter2!", "abc", "hunter2!longer"] });

describe("[P8] keys that look secret", () => {
  it.each([
    "password",
    "Password",
    "dbPassword",
    "PGPASSWORD",
    "MYSQL_PWD",
    "passwd",
    "passphrase",
    "secret",
    "client_secret",
    "clientSecret",
    "token",
    "accessToken",
    "GITHUB_TOKEN",
    "authtoken",
    "apiKey",
    "api_key",
    "API-KEY",
    "apikey",
    "X-API-Key",
    "OPENAI_API_KEY",
    "authorization",
    "Proxy-Authorization",
    "cookie",
    "set-cookie",
    "credentials",
    "privateKey",
    "private_key",
    "AWS_SECRET_ACCESS_KEY",
    "awsAccessKeyId",
    "_auth",
    "jwt",
    "tokens",
    "secrets",
    "passwordHash",
  ])("[P8] %s", (key) => {
    expect(mask({ [key]: "value", n: 1 })).toEqual({ [key]: "***", n: 1 });
  });

  it.each([
    "maxTokens",
    "max_tokens",
    "MAX_TOKENS",
    "tokenizer",
    "tokenize",
    "author",
    "secretary",
    "key",
    "keyboard",
    "pwd",
    "PWD",
    "sessionID",
    "path",
    "passenger",
    "monkey",
    "authMethod",
    "primary_key",
    "compass",
    "cookiecutter",
    "token_count",
  ])("[P8] not %s", (key) => {
    expect(mask({ [key]: "value" })).toEqual({ [key]: "value" });
  });

  it("[P8] numbers that count, and booleans, stay; a password may be a number", () => {
    const counts = { tokens: 500, maxTokens: 4096, token: 7, secretCount: 3, password: true, cookies: 2, secret: null };
    expect(mask(counts)).toEqual(counts);
    expect(mask({ password: 123456, dbSecret: 42n })).toEqual({ password: "***", dbSecret: "***" });
  });

  it("[P8] everything below such a key goes", () => {
    expect(mask({ credentials: { user: "u", list: ["a", { deep: "b" }], n: 1 } })).toEqual({
      credentials: { user: "***", list: ["***", { deep: "***" }], n: 1 },
    });
  });
});

describe("[P8] secrets in text", () => {
  it.each([
    ["psql --pw hunter2! -c x", "psql --pw *** -c x"],
    ["hunter2!longer and hunter2!", "*** and ***"],
    ["a value shorter than four characters stays: abc", "a value shorter than four characters stays: abc"],
    ["in an address: x?q=hunter2!&b", "in an address: x?q=***&b"],
    ["https://user:pa@ss@host/path?a@b", "https://***@host/path?a@b"],
    ["https://ghp_123@github.com/a", "https://***@github.com/a"],
    ["postgres://u:p@localhost:5432/db and https://x.y/z@1", "postgres://***@localhost:5432/db and https://x.y/z@1"],
    ["Authorization: Bearer abc.def-ghi", "Authorization: Bearer ***"],
    ["authorization: basic dXNlcjpwYXNz", "authorization: basic ***"],
    ["basic usage", "basic usage"],
    ["curl 'https://x.y/?api_key=123&page=2'", "curl 'https://x.y/?api_key=***&page=2'"],
    ["PGPASSWORD=abc LANG=C psql --token='a b' x=1", "PGPASSWORD=*** LANG=C psql --token=*** x=1"],
    ["login --password hunter3 --user me --token 'a b'", "login --password *** --user me --token ***"],
    ["login --token --user me", "login --token --user me"],
    [
      "curl -H 'X-Api-Key: abc' -H 'Cookie: a=b; c=d' -H 'Accept: x'",
      "curl -H 'X-Api-Key: ***' -H 'Cookie: ***' -H 'Accept: x'",
    ],
    ["authorization: token abc\nnext: line", "authorization: ***\nnext: line"],
    [`sh -c="PASSWORD=abc run"`, `sh -c="PASSWORD=*** run"`],
    ["token=a=b=c password=x", "token=*** password=***"],
    ["note: see password: abc", "note: see password: ***"],
    [`-d '{"password": "a\\"b", "name":"n"}'`, `-d '{"password": "***", "name":"n"}'`],
  ])("[P8] %s", (text, masked) => {
    expect(mask(text)).toBe(masked);
    expect(mask({ deep: [text] })).toEqual({ deep: [masked] });
  });

  it("[P8] a secret in JSON or in an address, as it is spelt there, and as a key", () => {
    const odd = createMask({ values: ['p"w/ d'] });
    expect(odd(JSON.stringify({ x: 'p"w/ d' }))).toBe('{"x":"***"}');
    expect(odd("a?b=p%22w%2F%20d")).toBe("a?b=***");
    expect(odd({ 'p"w/ d': 1 })).toEqual({ "***": 1 });
  });

  it("[P8] a long text is cut, and not inside a secret", () => {
    const text = `${"x".repeat(9995)}hunter2!${"y".repeat(100)}`;
    expect(mask(text)).toBe(`${"x".repeat(9995)}***[103 characters left out]`);
  });

  it("[X1] hostile text takes no time", () => {
    const hostile = ["a", "://", "a-", "bearer ", '"a":"', 'x="', "@", "a=", "a: ", " --a", '\\"', "=", " "];
    const started = performance.now();
    for (const piece of hostile) mask(piece.repeat(10_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe("[P8] any value", () => {
  it("[P8] is copied, not changed", () => {
    const value = { password: "x", list: [{ token: "y" }] };
    const copy = mask(value);
    expect(value).toEqual({ password: "x", list: [{ token: "y" }] });
    expect(copy).toEqual({ password: "***", list: [{ token: "***" }] });
  });

  it("[P8] becomes plain JSON", () => {
    const error = new ToolError("failed", "no hunter2!");
    expect(
      mask({
        at: new Date(0),
        big: 1n,
        none: undefined,
        fn: () => 1,
        bytes: new Uint8Array(3),
        list: [undefined],
        error,
      }),
    ).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      big: "1",
      bytes: "[3 bytes]",
      list: [null],
      error: { code: "failed", message: "no ***" },
    });
    expect(mask(new TypeError("bad hunter2!"))).toBe("TypeError: bad ***");
  });

  it("[P8] may be circular, deep, huge or hostile", () => {
    const circular: Record<string, unknown> = { twice: [{}] };
    circular.self = circular;
    expect(mask(circular)).toEqual({ twice: [{}], self: "[circular]" });

    let deep: unknown = "end";
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(mask(deep))).toBe(`${"[".repeat(16)}"[too deep]"${"]".repeat(16)}`);

    const huge = mask(Array.from({ length: 1_000_000 }, (_, index) => index)) as unknown[];
    expect(huge).toHaveLength(10_000);
    expect(huge.at(-1)).toBe("[990001 more]");

    const thrower = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(mask({ thrower, a: 1 })).toEqual({ thrower: "[unreadable]", a: 1 });
  });

  it("[X1] cannot pollute prototypes", () => {
    const copy = mask(JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}');
  });

  it("[P8] the same object in two places is no circle", () => {
    const shared = { a: 1 };
    expect(mask({ x: shared, y: shared })).toEqual({ x: { a: 1 }, y: { a: 1 } });
  });
});
