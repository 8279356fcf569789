import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openServer, type ServerOptions, type TestServer, TOKEN } from "../support/http-server.ts";
import { exchange, head, type RawAnswer, socketTo } from "../support/http-socket.ts";
import { pageFolderForTest } from "../support/page-folder.ts";
import { PATIENT } from "../support/patient.ts";

const ECHO = {
  name: "echo",
  description: "Says what it was given.",
  inputSchema: { type: "object" },
  handler: (input: unknown) => JSON.stringify(input),
};

const served = (options: ServerOptions = {}): Promise<TestServer> =>
  openServer({}, { pageFolder: pageFolderForTest(), tools: { tools: [ECHO] }, ...options });

/** The cookie that a browser gets when it opens the printed URL. */
async function cookieOf({ url }: TestServer): Promise<string> {
  const { headers } = await fetch(`${url}/?token=${TOKEN}`, { redirect: "manual" });
  return headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

type Headers = Record<string, string>;

/** A request without the token. PORT in a header is the port of the server. */
async function send(
  server: TestServer,
  line: string,
  headers: Headers = {},
  body: string | undefined = undefined,
): Promise<RawAnswer> {
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const all: Headers = { Host: `127.0.0.1:${server.port}`, Authorization: "", ...length, ...headers };
  const text = head(line, all).replaceAll("PORT", String(server.port)).replace("Authorization: \r\n", "");
  return exchange(server.port, text + (body ?? ""));
}

const RUN = "POST /api/tools/echo/run";
const JSON_TYPE = { "Content-Type": "application/json" };
const OWN = { Origin: "http://127.0.0.1:PORT", "Sec-Fetch-Site": "same-origin" };

type Row = readonly [title: string, line: string, headers: Headers, status: number, code: string | undefined];

describe("requests with the cookie of the page", () => {
  const rows: readonly Row[] = [
    ["the page itself reads", "GET /api/tools", { "Sec-Fetch-Site": "same-origin" }, 200, undefined],
    ["the page itself calls a tool", RUN, { ...OWN, ...JSON_TYPE }, 200, undefined],
    ["the user opens an address", "GET /api/tools", { "Sec-Fetch-Site": "none" }, 200, undefined],
    ["an old browser reads", "GET /api/tools", {}, 200, undefined],
    ["an old browser calls a tool", RUN, { Origin: "http://127.0.0.1:PORT", ...JSON_TYPE }, 200, undefined],
    ["a page of another site reads", "GET /api/tools", { "Sec-Fetch-Site": "cross-site" }, 403, "forbidden_origin"],
    [
      "a page of another site reads with CORS",
      "GET /api/tools",
      { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
      403,
      "forbidden_origin",
    ],
    ["a page on another port reads", "GET /api/tools", { "Sec-Fetch-Site": "same-site" }, 403, "forbidden_origin"],
    [
      "a page on another port reads with CORS, in a browser without Sec-Fetch-Site",
      "GET /api/tools",
      { Origin: "http://127.0.0.1:1" },
      403,
      "forbidden_origin",
    ],
    [
      "a page on another port calls a tool",
      RUN,
      { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    [
      "a page under another name of this machine calls a tool",
      RUN,
      { Origin: "http://localhost:PORT", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    [
      "a page of another site calls a tool",
      RUN,
      { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    ["a call without an Origin", RUN, JSON_TYPE, 403, "forbidden_origin"],
    [
      "a call without an Origin, of the same origin",
      RUN,
      { ...JSON_TYPE, "Sec-Fetch-Site": "same-origin" },
      403,
      "forbidden_origin",
    ],
    [
      "a call with the Origin of a sandboxed frame or a file",
      RUN,
      { Origin: "null", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    [
      "a call that the user did not make by opening an address",
      RUN,
      { ...OWN, "Sec-Fetch-Site": "none", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    [
      "an Origin that begins like ours",
      RUN,
      { Origin: "http://127.0.0.1:PORT.evil.example", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    ["an Origin with a path", RUN, { Origin: "http://127.0.0.1:PORT/", ...JSON_TYPE }, 403, "forbidden_origin"],
    ["an Origin without a scheme", RUN, { Origin: "127.0.0.1:PORT", ...JSON_TYPE }, 403, "forbidden_origin"],
    [
      "two Origins",
      RUN,
      { Origin: "http://127.0.0.1:PORT\r\nOrigin: https://evil.example", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    [
      "two values of Sec-Fetch-Site",
      RUN,
      { ...OWN, "sec-fetch-site": "cross-site", ...JSON_TYPE },
      403,
      "forbidden_origin",
    ],
    ["a form", RUN, { ...OWN, "Content-Type": "application/x-www-form-urlencoded" }, 415, "unsupported_media_type"],
    [
      "a form with files",
      RUN,
      { ...OWN, "Content-Type": "multipart/form-data; boundary=x" },
      415,
      "unsupported_media_type",
    ],
    ["a form of plain text", RUN, { ...OWN, "Content-Type": "text/plain" }, 415, "unsupported_media_type"],
    [
      "a form of another site",
      RUN,
      { Origin: "https://evil.example", "Content-Type": "text/plain" },
      403,
      "forbidden_origin",
    ],
    ["a beacon without a content type", RUN, OWN, 415, "unsupported_media_type"],
    [
      "DNS rebinding",
      "GET /api/tools",
      { Host: "evil.example", "Sec-Fetch-Site": "same-origin" },
      403,
      "forbidden_host",
    ],
    ["DNS rebinding to the page", "GET /", { Host: "evil.example" }, 403, "forbidden_host"],
    ["DNS rebinding with our Origin", RUN, { Host: "evil.example", ...OWN, ...JSON_TYPE }, 403, "forbidden_host"],
    ["a wrong token beside the cookie", "GET /api/tools", { Authorization: "Bearer wrong" }, 401, "unauthorized"],
    ["a wrong token in the address beside the cookie", "GET /api/tools?token=wrong", {}, 401, "unauthorized"],
    ["PUT", "PUT /api/tools/echo/run", { ...OWN, ...JSON_TYPE }, 405, "method_not_allowed"],
    ["PATCH", "PATCH /api/tools/echo/run", { ...OWN, ...JSON_TYPE }, 405, "method_not_allowed"],
    ["a method in a header", "GET /api/tools/reload", { "X-HTTP-Method-Override": "POST" }, 404, "not_found"],
    [
      "a preflight",
      "OPTIONS /api/tools/echo/run",
      { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
      403,
      "forbidden_origin",
    ],
    ["a preflight of our own Origin", "OPTIONS /api/tools/echo/run", OWN, 405, "method_not_allowed"],
    ["HEAD of another site", "HEAD /api/tools", { "Sec-Fetch-Site": "cross-site" }, 403, undefined],
    ["logging out from another site", "POST /api/logout", { Origin: "https://evil.example" }, 403, "forbidden_origin"],
    ["logging out from another port", "POST /api/logout", { Origin: "http://127.0.0.1:1" }, 403, "forbidden_origin"],
    [
      "an event stream from another port",
      "GET /api/events",
      { "Sec-Fetch-Site": "same-site" },
      403,
      "forbidden_origin",
    ],
    [
      "a full output from another site",
      "GET /api/outputs?file=x",
      { "Sec-Fetch-Site": "cross-site" },
      403,
      "forbidden_origin",
    ],
  ];

  it.each(rows)("[X1][S4] %s", async (_, line, headers, status, code) => {
    const server = await served();
    const cookie = { Cookie: await cookieOf(server) };
    const body = line.startsWith("GET") || line.startsWith("HEAD") ? undefined : "{}";
    const answer = await send(server, line, { ...cookie, ...headers }, body);
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
    expect(answer.text.toLowerCase()).not.toContain("access-control-allow");
  });
});

describe("cookies", () => {
  it("[X1][S4] the cookie cannot be read by scripts, is not sent by other sites, and does not contain the token", async () => {
    const server = await served();
    const { headers, status } = await fetch(`${server.url}/?token=${TOKEN}`, { redirect: "manual" });
    expect(status).toBe(303);
    const [cookie = "", ...more] = headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(new RegExp(`^toolwright_${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`));
    expect(cookie).not.toContain(TOKEN);
  });

  it("[X1][S4] behind a proxy with TLS, the cookie is sent over TLS only, and the page can use it", async () => {
    const server = await served({ allowHosts: ["tools.example.com"] });
    const proxied = { Host: "tools.example.com", "X-Forwarded-Proto": "https" };
    const { text } = await send(server, `GET /?token=${TOKEN}`, proxied);
    const [, cookie = "", attributes] = /set-cookie: ([^;]*)(.*)\r\n/i.exec(text) ?? [];
    expect(attributes).toBe("; HttpOnly; SameSite=Strict; Path=/; Secure");
    const call = (Origin: string): Promise<RawAnswer> =>
      send(server, RUN, { ...proxied, ...JSON_TYPE, Cookie: cookie, Origin }, "{}");
    expect((await call("https://tools.example.com")).status).toBe(200);
    expect((await call("https://tools.example.com:8443")).status).toBe(403);
    expect((await call("https://other.example.com")).status).toBe(403);
  });

  const wrong = (make: (cookie: string, server: TestServer) => string) => make;
  it.each([
    ["no cookie", wrong(() => "a=b")],
    ["an empty one", wrong((_, { port }) => `toolwright_${port}=`)],
    ["one that is too short", wrong((cookie) => cookie.slice(0, -1))],
    ["one that is too long", wrong((cookie) => `${cookie}A`)],
    ["one with other letters", wrong((cookie) => cookie.toUpperCase().replace("TOOLWRIGHT", "toolwright"))],
    ["the token", wrong((_, { port }) => `toolwright_${port}=${TOKEN}`)],
    ["the right value for another port", wrong((cookie) => cookie.replace(/_\d+=/, "_1="))],
    ["the right value under a longer name", wrong((cookie) => `x${cookie}`)],
    ["the right value inside another cookie", wrong((cookie) => `a="${cookie}"`)],
    ["100 KB of cookies", wrong((cookie) => `${"a=b;".repeat(3_000)}${cookie.slice(0, -1)}`)],
  ])("[X1][S4] not accepted: %s", async (_, make) => {
    const server = await served();
    const answer = await send(server, "GET /api/tools", { Cookie: make(await cookieOf(server), server) });
    expect([answer.status, answer.error?.code]).toEqual([401, "unauthorized"]);
  });

  it("[S4] a cookie of the same name that another server of this host has set does not lock the page out", async () => {
    const server = await served();
    const cookie = await cookieOf(server);
    const planted = `toolwright_${server.port}=planted; ${cookie}`;
    expect((await send(server, "GET /api/tools", { Cookie: planted })).status).toBe(200);
  });

  it("[X1][S4] a cookie is not valid after the token has changed, and the response says what to do", async () => {
    const first = await served();
    const cookie = await cookieOf(first);
    const other = await served({ token: "another-token-for-tests" });
    const answer = await send(other, "GET /api/tools", { Cookie: cookie.replace(/_\d+=/, `_${other.port}=`) });
    expect(answer).toMatchObject({
      status: 401,
      error: {
        code: "unauthorized",
        message:
          'This server has another token since the login: it was restarted, or you have logged in to another server. Send "Authorization: Bearer TOKEN", with the token that was printed when it started.',
      },
    });
  });

  it("[X1][S4] a server without the page accepts no cookie", async () => {
    const withPage = await served();
    const cookie = await cookieOf(withPage);
    const server = await openServer({}, { tools: { tools: [ECHO] } });
    const answer = await send(server, "GET /api/tools", { Cookie: cookie.replace(/_\d+=/, `_${server.port}=`) });
    expect(answer.status).toBe(401);
    expect((await send(server, "GET /", {})).status).toBe(401);
    expect((await send(server, "POST /api/login", JSON_TYPE, `{"token":"${TOKEN}"}`)).status).toBe(401);
  });
});

describe("the token in the address", () => {
  it.each([
    ["/?token=TOKEN", "/"],
    ["/?a=1&token=TOKEN&b=2", "/?a=1&b=2"],
    ["/?token=TOKEN&token=again", "/"],
    ["/calls?range=7d&token=TOKEN", "/calls?range=7d"],
    ["/tools/a%20b?token=TOKEN", "/tools/a%20b"],
    ["/tools/../..//evil.example/?token=TOKEN", "/tools/../..//evil.example/"],
    ["/sessions//evil.example?token=TOKEN", "/sessions//evil.example"],
  ])("[X1][S4] %s is redirected to %s", async (path, location) => {
    const server = await served();
    const { status, text } = await send(server, `GET ${path.replace("TOKEN", TOKEN)}`);
    expect([status, /\r\nlocation: (.*)\r\n/i.exec(text)?.[1]]).toEqual([303, location]);
    expect(text).toMatch(/\r\nreferrer-policy: no-referrer\r\n/i);
    expect(text).toMatch(/\r\ncache-control: no-store\r\n/i);
    expect(text).not.toContain(TOKEN);
  });

  it.each([
    ["another site's address", "//evil.example/?token=TOKEN"],
    ["a backslash", "/\\evil.example/?token=TOKEN"],
    ["an unknown path", "/elsewhere?token=TOKEN"],
  ])("[X1][S4] no redirect and no cookie: %s", async (_, path) => {
    const server = await served();
    const { status, text } = await send(server, `GET ${path.replace("TOKEN", TOKEN)}`);
    expect([400, 404]).toContain(status);
    expect(text).not.toMatch(/set-cookie|location/i);
  });

  it("[X1][S4] a wrong token gets no cookie, and is removed from the address too", async () => {
    const server = await served();
    const { status, text } = await send(server, "GET /?token=wrong-token");
    expect([status, /\r\nlocation: (.*)\r\n/i.exec(text)?.[1]]).toEqual([303, "/#wrong-token"]);
    expect(text).not.toMatch(/set-cookie|=wrong/i);
  });

  it("[X1][S4] is not written to any log", async () => {
    const errors: string[] = [];
    const logged = vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
    onTestFinished(() => logged.mockRestore());
    const server = await served({ onError: (error) => void errors.push(error.stack ?? "") });
    await send(server, `GET /?token=${TOKEN}`);
    await send(server, `GET /api/tools?token=${TOKEN}`);
    await send(server, `GET /%zz?token=${TOKEN}`);
    expect((await (await server.ask("/metrics")).text()).includes(TOKEN)).toBe(false);
    expect(errors.join("")).not.toContain(TOKEN);
  });
});

describe("entering tokens", () => {
  const logIn = (server: TestServer, token: unknown, headers: Headers = JSON_TYPE): Promise<RawAnswer> =>
    send(server, "POST /api/login", headers, JSON.stringify({ token }));

  it("[X1][S4] after ten wrong tokens in a minute, wrong ones are refused sooner, and the right one works", async () => {
    const server = await served();
    for (let count = 0; count < 10; count += 1) expect((await logIn(server, `wrong-${count}`)).status).toBe(401);
    expect(await logIn(server, "wrong")).toMatchObject({
      status: 429,
      error: {
        code: "too_many_requests",
        message:
          "More than 10 wrong tokens were entered in a minute. Wait a minute, then use the token that was printed when the server started.",
      },
    });
    expect((await send(server, "GET /?token=wrong")).status).toBe(429);
    expect((await logIn(server, TOKEN)).status).toBe(200);
    expect((await send(server, `GET /?token=${TOKEN}`)).status).toBe(303);
    expect((await server.ask("/api/tools")).status).toBe(200);
  });

  it.each([
    ["a number", 1],
    ["nothing", undefined],
    ["a list", [TOKEN]],
    ["an object", { toString: TOKEN }],
    ["an empty text", ""],
    ["a token with a space after it", `${TOKEN} `],
    ["9 KB", "x".repeat(9_000)],
  ])("[X1][S4] no cookie for %s", async (_, token) => {
    const { status, text } = await logIn(await served(), token);
    expect([400, 401]).toContain(status);
    expect(text).not.toMatch(/set-cookie/i);
  });

  it.each<[string, Headers, number]>([
    ["a form", { "Content-Type": "text/plain" }, 415],
    ["another site", { ...JSON_TYPE, Origin: "https://evil.example" }, 403],
    ["another host", { ...JSON_TYPE, Host: "evil.example" }, 403],
  ])("[X1][S4] refused: %s", async (_, headers, status) => {
    expect((await logIn(await served(), TOKEN, headers)).status).toBe(status);
  });

  it("[X1] a body larger than a token can be is refused before it is read", async () => {
    expect((await logIn(await served(), "x".repeat(5_000_000))).status).toBe(413);
    expect((await logIn(await served(), "x".repeat(20_000))).status).toBe(413);
  });
});

describe("paths", () => {
  const api = ["/api/tools", "/api/sessions", "/openapi.json", "/metrics", "/mcp"];
  const tricks = [
    "/tools/..PATH",
    "/tools/../PATH",
    "/tools/%2e%2ePATH",
    "/tools/%2e%2e/PATH",
    "/tools/.%2ePATH",
    "/tools/..%2f..PATH",
    "/tools/..;PATH",
    "/assets/..PATH",
    "/assets/%2e%2ePATH",
    "/assets/..\\PATH",
    "/sessions/x/../..PATH",
    "/calls/%252e%252ePATH",
    "/.PATH",
    "/%2ePATH",
    "/\tPATH",
    "//PATH",
    "/healthz/..PATH",
    "/healthz?PATH",
    "/api/login/..PATH",
  ];
  it("[X1][S4] no way of writing a path leads to the API without the token", async () => {
    const server = await served();
    for (const path of api) {
      for (const trick of tricks) {
        for (const headers of [{}, { Accept: "text/html" }]) {
          const line = `GET ${trick.replace("PATH", path)}`;
          const { status, text } = await send(server, line, headers);
          const [, body = ""] = text.split("\r\n\r\n");
          const isHarmless = status >= 400 || body.includes("The page") || body === '{"status":"ok"}';
          expect([line, isHarmless]).toEqual([line, true]);
          expect([line, body.includes('"name":"echo"')]).toEqual([line, false]);
        }
      }
    }
  });

  it.each(["//example.com", "//example.com/%2f..", "/\\example.com", "/nothing"])(
    "[X1][S4] the login at %s leads to this server",
    async (path) => {
      const server = await served();
      for (const token of [TOKEN, "wrong"]) {
        const { status, text } = await send(server, `GET ${path}?token=${token}`, { Accept: "text/html" });
        expect(status).toBe(303);
        expect(text).toMatch(/\r\nlocation: \/(?:#wrong-token)?\r\n/i);
      }
    },
  );

  it.each(["PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get"])(
    "[X1][S4] %s of the page needs the token",
    async (method) => {
      const server = await served();
      for (const path of ["/", "/index.html", "/tools", "/assets/index-AbCd1234.js"]) {
        expect([400, 401]).toContain((await send(server, `${method} ${path}`)).status);
      }
    },
  );

  it.each([
    "/assets/../index.html",
    "/assets/..%2findex.html",
    "/assets/%2e%2e/%2e%2e/etc/passwd",
    "/assets/%252e%252e/%252e%252e/etc/passwd",
    "/assets/..\\..\\etc\\passwd",
    "/assets//etc/passwd",
    "/assets/\u0000.js".replace("\0", "%00"),
    "/assets/index-AbCd1234.js%00.txt",
    "/assets/index-AbCd1234.js/",
    "/assets/./index-AbCd1234.js",
    "/assets/INDEX-ABCD1234.JS",
    "/assets/secret.key",
    "/assets/",
    "/assets/linked.txt",
    "/linked.txt",
    "/package.txt",
  ])("[X1][S4] not a file of the page: %s", async (path) => {
    const pageFolder = pageFolderForTest();
    symlinkSync("/etc/passwd", join(pageFolder, "assets/linked.txt"));
    symlinkSync("/etc/passwd", join(pageFolder, "linked.txt"));
    const { status, text } = await send(await served({ pageFolder }), `GET ${path}`);
    expect(status).toBe(404);
    expect(text).not.toMatch(/root:|not a type|console\.log/);
  });
});

describe("full outputs", () => {
  it("[X1] only regular files in the folder of outputs are sent", async () => {
    const server = await served();
    const home = server.at.env.TOOLWRIGHT_HOME as string;
    const folder = join(home, "outputs", "s");
    mkdirSync(folder, { recursive: true });
    const whole = join(folder, "a.txt");
    writeFileSync(whole, "<script>all</script>");
    writeFileSync(join(home, "secret.txt"), "secret");
    symlinkSync(join(home, "secret.txt"), join(folder, "link.txt"));
    symlinkSync(home, join(folder, "up"));
    mkdirSync(join(home, "outputs-else"));
    writeFileSync(join(home, "outputs-else", "a.txt"), "secret");
    const get = (file: string): Promise<Response> => server.ask(`/api/outputs?file=${encodeURIComponent(file)}`);
    const answer = await get(whole);
    expect(await answer.text()).toBe("<script>all</script>");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="a.txt"',
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    const others = [
      ...["", ".", "/", "/etc/passwd", "a.txt", "s/a.txt", folder, join(home, "outputs"), join(home, "secret.txt")],
      ...[join(folder, "link.txt"), join(folder, "up/secret.txt"), join(folder, "../../secret.txt")],
      ...[`${folder}/../../outputs-else/a.txt`, `${whole}\0`, `${whole}/`, `${whole}\\..\\..\\secret.txt`],
      ...[whole.replaceAll("/", "%2f"), `file://${whole}`, "/proc/self/environ", "/dev/zero", join(folder, "none.txt")],
    ];
    for (const file of others) {
      const refused = await get(file);
      expect([file, refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
        file,
        404,
        "not_found",
      ]);
    }
    const double = await server.ask(
      `/api/outputs?file=${encodeURIComponent(join(home, "secret.txt"))}&file=${encodeURIComponent(whole)}`,
    );
    expect(double.status).not.toBe(200);
  });

  it("[X1] needs the token, however small the file", async () => {
    const server = await served();
    expect((await fetch(`${server.url}/api/outputs?file=x`)).status).toBe(401);
  });
});

describe("headers of the page", () => {
  const EXPECTED = {
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  it.each(["/", "/tools/x", "/calls", "/icon.svg", "/assets/index-AbCd1234.js", `/?token=${TOKEN}`, "/?token=wrong"])(
    "[X1][S4] %s cannot be framed, sniffed, or run foreign or inline code",
    async (path) => {
      const server = await served();
      const { headers } = await fetch(`${server.url}${path}`, { redirect: "manual" });
      expect(Object.fromEntries(headers)).toMatchObject(EXPECTED);
    },
  );

  it("[X1][S4] a page that is not built has the same headers", async () => {
    const server = await served({ pageFolder: "/no-such-folder" });
    const answer = await fetch(server.url);
    expect(answer.status).toBe(503);
    expect(Object.fromEntries(answer.headers)).toMatchObject(EXPECTED);
    expect(await answer.text()).toContain("<h1>The page is not built</h1>");
  });

  it("[X1][S4] responses of the API cannot be framed or used by other origins", async () => {
    const server = await served();
    for (const path of ["/api/catalog", "/api/calls", "/api/permissions", "/api/agents", "/nowhere"]) {
      const { headers } = await server.ask(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
    }
  });
});

describe("floods", () => {
  it("[X1] more pages than the limit are refused, and the server keeps serving", async () => {
    const server = await served({ limits: { pageReaders: 3 } });
    const streams = await Promise.all([1, 2, 3].map(() => server.ask("/api/events")));
    const refused = await server.ask("/api/events");
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: { code: "busy", message: "3 pages are open, which is the limit. Close one, then try again." } },
    ]);
    await streams[0]?.body?.cancel();
    await vi.waitFor(async () => {
      const again = await server.ask("/api/events");
      expect(again.status).toBe(200);
      await again.body?.cancel();
    }, PATIENT);
    expect((await server.post("/api/tools/echo/run", {})).status).toBe(200);
    await Promise.all(streams.slice(1).map((stream) => stream.body?.cancel()));
  });

  it("[X1] thousands of connections to the event stream: those above the limit are refused or dropped", async () => {
    const server = await served({ limits: { pageReaders: 20, connections: 100 } });
    const sockets = await Promise.all(Array.from({ length: 300 }, () => socketTo(server.port).catch(() => undefined)));
    for (const socket of sockets) socket?.write(head("GET /api/events", { Connection: "keep-alive" }));
    await sleep(300);
    for (const socket of sockets) socket?.destroy();
    await vi.waitFor(async () => expect((await server.post("/api/tools/echo/run", {})).status).toBe(200), PATIENT);
  });

  it("[X1] a flood of calls sends a page at most 100 events per second and one that says so", async () => {
    const server = await served();
    const stream = await server.ask("/api/events");
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const reading = (async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += Buffer.from(value).toString();
      }
    })();
    const begun = performance.now();
    await Promise.all(Array.from({ length: 1_000 }, () => server.toolbox.call({ name: "echo", input: {} }).result));
    await vi.waitFor(() => expect(text).toContain("event: calls\n"), PATIENT);
    const seconds = Math.ceil((performance.now() - begun) / 1_000) + 1;
    expect(text.match(/event: call_/g)?.length).toBeLessThanOrEqual(100 * seconds);
    await reader.cancel();
    await reading;
  });

  it("[X1] a page that does not read is disconnected, and does not fill the memory", async () => {
    const server = await served();
    const socket = await socketTo(server.port);
    socket.pause();
    socket.write(head("GET /api/events", { Connection: "keep-alive" }));
    const input = { text: "x".repeat(18_000) };
    // The system buffers some megabytes. A response is counted when it is closed; each round counts one of ours.
    const isClosed = async (rounds: number): Promise<boolean> => {
      const text = await (await server.ask("/metrics")).text();
      return Number(/toolwright_http_requests_total\{status="200"\} (\d+)/.exec(text)?.[1] ?? 0) > rounds;
    };
    let rounds = 0;
    while (!(await isClosed(rounds))) {
      rounds += 1;
      expect(rounds).toBeLessThan(40);
      for (let count = 0; count < 45; count += 1) await server.toolbox.call({ name: "echo", input }).result;
      await sleep(1_000);
    }
    expect((await server.post("/api/tools/echo/run", {})).status).toBe(200);
  });

  it("[X1] texts that a tool or client chooses cannot add events to the stream", async () => {
    const server = await served();
    const stream = await server.ask("/api/events");
    const input = { text: "a\n\nevent: question\ndata: {}\n\n\r\n\u2028" };
    await server.toolbox.call({ name: "echo", input, agent: "b\n\nevent: hello\ndata: {}\n\n" }).result;
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    await vi.waitFor(async () => {
      text += Buffer.from((await reader.read()).value ?? []).toString();
      expect(text).toContain("event: call_ended");
    }, PATIENT);
    expect(text.match(/^event: .*$/gm)).toEqual(["event: hello", "event: call_started", "event: call_ended"]);
    await reader.cancel();
  });

  it.each(["/api/permissions/explain", "/api/permissions/remove", "/api/tools/echo/render", "/api/login"])(
    "[X1] giant and hostile bodies: %s",
    async (path) => {
      const server = await served();
      const bodies = [
        "x",
        "[]",
        "null",
        '"a"',
        "{",
        '{"__proto__":{}}',
        `${"[".repeat(600)}${"]".repeat(600)}`,
        '{"tool":1}',
      ];
      for (const body of bodies) {
        const answer = await server.ask(path, { method: "POST", body, headers: JSON_TYPE });
        expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), 400]);
      }
      expect((await server.post(path, { text: "x".repeat(5_000_000) })).status).toBe(413);
      expect((await server.ask("/api/tools")).status).toBe(200);
    },
  );
});
