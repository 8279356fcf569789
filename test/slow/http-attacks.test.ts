import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { allRoutes } from "../../src/surfaces/http/server/routes/routes.ts";
import { openServer, type ServerOptions, TOKEN } from "../support/http-server.ts";
import { exchange, head, type RawAnswer, readAnswer, socketTo } from "../support/http-socket.ts";
import { PATIENT } from "../support/patient.ts";

/** Returns its input. A request that reaches it has passed all guards. */
const ECHO = {
  name: "echo",
  description: "Says what it was given.",
  inputSchema: { type: "object" },
  handler: (input: unknown) => JSON.stringify(input),
};

const SLOW = {
  name: "slow",
  description: "Takes its time.",
  inputSchema: { type: "object" },
  handler: (_input: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
};

const served = (options: ServerOptions = {}): ReturnType<typeof openServer> =>
  openServer({}, { ...options, tools: { tools: [ECHO, SLOW] } });

const RUN = "POST /api/tools/echo/run";
const SLOW_RUN = "POST /api/tools/slow/run";
const JSON_TYPE = { "Content-Type": "application/json" };

/** A call of `echo` with these headers and this body. */
function call(body: string | Uint8Array, headers: Record<string, string> = {}, line = RUN): Uint8Array {
  const bytes = Buffer.from(body as string);
  const start = head(line, { ...JSON_TYPE, "Content-Length": String(bytes.length), ...headers });
  return Buffer.concat([Buffer.from(start), bytes]);
}

type Row = readonly [title: string, bytes: string | Uint8Array, status: number, code: string | undefined];

const get = (headers: Record<string, string>, path = "/api/tools"): string => head(`GET ${path}`, headers);
const ACCEPT = { Accept: "application/json, text/event-stream" };
const TOO_MANY_BODIES =
  "The server is receiving too many large bodies at once, and this one began first. Send it again, without pauses.";
const chunked = { "Transfer-Encoding": "chunked" };
const without = (line: string, name: string): string => head(line).replace(new RegExp(`${name}: .*\r\n`), "") as string;

const HOSTS: readonly Row[] = [
  ["another host, with the token and without an Origin", get({ Host: "evil.example" }), 403, "forbidden_host"],
  ["a host that begins like an allowed one", get({ Host: "127.0.0.1.evil.example" }), 403, "forbidden_host"],
  ["a host that contains an allowed one", get({ Host: "localhost.evil.example:80" }), 403, "forbidden_host"],
  ["a user name before the host", get({ Host: "127.0.0.1@evil.example" }), 403, "forbidden_host"],
  ["the address of another machine", get({ Host: "10.0.0.7" }), 403, "forbidden_host"],
  ["the unspecified address", get({ Host: "0.0.0.0:4141" }), 403, "forbidden_host"],
  ["an empty host", get({ Host: "" }), 403, "forbidden_host"],
  ["no Host header", without("GET /api/tools", "Host"), 400, undefined],
  ["two Host headers", get({ "X-A": "b\r\nHost: evil.example" }), 400, "bad_request"],
  ["an absolute URL instead of a path", head("GET http://evil.example/api/tools"), 400, "bad_request"],
  ["another host on a route without a token", get({ Host: "evil.example" }, "/healthz"), 403, "forbidden_host"],
  ["another host on /mcp", call("{}", { Host: "evil.example" }, "POST /mcp"), 403, "forbidden_host"],
  ["an invalid port", get({ Host: "127.0.0.1:99999" }), 400, "bad_request"],
  ["localhost on any port", get({ Host: "LocalHost:9999" }), 200, undefined],
  ["IPv6 loopback", get({ Host: "[::1]:80" }), 200, undefined],
  ["IPv6 loopback in its long form", get({ Host: "[0:0:0:0:0:0:0:1]" }), 403, "forbidden_host"],
  ["IPv6 loopback without brackets", get({ Host: "::1" }), 403, "forbidden_host"],
  ["an IPv4 address as one number", get({ Host: "2130706433" }), 403, "forbidden_host"],
  ["an abbreviated IPv4 address", get({ Host: "127.1" }), 403, "forbidden_host"],
  ["a subdomain of localhost", get({ Host: "evil.localhost" }), 403, "forbidden_host"],
  ["localhost with a trailing dot", get({ Host: "localhost.:4141" }), 200, undefined],
  ["localhost with two trailing dots", get({ Host: "localhost.." }), 403, "forbidden_host"],
  ["only a dot", get({ Host: "." }), 403, "forbidden_host"],
  ["two hosts in one header, the allowed one first", get({ Host: "127.0.0.1, evil.example" }), 403, "forbidden_host"],
  ["the allowed host in an absolute URL", head("GET http://127.0.0.1/api/tools"), 400, "bad_request"],
  ["another host as a path", head("GET //evil.example/api/tools"), 404, "not_found"],
  ["another host as a path, with a backslash", head("GET /\\evil.example/api/tools"), 400, "bad_request"],
  ["an asterisk instead of a path", head("OPTIONS *"), 400, "bad_request"],
  ["HTTP/1.0 without a Host header", "GET /healthz HTTP/1.0\r\n\r\n", 400, "bad_request"],
  ["HTTP/1.0 with an allowed host", "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n", 200, undefined],
  [
    "another host with the headers of a proxy",
    get({ Host: "evil.example", "X-Forwarded-Host": "127.0.0.1", Forwarded: "host=127.0.0.1" }),
    403,
    "forbidden_host",
  ],
];

const ORIGINS: readonly Row[] = [
  ["another site, on the right host", get({ Origin: "https://evil.example" }), 403, "forbidden_origin"],
  ["the null origin of a file or a sandboxed page", get({ Origin: "null" }), 403, "forbidden_origin"],
  [
    "another port of this machine",
    get({ Host: "127.0.0.1:4141", Origin: "http://127.0.0.1:3000" }),
    403,
    "forbidden_origin",
  ],
  ["a host that begins like an allowed one", get({ Origin: "http://localhost.evil.example" }), 403, "forbidden_origin"],
  ["two origins", get({ Origin: "http://127.0.0.1, https://evil.example" }), 403, "forbidden_origin"],
  ["two Origin headers", get({ Origin: "http://127.0.0.1\r\nOrigin: https://evil.example" }), 403, "forbidden_origin"],
  ["empty", get({ Origin: "" }), 403, "forbidden_origin"],
  ["a user name before the host", get({ Origin: "http://127.0.0.1@evil.example" }), 403, "forbidden_origin"],
  ["a path after the host", get({ Origin: "http://127.0.0.1/evil" }), 403, "forbidden_origin"],
  [
    "another site on a route without a token",
    get({ Origin: "https://evil.example" }, "/healthz"),
    403,
    "forbidden_origin",
  ],
  ["another scheme", get({ Origin: "chrome-extension://abcdef" }), 403, "forbidden_origin"],
  ["another site on /mcp", call("{}", { Origin: "https://evil.example" }, "POST /mcp"), 403, "forbidden_origin"],
  ["a page of this server", get({ Host: "127.0.0.1:4141", Origin: "http://127.0.0.1:4141" }), 200, undefined],
  [
    "a page of this server under another name",
    get({ Host: "127.0.0.1:4141", Origin: "http://localhost:4141" }),
    200,
    undefined,
  ],
];

const TOKENS: readonly Row[] = [
  ["none", without("GET /api/tools", "Authorization"), 401, "unauthorized"],
  ["empty", get({ Authorization: "Bearer " }), 401, "unauthorized"],
  ["wrong", get({ Authorization: "Bearer wrong" }), 401, "unauthorized"],
  ["a prefix of the token", get({ Authorization: `Bearer ${TOKEN.slice(0, -1)}` }), 401, "unauthorized"],
  ["the token and one more character", get({ Authorization: `Bearer ${TOKEN}x` }), 401, "unauthorized"],
  ["another scheme", get({ Authorization: `Basic ${btoa(`user:${TOKEN}`)}` }), 401, "unauthorized"],
  [
    "two headers, the right one last",
    get({ Authorization: `Bearer wrong\r\nAuthorization: Bearer ${TOKEN}` }),
    401,
    "unauthorized",
  ],
  ["the token twice in one header", get({ Authorization: `Bearer ${TOKEN} ${TOKEN}` }), 401, "unauthorized"],
  ["in a cookie", get({ Authorization: "", Cookie: `token=${TOKEN}` }), 401, "unauthorized"],
  ["a lower-case scheme", get({ Authorization: `bearer ${TOKEN}` }), 200, undefined],
  ["none, for OPTIONS", without("OPTIONS /api/tools/echo/run", "Authorization"), 401, "unauthorized"],
  [
    "a wrong one before the right one in the query",
    get({ Authorization: "" }, `/api/tools?token=wrong&token=${TOKEN}`),
    401,
    "unauthorized",
  ],
  [
    "a wrong one in the header, and the right one in the query",
    get({ Authorization: "Bearer wrong" }, `/api/tools?token=${TOKEN}`),
    401,
    "unauthorized",
  ],
  [
    "in the query of an answer",
    call('{"allowed":true}', { Authorization: "" }, `POST /api/questions/x?token=${TOKEN}`),
    401,
    "unauthorized",
  ],
  [
    "in the query of a reload",
    call("", { Authorization: "" }, `POST /api/tools/reload?token=${TOKEN}`),
    401,
    "unauthorized",
  ],
  ["none, for an unknown route", without("GET /nowhere", "Authorization"), 401, "unauthorized"],
  ["none, for /metrics", without("GET /metrics", "Authorization"), 401, "unauthorized"],
  ["none, for /openapi.json", without("GET /openapi.json", "Authorization"), 401, "unauthorized"],
  ["none on /mcp", without("POST /mcp", "Authorization"), 401, "unauthorized"],
  [
    "none, with a path through an open route",
    without("GET /healthz/../api/tools", "Authorization"),
    401,
    "unauthorized",
  ],
  [
    "none, with an encoded path through an open route",
    without("GET /healthz%2f..%2fapi/tools", "Authorization"),
    401,
    "unauthorized",
  ],
  ["in the query of a call", call("{}", { Authorization: "" }, `${RUN}?token=${TOKEN}`), 401, "unauthorized"],
  ["a wrong one in the query", get({ Authorization: "" }, "/api/tools?token=wrong"), 401, "unauthorized"],
  ["in the query of a GET request", get({ Authorization: "" }, `/api/tools?token=${TOKEN}`), 200, undefined],
];

const TYPES: readonly Row[] = [
  ["a form", call("input=1", { "Content-Type": "application/x-www-form-urlencoded" }), 415, "unsupported_media_type"],
  ["a form of type text/plain", call('{"input":{}}', { "Content-Type": "text/plain" }), 415, "unsupported_media_type"],
  [
    "a form with files",
    call("{}", { "Content-Type": "multipart/form-data; boundary=x" }),
    415,
    "unsupported_media_type",
  ],
  [
    "an empty form",
    call("", { "Content-Type": "text/plain" }, "POST /api/tools/reload"),
    415,
    "unsupported_media_type",
  ],
  [
    "an answer in a form",
    call("allowed=true", { "Content-Type": "application/x-www-form-urlencoded" }, "POST /api/questions/x"),
    415,
    "unsupported_media_type",
  ],
  ["no content type", call("{}", { "Content-Type": "" }), 415, "unsupported_media_type"],
  [
    "a list of types with JSON",
    call("{}", { "Content-Type": "text/plain, application/json" }),
    415,
    "unsupported_media_type",
  ],
  [
    "JSON with another charset",
    call("{}", { "Content-Type": "application/json; charset=utf-16" }),
    415,
    "unsupported_media_type",
  ],
  ["a compressed body", call(gzipSync("{}"), { "Content-Encoding": "gzip" }), 415, "unsupported_media_type"],
  ["a body compressed twice", call("{}", { "Content-Encoding": "gzip, identity" }), 415, "unsupported_media_type"],
  ["a compressed body without Content-Encoding", call(gzipSync("{}")), 400, "bad_request"],
  ["Content-Encoding: identity", call("{}", { "Content-Encoding": "identity" }), 200, undefined],
  ["text on /mcp", call("{}", { "Content-Type": "text/plain" }, "POST /mcp"), 415, "unsupported_media_type"],
  ["JSON with its charset", call("{}", { "Content-Type": "application/json; charset=UTF-8" }), 200, undefined],
];

const METHODS: readonly Row[] = [
  [
    "OPTIONS, the preflight request of browsers",
    head("OPTIONS /api/tools/echo/run", { Origin: "http://127.0.0.1" }),
    405,
    "method_not_allowed",
  ],
  ["TRACE", head("TRACE /api/tools"), 405, "method_not_allowed"],
  ["PUT", head("PUT /api/tools/echo"), 405, "method_not_allowed"],
  ["PATCH", head("PATCH /api/tools/echo"), 405, "method_not_allowed"],
  ["a call with GET", head("GET /api/tools/echo/run"), 405, "method_not_allowed"],
  ["a reload with DELETE", head("DELETE /api/tools/reload"), 405, "method_not_allowed"],
  ["an answer with GET", head("GET /api/questions/x"), 405, "method_not_allowed"],
  ["HEAD on /mcp", head("HEAD /mcp"), 405, undefined],
  ["HEAD", head("HEAD /api/tools"), 200, undefined],
  ["an unknown method", head("STEAL /api/tools"), 400, "bad_request"],
  ["a lower-case method", head("post /api/tools/reload"), 400, "bad_request"],
  [
    "a method in an override header",
    get({ "X-HTTP-Method-Override": "POST" }, "/api/tools/echo/run"),
    405,
    "method_not_allowed",
  ],
  ["CONNECT", head("CONNECT 127.0.0.1:22"), 0, undefined],
  ["an upgrade", get({ Connection: "Upgrade", Upgrade: "websocket" }, "/nowhere"), 404, "not_found"],
];

const NAMES: readonly Row[] = [
  ["dots", head("GET /api/tools/%2e%2e%2f%2e%2e%2fetc%2fpasswd"), 404, "not_found"],
  ["backslashes", head("GET /api/tools/..%5c..%5cwindows"), 404, "not_found"],
  ["a NUL", head("GET /api/tools/echo%00"), 404, "not_found"],
  ["a slash", head("GET /api/tools/echo%2frun"), 404, "not_found"],
  ["broken escapes", head("GET /api/tools/%zz%"), 404, "not_found"],
  ["__proto__", head("GET /api/tools/__proto__"), 404, "not_found"],
  ["constructor", head("GET /api/tools/constructor"), 404, "not_found"],
  ["a call of __proto__", call("{}", {}, "POST /api/tools/__proto__/run"), 404, "unknown_tool"],
  ["a call with dots", call("{}", {}, "POST /api/tools/%2e%2e%2f%2e%2e%2fetc/run"), 404, "unknown_tool"],
  ["a call with a NUL", call("{}", {}, "POST /api/tools/echo%00/run"), 404, "unknown_tool"],
  ["encoded line breaks", head("GET /api/tools/x%0d%0aX-Evil:%201"), 404, "not_found"],
  ["a very long name", head(`GET /api/tools/${"a".repeat(10_000)}`), 404, "not_found"],
];

const deep = (levels: number): string => `{"input":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;

const manyKeys = (count: number, colon = ":"): string =>
  `{"input":{${Array.from({ length: count }, (_, n) => `"key${n}"${colon}1`).join()}}}`;
/** Text that looks like JSON with many keys. */
const quoted = JSON.stringify({ input: { text: manyKeys(150_000) } });

const BODIES: readonly Row[] = [
  ["invalid JSON", call("{input:1}"), 400, "bad_request"],
  ["incomplete JSON", call('{"input":{'), 400, "bad_request"],
  ["two JSON values", call("{}{}"), 400, "bad_request"],
  [
    "bytes that are not UTF-8",
    call(Buffer.from([...Buffer.from('{"input":{"a":"'), 0xff, 0xfe, ...Buffer.from('"}}')])),
    400,
    "bad_request",
  ],
  [
    "an overlong UTF-8 sequence",
    call(Buffer.from([...Buffer.from('{"input":{"a":"'), 0xc0, 0xaf, ...Buffer.from('"}}')])),
    400,
    "bad_request",
  ],
  ["lists 20,000 deep", call(deep(20_000)), 400, "bad_request"],
  ["objects 20,000 deep", call(`{"input":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`), 400, "bad_request"],
  ["lists 1,000,000 deep", call(deep(1_000_000)), 400, "bad_request"],
  ["lists without an end", call(`{"input":${"[".repeat(1_000_000)}`), 400, "bad_request"],
  ["20,000 deep on /mcp", call(deep(20_000), {}, "POST /mcp"), 400, undefined],
  ["nesting within the limit", call(deep(400)), 200, undefined],
  ["keys within the limits", call(manyKeys(10_000)), 200, undefined],
  ["text that looks like many keys", call(quoted), 200, undefined],
  ["too many keys on /mcp", call(manyKeys(100_001), {}, "POST /mcp"), 400, undefined],
  ["__proto__", call('{"__proto__":{"polluted":1}}'), 400, "bad_request"],
  ["__proto__ in the input", call('{"input":{"a":[{"__proto__":{"polluted":1}}]}}'), 400, "bad_request"],
  ["__proto__ with an escape", call('{"input":{"\\u005f_proto__":{"polluted":1}}}'), 400, "bad_request"],
  ["constructor.prototype", call('{"input":{"constructor":{"prototype":{"polluted":1}}}}'), 400, "bad_request"],
  ["__proto__ on /mcp", call('{"jsonrpc":"2.0","__proto__":{}}', {}, "POST /mcp"), 400, undefined],
  ["a constructor that is a string", call('{"input":{"constructor":"Foo"}}'), 200, undefined],
];

const SMUGGLING: readonly Row[] = [
  [
    "Content-Length and Transfer-Encoding",
    `${head(RUN, { ...JSON_TYPE, ...chunked, "Content-Length": "2" })}0\r\n\r\n`,
    400,
    "bad_request",
  ],
  ["two Content-Length headers", call("{}", { "X-A": "b\r\nContent-Length: 40" }), 400, "bad_request"],
  ["a Content-Length with a sign", head(RUN, { ...JSON_TYPE, "Content-Length": "+2" }), 400, "bad_request"],
  ["an invalid Content-Length", head(RUN, { ...JSON_TYPE, "Content-Length": "2x" }), 400, "bad_request"],
  [
    "an unknown Transfer-Encoding",
    `${head(RUN, { ...JSON_TYPE, "Transfer-Encoding": "xchunked" })}{}`,
    400,
    "bad_request",
  ],
  [
    "a Transfer-Encoding in which chunked is not last",
    `${head(RUN, { ...JSON_TYPE, "Transfer-Encoding": "chunked, identity" })}0\r\n\r\n`,
    400,
    "bad_request",
  ],
  ["a space before the colon", get({ "X-A ": "b" }), 400, "bad_request"],
  ["a folded header line", get({ "X-A": "b\r\n c" }), 400, "bad_request"],
  ["a chunk without a size", `${head(RUN, { ...JSON_TYPE, ...chunked })}zz\r\n{}\r\n0\r\n\r\n`, 400, "bad_request"],
  ["a bare carriage return in a header", get({ "X-A": "b\rX-Evil: 1" }), 400, "bad_request"],
  ["a NUL in a header", get({ "X-A": "b\0c" }), 400, "bad_request"],
  ["garbage", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03 this is TLS\r\n\r\n", 400, "bad_request"],
  ["an unknown HTTP version", "GET /api/tools HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n", 400, "bad_request"],
  [
    "a chunk size that overflows",
    `${head(RUN, { ...JSON_TYPE, ...chunked })}fffffffffffffffff\r\n{}`,
    400,
    "bad_request",
  ],
  [
    "a Host header as a trailer",
    `${head(RUN, { ...JSON_TYPE, ...chunked })}2\r\n{}\r\n0\r\nHost: evil.example\r\n\r\n`,
    200,
    undefined,
  ],
  ["a body for GET", call("{}", {}, "GET /api/tools"), 200, undefined],
  ["HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "bad_request"],
  ["an unknown Expect header", call("{}", { Expect: "banana" }), 200, undefined],
  ["headers that are too large", get({ "X-A": "a".repeat(100_000) }), 431, "headers_too_large"],
];

describe.each([
  ["Host", HOSTS],
  ["Origin", ORIGINS],
  ["token", TOKENS],
  ["content type", TYPES],
  ["method", METHODS],
  ["name", NAMES],
  ["body", BODIES],
  ["framing", SMUGGLING],
])("%s", (_about, rows) => {
  it.each(rows)("[X1][S4] %s", async (_title, bytes, status, code) => {
    const { port, ask } = await served();
    const answer = await exchange(port, bytes);
    expect([answer.status, answer.error?.code ?? codeIn(answer)]).toEqual([status, code]);
    expectHarmless(answer);
    expect((await ask("/healthz")).status).toBe(200);
  });
});

describe("error messages", () => {
  it.each([
    [
      "Host",
      get({ Host: "evil.example" }),
      'This server does not answer to the host "evil.example". If it is meant to, start it with --allow-host evil.example.',
    ],
    [
      "Origin",
      get({ Origin: "null" }),
      'Pages of "null" may not use this server. Call it from a program, without an Origin header.',
    ],
    [
      "no token",
      without("GET /api/tools", "Authorization"),
      'This server requires its token. Send "Authorization: Bearer TOKEN", with the token that was printed when it started.',
    ],
    [
      "type",
      call("{}", { "Content-Type": "text/plain" }),
      'Send the body as JSON, with "Content-Type: application/json".',
    ],
    ["JSON", call("{"), "The body is not valid JSON. Send one JSON object."],
    [
      "keys of an object",
      call(manyKeys(10_001)),
      "An object of the JSON has more than 10000 keys. Send a list instead.",
    ],
    ["keys", call(manyKeys(100_001)), "The JSON has more than 100000 keys. Send less."],
    ["spaced keys", call(manyKeys(100_001, " \n: ")), "The JSON has more than 100000 keys. Send less."],
    ["depth", call(deep(20_000)), "The JSON is nested more than 500 levels deep. Send it flatter."],
    ["prototype", call('{"__proto__":1}'), 'The key "__proto__" is not allowed. Remove it.'],
    [
      "size",
      head(RUN, { ...JSON_TYPE, "Content-Length": "50000000" }),
      "The body is larger than 4000000 bytes, the limit. Send less.",
    ],
  ])("[S4] %s", async (_title, bytes, message) => {
    const { port } = await served();
    expect((await exchange(port, bytes)).error?.message).toBe(message);
  });
});

describe("allowed hosts", () => {
  it("[S4] accepts allowed hosts and their pages", async () => {
    const { port } = await served({ allowHosts: ["Tools.example.com"] });
    const host = { Host: "tools.example.com" };
    expect((await exchange(port, get(host))).status).toBe(200);
    expect((await exchange(port, get({ ...host, Origin: "https://tools.example.com" }))).status).toBe(200);
    expect((await exchange(port, get({ ...host, Origin: "https://evil.example" }))).status).toBe(403);
    expect((await exchange(port, get({ Host: "tools.example.com.:80" }))).status).toBe(200);
    expect((await exchange(port, get({ Host: "more.tools.example.com" }))).status).toBe(403);
  });
});

describe("limits", () => {
  it("[X1] a Content-Length of 50 MB is refused before the body is sent", async () => {
    const { port } = await served();
    const headers = { ...JSON_TYPE, "Content-Length": "50000000", Expect: "100-continue" };
    const answer = await exchange(port, head(RUN, headers));
    expect([answer.status, answer.error?.code]).toEqual([413, "too_large"]);
    expect(answer.text).not.toContain("100 Continue");
  });

  it("[X1] Expect: 100-continue is answered for a valid request", async () => {
    const { port } = await served();
    const socket = await socketTo(port);
    const answer = readAnswer(socket);
    socket.write(head(RUN, { ...JSON_TYPE, "Content-Length": "2", Expect: "100-continue" }));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.write("{}");
    expect((await answer).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it.each(["POST /api/tools/echo/run", "POST /mcp"])(
    "[X1] 50 MB without a length are read no further than the limit: %s",
    async (line) => {
      const { port, ask } = await served();
      const socket = await socketTo(port);
      const answer = readAnswer(socket);
      socket.write(head(line, { ...JSON_TYPE, ...chunked }));
      const chunk = `${(1_000_000).toString(16)}\r\n${" ".repeat(1_000_000)}\r\n`;
      for (let sent = 0; sent < 50 && socket.writable; sent += 1) {
        if (!socket.write(chunk)) await Promise.race([new Promise((go) => socket.once("drain", go)), answer]);
      }
      socket.write("0\r\n\r\n");
      expect((await answer).status).toBe(413);
      expect((await ask("/healthz")).status).toBe(200);
    },
  );

  it("[X1] bytes after the Content-Length are no second request", async () => {
    const { port } = await served();
    const { text } = await exchange(
      port,
      Buffer.concat([call("{}", { Connection: "keep-alive" }), Buffer.from("garbage\r\n\r\n")]),
    );
    expect([...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status).at(-1)).toBe("400");
  });

  const KEEP = { Connection: "keep-alive" };
  const LARGE = JSON.stringify({ input: { text: "x".repeat(1_000_000) } });
  const statusesIn = (text: string): string[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);

  it("[X1] calls of one connection run one at a time, and none starts after it is closed", async () => {
    const { port, toolbox, server } = await served();
    const seen: string[] = [];
    toolbox.on("call", (event) => void seen.push(event.type === "tool.failed" ? event.result.error.code : event.type));
    const socket = await socketTo(port);
    socket.write(Buffer.concat(Array.from({ length: 5 }, () => call("{}", KEEP, SLOW_RUN))));
    await vi.waitFor(() => expect(seen).toEqual(["tool.start"]), PATIENT);
    socket.destroy();
    await vi.waitFor(() => expect(seen).toEqual(["tool.start", "aborted"]), PATIENT);
    expect((await exchange(port, call("{}"))).status).toBe(200);
    expect([seen.length, server.running]).toEqual([4, 0]);
  });

  it("[X1] more waiting requests than allowed close the connection and abort its running call", async () => {
    const { port, server } = await served();
    const answer = await exchange(port, Buffer.concat(Array.from({ length: 300 }, () => call("{}", KEEP, SLOW_RUN))));
    expect([answer.status, answer.error]).toEqual([
      429,
      {
        code: "too_many_requests",
        message:
          "More than 16 requests of this connection are waiting. Wait for answers before you send more, or use several connections.",
      },
    ]);
    await vi.waitFor(() => expect(server.running).toBe(0), PATIENT);
  });

  it.each([
    ["with a length", call(LARGE, KEEP)],
    ["in chunks", `${head(RUN, { ...KEEP, ...JSON_TYPE, ...chunked })}2\r\n{}\r\n0\r\n\r\n`],
    ["of a request that is refused", call(LARGE, { ...KEEP, Authorization: "" })],
  ])("[X1] a large body behind a running call closes the connection, %s", async (_title, behind) => {
    const { port, server } = await served();
    const answer = await exchange(port, Buffer.concat([call("{}", KEEP, SLOW_RUN), Buffer.from(behind as string)]));
    expect([answer.status, answer.error]).toEqual([
      429,
      {
        code: "too_many_requests",
        message:
          "A request with a large body was sent before the one ahead of it was answered. Wait for that answer, or use another connection.",
      },
    ]);
    await vi.waitFor(() => expect(server.running).toBe(0), PATIENT);
  });

  it("[S1] 17 calls on one connection get their responses in order", async () => {
    const { port } = await served();
    const calls = Array.from({ length: 17 }, (_, n) =>
      call(JSON.stringify({ input: { n } }), n < 16 ? KEEP : { Connection: "close" }),
    );
    const { text } = await exchange(port, Buffer.concat(calls));
    expect([...text.matchAll(/"output":"{\\"n\\":(\d+)}"/g)].map(([, n]) => Number(n))).toEqual([...Array(17).keys()]);
  });

  it("[S1] one connection serves large bodies and large responses in turn", async () => {
    const { port } = await served();
    const socket = await socketTo(port);
    let text = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    for (let n = 1; n <= 5; n += 1) {
      socket.write(call(LARGE, n < 5 ? KEEP : { Connection: "close" }));
      await vi.waitFor(() => expect(statusesIn(text).length).toBe(n), PATIENT);
    }
    expect(statusesIn(text)).toEqual(Array(5).fill("200"));
  });

  it("[S1] requests that arrive while a large response is read get a response", async () => {
    const { port } = await served({
      routes: (app, context) => {
        allRoutes(app, context);
        app.get("/large", ({ body }) => body("x".repeat(20_000_000)));
      },
    });
    const socket = await socketTo(port);
    const answer = readAnswer(socket);
    socket.pause().write(head("GET /large", KEEP));
    await sleep(300);
    socket.write(head("GET /large", KEEP));
    await sleep(300);
    socket.resume().write(head("GET /large"));
    expect(statusesIn((await answer).text)).toEqual(["200", "200", "200"]);
  });

  it("[X1] pipelined requests get their responses in order, and garbage closes the connection", async () => {
    const { port } = await served();
    const keep = { Connection: "keep-alive" };
    const { text } = await exchange(port, `${get(keep, "/healthz")}${get(keep, "/api/problems")}\0\0garbage\r\n\r\n`);
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(["200", "200", "400"].join()).toContain(statuses.join());
    expect(text).not.toContain("garbage");
  });

  it.each([
    ["a head that does not end", head(RUN).slice(0, -2)],
    ["a body that does not come", head(RUN, { ...JSON_TYPE, "Content-Length": "10" })],
    ["a body that does not end", `${head(RUN, { ...JSON_TYPE, ...chunked })}2\r\n{}\r\n`],
    ["nothing at all", ""],
  ])("[X1] %s: 408", async (_title, bytes) => {
    const { port } = await served({ limits: { headersMs: 300, requestMs: 600 } });
    const answer = await exchange(port, bytes);
    expect([answer.status, answer.error]).toEqual([
      408,
      { code: "timeout", message: "The request did not arrive in time. Send it faster, body included." },
    ]);
  });

  it("[X1] a body that is sent byte by byte: 408", async () => {
    const { port } = await served({ limits: { headersMs: 300, requestMs: 600 } });
    const socket = await socketTo(port);
    const answer = readAnswer(socket);
    socket.write(head(RUN, { ...JSON_TYPE, "Content-Length": "1000" }));
    const dripping = setInterval(() => socket.writable && socket.write(" "), 50);
    expect((await answer).status).toBe(408);
    clearInterval(dripping);
  });

  it.each([RUN, "POST /mcp", "POST /api/sessions", "POST /api/questions/x", "POST /api/permissions/explain"])(
    "[X1] %s: large bodies that do not end make room for others",
    async (line) => {
      const { port } = await served({ limits: { openBodyBytes: 500_000 } });
      const large = head(line, { ...JSON_TYPE, ...ACCEPT, "Content-Length": "3900000" });
      const sockets = [await socketTo(port), await socketTo(port)] as const;
      const answer = readAnswer(sockets[0]);
      for (const socket of sockets) {
        socket.write(`${large}{"${"x".repeat(400_000)}`);
        await sleep(100);
      }
      expect((await answer).status).toBe(503);
      expect((await answer).text).toContain(TOO_MANY_BODIES);
      expect((await exchange(port, call(JSON.stringify({ input: { text: "x".repeat(50_000) } })))).status).toBe(200);
      for (const socket of sockets) socket.destroy();
    },
  );

  it("[X1] more calls at once than are allowed: 503", async () => {
    const { port, post } = await served({ limits: { calls: 2 } });
    const running = [new AbortController(), new AbortController()];
    const calls = running.map(({ signal }) => post("/api/tools/slow/run", {}, { signal }).catch(() => {}));
    let answer: RawAnswer;
    do answer = await exchange(port, call("{}"));
    while (answer.status === 200);
    expect([answer.status, answer.error]).toEqual([
      503,
      { code: "busy", message: "2 calls are running, which is the limit. Try again when one has ended." },
    ]);
    expect(answer.text).toContain("retry-after: 1");
    for (const each of running) each.abort();
    await Promise.all(calls);
    do answer = await exchange(port, call("{}"));
    while (answer.status === 503);
    expect(answer.status).toBe(200);
  });

  it("[X1] more calls in a second than are allowed: 429", async () => {
    const { port } = await served({ limits: { callsPerSecond: 1 } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(port, call("{}"))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.error).toEqual({
      code: "too_many_requests",
      message: "More than 1 calls arrived in one second. Send them more slowly.",
    });
    expect(refused[0]?.text).toContain("retry-after: 1");
  });

  it("[X1] thousands of connections: those above the limit are dropped, and the server keeps serving", async () => {
    const { port } = await served({ limits: { connections: 200, headersMs: 1000 } });
    const many = Array.from({ length: 2000 }, () =>
      connect(port, "127.0.0.1")
        .on("error", () => {})
        .resume(),
    );
    onTestFinished(() => {
      for (const socket of many) socket.destroy();
    });
    const crowded = await exchange(port, get({}));
    let answer = crowded;
    while (answer.status !== 200) {
      await sleep(100);
      answer = await exchange(port, get({})).catch(() => crowded);
    }
    expect([0, 200]).toContain(crowded.status);
    expect(many.filter(({ closed }) => closed).length).toBeGreaterThan(0);
  });

  it("[X1] a response that is not read is dropped", async () => {
    const { promise: dropped, resolve: drop } = Promise.withResolvers<boolean>();
    const { port } = await served({
      limits: { unreadMs: 300 },
      routes: (app) =>
        void app.get("/large", ({ env: { outgoing }, body }) => {
          outgoing.once("close", () => drop(!outgoing.writableFinished));
          return body("x".repeat(50_000_000));
        }),
    });
    const socket = await socketTo(port);
    socket.pause().write(head("GET /large"));
    expect(await dropped).toBe(true);
  });

  it("[X1] more MCP sessions than allowed: the least recently used ends", async () => {
    const { post } = await served({ limits: { mcpSessions: 2 } });
    const headers = { accept: "application/json, text/event-stream" };
    const begin = async (): Promise<string> => {
      const clientInfo = { name: "tester", version: "1" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      const answer = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params }, { headers });
      await answer.text();
      return answer.headers.get("mcp-session-id") as string;
    };
    const ping = async (id: string): Promise<number> => {
      const body = { jsonrpc: "2.0", id: 2, method: "ping" };
      const answer = await post("/mcp", body, { headers: { ...headers, "mcp-session-id": id } });
      await answer.text();
      return answer.status;
    };
    const [first, second] = [await begin(), await begin()];
    expect(await ping(first)).toBe(200);
    const third = await begin();
    expect([await ping(first), await ping(second), await ping(third)]).toEqual([200, 404, 200]);
  });
});

