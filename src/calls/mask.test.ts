import { describe, expect, it } from "vitest";
import { ToolError } from "../core/error.ts";
import { createMask } from "./mask.ts";
import { secretSpans } from "./secret-spans.ts";

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
    "pass",
    "userPass",
    "DB_PASS",
    "dbpass",
    "pwd",
    "PWD",
    "db_pwd",
    "pw",
    "otp",
    "passkey",
    "apiKey2",
    "token1",
    "user.password",
    "password[]",
    "X-Amz-Security-Token",
    `${"long-".repeat(40)}password`,
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
    "sessionID",
    "passage",
    "bypass",
    "passThrough",
    "passed",
    "pass_rate",
    "signature",
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

  it("[P8] numbers that count, and booleans, are not masked; a numeric password is", () => {
    const counts = { tokens: 500, maxTokens: 4096, secretCount: 3, password: true, cookies: 2, secret: null };
    expect(mask(counts)).toEqual(counts);
    const numbers = { password: 123456, dbSecret: 42n, token: 7, pass: 1234, apiKey: 1.5, otp: 123, creds: [1, 2] };
    const all = { password: "***", dbSecret: "***", token: "***", pass: "***", apiKey: "***", otp: "***" };
    expect(mask(numbers)).toEqual({ ...all, creds: ["***", "***"] });
  });

  it("[P8] a working directory is not masked", () => {
    const folders = { pwd: "/work/app", PWD: "C:\\work", OLDPWD: "/work", text: "PWD=/work/app make" };
    expect(mask(folders)).toEqual(folders);
  });

  it("[P8] masks values beside their names, and in maps and sets", () => {
    expect(
      mask({
        env: [
          { name: "API_TOKEN", value: "xyz" },
          { key: "LANG", value: "C" },
        ],
      }),
    ).toEqual({
      env: [
        { name: "API_TOKEN", value: "***" },
        { key: "LANG", value: "C" },
      ],
    });
    expect(mask({ args: ["login", "--password", "xyz", "--user", "me"], header: ["Authorization", "xyz"] })).toEqual({
      args: ["login", "--password", "***", "--user", "me"],
      header: ["Authorization", "***"],
    });
    expect(
      mask(
        new Map<string, unknown>([
          ["token", new Set(["xyz"])],
          ["a", 1],
        ]),
      ),
    ).toEqual({ token: ["***"], a: 1 });
  });

  it("[P8] a secret that is known by its key is masked everywhere else", () => {
    const input = { url: "https://x.y/geheim-1/a", password: "geheim-1", command: 'login -p geheim-1 --token "o t 7"' };
    const error = { message: 'Wrong password "geheim-1" or "o t 7"; sent p=geheim%2D1 and geheim-1.' };
    expect(mask({ input, error })).toEqual({
      input: { url: "https://x.y/***/a", password: "***", command: 'login -p *** --token "***"' },
      error: { message: 'Wrong password "***" or "***"; sent p=geheim%2D1 and ***.' },
    });
  });

  it("[P8] everything below a secret key is masked", () => {
    expect(mask({ credentials: { user: "u", list: ["a", { deep: "b" }], n: "1" } })).toEqual({
      credentials: { user: "***", list: ["***", { deep: "***" }], n: "***" },
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
    ["PGPASSWORD=abc LANG=C psql --token='a b' x=1", "PGPASSWORD=*** LANG=C psql --token='***' x=1"],
    ["login --password hunter3 --user me --token 'a b'", "login --password *** --user me --token '***'"],
    ['password="a b" next', 'password="***" next'],
    ['password="a \\" b" next', 'password="***" next'],
    ["password='a b' next", "password='***' next"],
    ["password='a \\' b' next", "password='***' next"],
    ['PASSWORD=pa"ss wo"rd next', "PASSWORD=*** next"],
    ["PASSWORD=a\\ b next", "PASSWORD=*** next"],
    ['password="never closed', 'password="***'],
    ['password = "a b"\nuser = "me"', 'password = "***"\nuser = "me"'],
    ["login --password  'x y' --user me", "login --password  '***' --user me"],
    ["java -password x -user me", "java -password *** -user me"],
    ['password: "a b"\nuser: me', 'password: "***"\nuser: me'],
    ["password: |\n  line one\n  line two\nuser: me", "password: ***user: me"],
    ["{'password': 'a b', 'user': 'me'}", "{'password': '***', 'user': 'me'}"],
    ['{ :password => "x y", :user => "me" }', '{ :password => "***", :user => "me" }'],
    ['{"password":123456,"user":1}', '{"password":***,"user":1}'],
    ['{"tokens":5,"max_tokens":7,"password":null}', '{"tokens":5,"max_tokens":7,"password":null}'],
    ['{"credentials":{"a":["b"]},"c":1}', '{"credentials":***,"c":1}'],
    ['"{\\"password\\":\\"a b\\",\\"user\\":\\"me\\"}"', '"{\\"password\\":\\"***\\",\\"user\\":\\"me\\"}"'],
    ["curl -u me:pa$$word https://x.y", "curl -u me:*** https://x.y"],
    ["curl --user 'me:pa ss' https://x.y", "curl --user 'me:***' https://x.y"],
    ["curl --proxy-user me:geheim https://x.y", "curl --proxy-user me:*** https://x.y"],
    ["sshpass -p 'x y' ssh host", "sshpass -p *** ssh host"],
    ["docker login -u me -p geheim r.io", "docker login -u me -p *** r.io"],
    ["unzip -P geheim a.zip && 7z x -pgeheim b.7z", "unzip -P *** a.zip && 7z x -p*** b.7z"],
    ["redis-cli -h x -a geheim ping", "redis-cli -h x -a *** ping"],
    ["docker run -p 80:80 -u 1000:1000 x", "docker run -p 80:80 -u 1000:1000 x"],
    ["set API_TOKEN geheim", "set API_TOKEN ***"],
    ["aws configure set aws_secret_access_key geheim", "aws configure set aws_secret_access_key ***"],
    ["npm config set //r.io/:_authToken geheim", "npm config set //r.io/:_authToken ***"],
    ["git config --global a.password 'x y'", "git config --global a.password '***'"],
    ["set token limits; reset secret santa", "set token limits; reset secret santa"],
    ['password := "geheim"', 'password := "***"'],
    ["<password>geheim</password><user>me</user>", "<password>***</password><user>me</user>"],
    ['<add key="Password" value="geheim"/>', '<add key="Password" value="***"/>'],
    [
      "- name: API_TOKEN\n  value: geheim\n- name: LANG\n  value: C",
      "- name: API_TOKEN\n  value: ***\n- name: LANG\n  value: C",
    ],
    ['{"name":"TOKEN","value":"geheim"}', '{"name":"TOKEN","value":"***"}'],
    ["password:\n  geheim\nuser: me", "password:\n  ***\nuser: me"],
    ['os.environ["TOKEN"] = "geheim"', 'os.environ["TOKEN"] = "***"'],
    ['setenv("TOKEN", "geheim")', 'setenv("TOKEN", "***")'],
    ["https://x.y/?X-Amz-Signature=abc&a=1", "https://x.y/?X-Amz-Signature=***&a=1"],
    ["the basic structure of basic documentation", "the basic structure of basic documentation"],
    ["mysql -u root -phunter3 db", "mysql -u root -p*** db"],
    ["https://x.y/#access_token=abc&state=1", "https://x.y/#access_token=***&state=1"],
    ["https://x.y/?a=1&sig=abc%3D&b=2", "https://x.y/?a=1&sig=***&b=2"],
    ["Authorization: Basic abc", "Authorization: Basic ***"],
    ["sent user:geheim@db.example.com", "sent user:***@db.example.com"],
    ["root:geheim@10.0.0.1:22", "root:***@10.0.0.1:22"],
    [
      "mailto:someone@example.com npm:react@18.2.0 git@github.com:a/b",
      "mailto:someone@example.com npm:react@18.2.0 git@github.com:a/b",
    ],
    ["compass: north, author: me, keyboard=de, passage: 5", "compass: north, author: me, keyboard=de, passage: 5"],
    ["max_tokens=500 tokens: 5", "max_tokens=500 tokens: 5"],
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

  it.each([
    ...["ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "npm_", "hf_"].map(
      (start) => `${start}${"a1B2".repeat(9)}`,
    ),
    ...["sk-", "sk-ant-api03-", "sk-proj-", "glpat-", "xoxb-", "xoxp-", "xoxa-"].map(
      (start) => `${start}${"a1B2".repeat(6)}`,
    ),
    ...["sk_live_", "rk_live_", "sk_test_", "whsec_"].map((start) => `${start}${"a1B2".repeat(6)}`),
    ...["AKIA", "ASIA"].map((start) => `${start}${"A1B2".repeat(4)}`),
    `AIza${"a1B2-".repeat(7)}`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123",
  ])("[P8] %s, by its form", (token) => {
    expect(mask(`Got ${token}, sorry.`)).toBe("Got ***, sorry.");
    expect(mask({ x: [token], [token]: 1 })).toEqual({ x: ["***"], "***": 1 });
  });

  it("[P8] masks private keys and secret URLs", () => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----";
    expect(mask(`a ${key} b`)).toBe("a -----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY----- b");
    expect(mask("-----BEGIN PRIVATE KEY-----\nabc")).toBe("-----BEGIN PRIVATE KEY-----***");
    expect(mask("-----BEGIN PUBLIC KEY-----\nabc")).toBe("-----BEGIN PUBLIC KEY-----\nabc");
    expect(mask("https://hooks.slack.com/services/T0/B0/x1y2")).toBe("https://hooks.slack.com/services/***");
  });

  it.each([
    ["task-force sk-learn-is-a-library disk-0", "kebab-case names"],
    ["npm_config_registry ghp_ AKIA eyJ sk-", "beginnings alone"],
    ["pages.length: 5; passes: all", "code"],
  ])("[P8] not %j: %s", (text) => {
    expect(mask(text)).toBe(text);
  });

  it("[P8] overlapping secrets are masked completely", () => {
    const two = createMask({ values: ["abcdef", "defghi", "aaaa"] });
    expect(two("x abcdefghi y aaaaaaa z")).toBe("x *** y *** z");
  });

  it("[P8] masks a secret that is escaped in JSON or in a URL, or used as a key", () => {
    const odd = createMask({ values: ['p"w/ d'] });
    expect(odd(JSON.stringify({ x: 'p"w/ d' }))).toBe('{"x":"***"}');
    expect(odd("a?b=p%22w%2F%20d")).toBe("a?b=***");
    expect(odd({ 'p"w/ d': 1 })).toEqual({ "***": 1 });
  });

  it("[P8] a long text is truncated, but not inside a secret", () => {
    const text = `${"x".repeat(9995)}hunter2!${"y".repeat(100)}`;
    expect(mask(text)).toBe(`${"x".repeat(9995)}***[103 characters left out]`);
    const token = `${"x ".repeat(4995)}ghp_${"a1B2".repeat(9)} ${"y".repeat(100)}`;
    expect(mask(token)).toBe(`${"x ".repeat(4995)}***[${token.length - 10_000} characters left out]`);
    const named = `${"x ".repeat(4995)}password="${"z ".repeat(100)}"`;
    expect(mask(named)).toBe(`${"x ".repeat(4995)}password="[${named.length - 10_000} characters left out]`);
  });

  it("[X1] hostile text takes linear time", () => {
    const hostile = [
      ...[
        "a",
        "://",
        "a-",
        "bearer ",
        '"a":"',
        'x="',
        "@",
        "a=",
        "a: ",
        " --a",
        '\\"',
        "=",
        " ",
        "a:b",
        'token=\\"',
        "pwd='/",
      ],
      ...[
        "-----BEGIN PRIVATE KEY-----",
        "mysql ",
        'token="',
        "token: [",
        "sk-",
        "eyJaaaaa.",
        "password: |\n",
        "-u a:",
        '"token":',
      ],
    ];
    // Quadratic time would not end at this length.
    for (const piece of hostile) secretSpans(piece.repeat(200_000 / piece.length));
    for (const piece of hostile) mask({ password: "geheim", text: piece.repeat(1_000_000 / piece.length) });
  });

  it("[X1] many secrets in many texts take linear time", () => {
    const texts = Array.from({ length: 500 }, () => "a".repeat(10_000));
    const periodic = Array.from({ length: 200 }, (_, index) => ({ token: "a".repeat(9_000 + index) }));
    const different = Array.from({ length: 200 }, (_, index) => ({ token: `${index}${"a".repeat(9_000)}` }));
    // Time in proportion to the number of secrets times their length would not end.
    mask({ periodic, texts });
    mask({ different, texts });
    mask(Array.from({ length: 9_000 }, () => "token=a1b2 ".repeat(900)));
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

  it("[P8] has a size limit for all its texts together", () => {
    const cut = mask(Array.from({ length: 100 }, () => "x".repeat(10_000))) as string[];
    expect(cut.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => "x".repeat(10_000)));
    expect(cut.slice(20)).toEqual(Array.from({ length: 80 }, () => "[10000 characters left out]"));
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

  it("[P8] may contain the same object twice", () => {
    const shared = { a: 1 };
    expect(mask({ x: shared, y: shared })).toEqual({ x: { a: 1 }, y: { a: 1 } });
  });
});