describe("the input of a tool", () => {
  it("[X1] has the last of several values under one key, in validation and in the tool", async () => {
    const { port, toolbox } = await served();
    const seen: unknown[] = [];
    toolbox.on("call", (event) => event.type === "tool.start" && seen.push(event.input));
    const { text } = await exchange(port, call('{"input":{"a":1},"input":{"a":2,"a":3}}'));
    expect(seen).toEqual([{ a: 3 }]);
    expect(text).toContain('"output":"{\\"a\\":3}"');
  });

  it("[X1] changes no prototype", async () => {
    const { port } = await served();
    await exchange(port, call('{"input":{"constructor":{"name":"x"},"prototype":{"polluted":1}}}'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("internal errors", () => {
  it("[S4] produce a response without internal details", async () => {
    const errors: Error[] = [];
    const { ask } = await served({
      routes: (app) =>
        void app.get("/boom", () => {
          throw new Error("secret of /home/me");
        }),
      onError: (error) => void errors.push(error),
    });
    const response = await ask("/boom");
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: { code: "failed", message: "The server failed to handle this request. Its stderr says why." } },
    ]);
    expect(errors.map(({ message }) => message)).toEqual(["secret of /home/me"]);
  });
});

function codeIn({ text }: RawAnswer): string | undefined {
  return /"ok":false.*"error":\{"code":"(\w+)"/.exec(text)?.[1];
}

/** An error response has no CORS headers, no internal details, and no header of the request. */
function expectHarmless({ text }: RawAnswer): void {
  expect(text).not.toMatch(/access-control-/i);
  expect(text).not.toMatch(/^x-evil/im);
  expect(text).not.toMatch(/ at .*\.ts:\d+|node:internal/);
  if (text.includes("application/json")) expect(text).toMatch(/x-content-type-options: nosniff/i);
}
