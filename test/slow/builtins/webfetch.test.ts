import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { hostname } from "node:os";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { VERSION } from "../../../src/core/version.ts";
import { outputOf, type ToolResult } from "../../../src/index.ts";
import { type BuiltinOptions, openBuiltins } from "../../support/builtins.ts";
import { startedWith } from "../../support/processes.ts";

/** The port of a server on loopback that ends with the test. */
async function listen(server: Server): Promise<number> {
  const open = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => open.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(answer))}`;
const rule = (match: string, action = "allow"): object => ({ tool: "webfetch", match, action });

type Answer = string | { status?: number; headers?: Record<string, string>; body?: string | Buffer };

/** A server with these pages, which a rule allows, and a function that fetches them. In messages, AT replaces its address. */
async function site(pages: Record<string, Answer | RequestListener>, options: BuiltinOptions = {}) {
  const at = await serve((request, response) => {
    const page = pages[request.url ?? ""] ?? { status: 404, body: "" };
    if (typeof page === "function") return page(request, response);
    const {
      status = 200,
      headers = { "content-type": "text/html" },
      body,
    } = typeof page === "string" ? { body: page } : page;
    response.writeHead(status, headers).end(body);
  });
  const { settings = {}, ...rest } = options;
  const opened = await openBuiltins({}, { settings: { permissions: [rule(`${at}/*`)], ...settings }, ...rest });
  const get = (path: string, input: object = {}): Promise<ToolResult> =>
    opened.call("webfetch", { url: `${at}${path}`, ...input });
  const plain = (result: ToolResult): string =>
    outputOf(result)
      .replaceAll(at, "AT")
      .replaceAll(opened.at.env.TOOLWRIGHT_HOME as string, "HOME");
  return {
    ...opened,
    at,
    home: opened.at.home,
    get,
    text: async (path: string, input?: object) => plain(await get(path, input)),
    plain,
  };
}

const PAGE = `<!doctype html><html><head><title>Tea &amp;
 more</title><base href="/docs/"><style>p{}</style></head><body><nav><a href="/">Home</a></nav>
<h1>Tea <a href="#tea">¶</a></h1><script>alert("<p>no</p>")</script><noscript>no</noscript><svg><text>no</text></svg>
<p>Read <a href="tea.html">on</a>, <del>later</del> <b>now</b>.</p><p hidden>no</p>
<table><tr><th>Sort</th><th>Minutes</th></tr><tr><td>green</td><td>2</td></tr></table>
<pre><code class="language-sh">boil --water
</code></pre></body></html>`;

describe("a page", () => {
  it("[B8] becomes Markdown, after a header that describes it", async () => {
    const { get, plain } = await site({ "/": PAGE });
    const result = await get("/");
    expect(plain(result)).toBe(`URL: AT/
Type: text/html, ${PAGE.length + 1} bytes, as markdown
Title: Tea & more

# Tea

Read [on](AT/docs/tea.html), ~~later~~ **now**.

| Sort | Minutes |
| --- | --- |
| green | 2   |

\`\`\`sh
boil --water
\`\`\``);
    expect(result).toMatchObject({ ok: true, data: { status: 200, contentType: "text/html", title: "Tea & more" } });
  });

  it("[B8] becomes text, or stays HTML", async () => {
    const { text } = await site({ "/": PAGE });
    expect(await text("/", { format: "text" })).toBe(`URL: AT/
Type: text/html, ${PAGE.length + 1} bytes, as text
Title: Tea & more

Tea ¶

Read on, later now.

no

Sort	Minutes
green	2

boil --water`);
    expect(await text("/", { format: "html" })).toBe(`URL: AT/
Type: text/html, ${PAGE.length + 1} bytes, unchanged
Title: Tea & more

${PAGE}`);
  });

  it("[B8] that is not HTML is shown unchanged", async () => {
    const json = { headers: { "content-type": "application/json" }, body: '{"a":  [1,\n2]}' };
    const { text } = await site({
      "/json": json,
      "/none": { headers: {}, body: "# é <b>\n" },
      "/html": { headers: {}, body: "<!DOCTYPE html><p>x" },
    });
    expect(await text("/json")).toBe('URL: AT/json\nType: application/json, 14 bytes\n\n{"a":  [1,\n2]}');
    expect(await text("/none", { format: "html" })).toBe("URL: AT/none\nType: text/plain, 9 bytes\n\n# é <b>\n");
    expect(await text("/html")).toBe("URL: AT/html\nType: text/html, 19 bytes, as markdown\n\nx");
  });

  it("[B8] without content is reported as empty", async () => {
    const { text } = await site({
      "/204": { status: 204, headers: {} },
      "/empty": "",
      "/script": "<script>draw()</script>",
    });
    expect(await text("/204")).toBe("URL: AT/204\nType: text/plain, 0 bytes\n\nThe page has no text.");
    expect(await text("/empty")).toBe("URL: AT/empty\nType: text/html, 0 bytes, as markdown\n\nThe page has no text.");
    expect(await text("/script")).toBe(
      "URL: AT/script\nType: text/html, 23 bytes, as markdown\n\nThe page has no text.",
    );
  });

  it("[B8] is requested in the wanted format, with an honest user agent and no other headers", async () => {
    const { text } = await site({
      "/": ({ method, headers, rawHeaders }, response) => {
        const { accept, host, ...rest } = headers;
        response.end(JSON.stringify([method, rawHeaders.length / 2, accept, rest]));
      },
    });
    const rest = { "accept-encoding": "gzip, br, zstd", "user-agent": `Toolwright/${VERSION}`, connection: "close" };
    for (const [format, accept] of Object.entries({
      markdown: "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
      text: "text/plain, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.5",
      html: "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
    })) {
      const [, , , ...body] = (await text("/", { format })).split("\n");
      expect(JSON.parse(body.join("\n"))).toEqual(["GET", 5, accept, rest]);
    }
  });
});

describe("bytes", () => {
  const é = "<meta charset=utf-8><p>caf\u00e9";
  const packed = (encoding: string, body: Buffer): Answer => ({
    headers: { "content-type": "text/html", "content-encoding": encoding },
    body,
  });

  it("[B8] are decompressed", async () => {
    const twice = brotliCompressSync(gzipSync(é));
    const { text } = await site({
      "/gzip": packed("gzip", gzipSync(é)),
      "/deflate": packed("deflate", deflateSync(é)),
      "/br": packed("br", brotliCompressSync(é)),
      "/zstd": packed("zstd", zstdCompressSync(é)),
      "/twice": packed("gzip, br", twice),
      "/odd": packed("sdch", Buffer.from("x")),
      "/bad/gzip": packed("gzip", Buffer.from("not packed at all")),
      "/bad/br": packed("br", Buffer.from("not packed at all")),
      "/bad/zstd": packed("zstd", Buffer.from("not packed at all")),
    });
    for (const path of ["/gzip", "/deflate", "/br", "/zstd", "/twice"]) {
      expect(await text(path)).toBe(`URL: AT${path}\nType: text/html, 28 bytes, as markdown\n\ncafé`);
    }
    expect(await text("/odd")).toBe('The response has the content encoding "sdch", which is not supported.');
    for (const path of ["/bad/gzip", "/bad/br", "/bad/zstd"]) {
      expect(await text(path)).toBe(
        `AT${path} could not be fetched: the response is damaged: it cannot be decompressed. Try again.`,
      );
    }
  });

  it("[B8] are decoded by the byte order mark, else by the Content-Type, else by the declaration in the page", async () => {
    const as = (type: string, body: Buffer): Answer => ({ headers: { "content-type": type }, body });
    const latin = (text: string): Buffer => Buffer.from(text, "latin1");
    const { text } = await site({
      "/mark": as("text/html; charset=latin1", Buffer.from("\ufeff<p>é")),
      "/label": as('text/html; charset="windows-1251"', Buffer.from([0x3c, 0x70, 0x3e, 0xe4, 0xe0])),
      "/meta": as("text/html", latin("<meta charset=iso-8859-1><p>é")),
      "/guess": as("text/plain", latin("é")),
      "/wrong": as("text/html; charset=nonsense", Buffer.from("<p>é")),
      "/utf16": as("text/plain", Buffer.from("\ufeffé", "utf16le")),
      "/sjis": as("text/plain; charset=shift_jis", Buffer.from([0x93, 0xfa, 0x96, 0x7b])),
    });
    const last = async (path: string): Promise<string | undefined> => (await text(path)).split("\n").at(-1);
    for (const path of ["/mark", "/meta", "/guess", "/wrong", "/utf16"]) expect(await last(path), path).toBe("é");
    expect(await last("/label")).toBe("да");
    expect(await last("/sjis")).toBe("日本");
  });

  it("[B8] [P9] of images and PDFs are attached, detected by content and not by name", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const pdf = Buffer.from("%PDF-1.4\n%%EOF\n");
    const { get, plain, text } = await site({
      "/a.txt": { headers: { "content-type": "text/plain" }, body: png },
      "/docs/b%20c.pdf": { headers: { "content-type": "text/html" }, body: pdf },
      "/zip": { headers: { "content-type": "application/zip" }, body: Buffer.from("UEsDBBQAAAAAAA==", "base64") },
      "/unknown": { headers: { "content-type": "text/html" }, body: Buffer.from([0, 1, 2, 255]) },
      "/bmw": { headers: { "content-type": "text/plain" }, body: "BMW and more" },
    });
    const image = await get("/a.txt");
    expect(plain(image)).toBe(`URL: AT/a.txt\nType: image/png, ${png.length} bytes, attached`);
    expect(image.content).toContainEqual({ type: "image", data: png.toString("base64"), mimeType: "image/png" });
    const file = await get("/docs/b%20c.pdf");
    expect(plain(file)).toContain(`URL: AT/docs/b%20c.pdf\nType: application/pdf, ${pdf.length} bytes, attached`);
    expect(file.content[1]).toMatchObject({ mimeType: "application/pdf", name: "b_c.pdf" });
    expect(await text("/zip")).toBe(
      "AT/zip is application/zip of 10 bytes: neither text nor a PDF nor a picture that can be shown. If you need the file itself, download it with bash.",
    );
    expect(await text("/unknown")).toBe(
      "AT/unknown is text/html of 4 bytes: neither text nor a PDF nor a picture that can be shown. If you need the file itself, download it with bash.",
    );
    expect(await text("/bmw")).toBe("URL: AT/bmw\nType: text/plain, 12 bytes\n\nBMW and more");
  });
});

describe("limits", () => {
  it("[B8] [X1] at most 5 MB are read, compressed or not, with a notice", async () => {
    const plain = { "content-type": "text/plain" };
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, "a"));
    const { get, text } = await site({
      "/endless": (_request, response) => {
        response.writeHead(200, plain);
        const more = (): void => {
          while (!response.destroyed && response.write("é".repeat(50_000)));
        };
        response.on("drain", more);
        more();
      },
      "/bomb": { headers: { ...plain, "content-encoding": "gzip" }, body: bomb },
      "/image": {
        headers: {},
        body: Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(6_000_000)]),
      },
    });
    for (const path of ["/endless", "/bomb"]) {
      expect((await text(path)).slice(0, 160)).toContain(
        `URL: AT${path}\nType: text/plain, 5242880 bytes\nNote: It is longer than 5242880 bytes, and only that much of it was read.\n\n`,
      );
    }
    expect(await get("/bomb")).toMatchObject({ data: { bytes: 5_242_880, truncated: true } });
    expect(await text("/image")).toBe(
      "AT/image is image/png of more than 5242880 bytes, which is too large to be attached.",
    );
  });

  it("[B8] every limit can be set", async () => {
    const toolLimits = {
      webfetch: { bodyBytes: 7, redirects: 1, addressCharacters: 60, errorCharacters: 4, mostMs: 2_000 },
    };
    const to = (location: string): Answer => ({ status: 302, headers: { location } });
    const { text, at } = await site(
      {
        "/x": { headers: { "content-type": "text/plain" }, body: "café é!" },
        "/1": to("/2"),
        "/2": to("/3"),
        "/no": { status: 500, headers: {}, body: "abcdefgh" },
      },
      { settings: { toolLimits } },
    );
    // The limit is inside the last character, which is omitted.
    expect(await text("/x")).toBe(
      "URL: AT/x\nType: text/plain, 7 bytes\nNote: It is longer than 7 bytes, and only that much of it was read.\n\ncafé ",
    );
    expect(await text("/1")).toBe("AT/1 redirected more than 1 times. Try another address.");
    expect(await text("/no")).toBe(
      "AT/no answered 500 Internal Server Error. The server failed. Try again later.\n\nabcd...",
    );
    expect(await text(`/${"x".repeat(60)}`)).toBe(
      `The address has ${at.length + 61} characters, and at most 60 are sent. Shorten it.`,
    );
    expect(await text("/x", { timeout: 3_000 })).toBe(
      "The timeout may be at most 2000 milliseconds, not 3000. Send less.",
    );
  });

  it("[B8] [X1] a slow server, at the start or in the middle, is not waited for", async () => {
    const { text } = await site({
      "/silent": () => {},
      "/drip": (_request, response) => {
        const timer = setInterval(() => response.write("a"), 100);
        response.on("close", () => clearInterval(timer));
      },
    });
    for (const path of ["/silent", "/drip"]) {
      expect(await text(path, { timeout: 1_000 })).toBe(
        `AT${path} was not fetched within 1000 ms. Try again later, or with a larger timeout.`,
      );
    }
  });

  it("[B8] [X1] a page that is expensive to convert is shown as text, and delays no other call", async () => {
    const settings = { toolLimits: { webfetch: { convertMs: 5_000 } } };
    const { text } = await site(
      {
        "/deep": `${"<div>".repeat(1_000_000)}deep`,
        "/wide": "<table><tr><th colspan=999999999>a</th><th>b</th></tr><tr><td>wide</td></tr></table>",
        "/": "<p>small",
      },
      { settings },
    );
    const [deep, wide, small] = await Promise.all([text("/deep"), text("/wide"), text("/")]);
    const note = "Note: It could not be converted to markdown within 5000 ms and 192 MB, so it is shown as text.";
    expect(deep).toBe(`URL: AT/deep\nType: text/html, 5000004 bytes, as text\n${note}\n\ndeep`);
    expect(wide).toBe(`URL: AT/wide\nType: text/html, 84 bytes, as text\n${note}\n\na\tb\nwide`);
    expect(small).toBe("URL: AT/\nType: text/html, 8 bytes, as markdown\n\nsmall");
  });

  it("[B8] [P4] a cancelled call disconnects from the server at once", async () => {
    let closed: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      closed = resolve;
    });
    let begun: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { toolbox, at } = await site({
      "/": (_request, response) => {
        response.on("close", closed).write("a");
        begun();
      },
    });
    const run = toolbox.call({ name: "webfetch", input: { url: `${at}/` } });
    await asked;
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    await left;
  });

  it("[B8] [P4] a cancelled call ends the process that converts its page", async () => {
    const { toolbox, at, home } = await site({ "/": `${"<div>".repeat(1_000_000)}deep` });
    const converters = (): string[] => startedWith(home).filter((line) => line.includes("page-converter"));
    const run = toolbox.call({ name: "webfetch", input: { url: `${at}/` } });
    await vi.waitFor(() => expect(converters()).toHaveLength(1), 10_000);
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    await vi.waitFor(() => expect(converters()).toEqual([]), 10_000);
  });

  it("[B8] [P6] the number of received bytes is shown as progress", async () => {
    const { toolbox, at } = await site({
      "/": (_request, response) => {
        response.write("a");
        setTimeout(() => response.write("b"), 400);
        setTimeout(() => response.end("c"), 800);
      },
    });
    const run = toolbox.call({ name: "webfetch", input: { url: `${at}/` } });
    const updates = [];
    for await (const event of run) if (event.type === "tool.update") updates.push(event);
    expect(updates).toMatchObject([
      { title: `${at}/`, metadata: { bytes: 2 } },
      { title: `${at}/`, metadata: { bytes: 3 } },
    ]);
  });
});

describe("failures", () => {
  it("[B8] are responses with a status from 400 on, with advice and the text of the page", async () => {
    const page = (status: number, headers: Record<string, string> = {}): Answer => ({
      status,
      headers: { "content-type": "text/html", ...headers },
      body: "<title>T</title><h1>No</h1><script>x</script>",
    });
    const { get, text } = await site({
      "/401": page(401),
      "/403": page(403),
      "/410": page(410),
      "/429": page(429, { "retry-after": "30" }),
      "/503": page(503, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }),
      "/418": page(418),
      "/304": { status: 304, headers: {} },
    });
    expect(await get("/404")).toMatchObject({ ok: false, error: { code: "failed" } });
    expect(await text("/404")).toBe(
      "AT/404 answered 404 Not Found. Check the address, or find the page through another one.",
    );
    expect(await text("/401")).toBe(
      "AT/401 answered 401 Unauthorized. It requires a login, and credentials are never sent. Find another source.\n\nNo",
    );
    expect(await text("/403")).toBe("AT/403 answered 403 Forbidden. Access is forbidden. Find another source.\n\nNo");
    expect(await text("/410")).toBe(
      "AT/410 answered 410 Gone. The page was removed permanently. Find another source.\n\nNo",
    );
    expect(await text("/429")).toBe(
      "AT/429 answered 429 Too Many Requests. The server limits requests. Wait before you try again. It asks to wait 30 seconds.\n\nNo",
    );
    expect(await text("/503")).toBe(
      "AT/503 answered 503 Service Unavailable. The server failed. Try again later.\n\nNo",
    );
    expect(await text("/418")).toBe("AT/418 answered 418 I'm a Teapot.\n\nNo");
    expect(await text("/304")).toBe("AT/304 answered 304 Not Modified.");
  });

  it("[B8] of the network are explained", async () => {
    const gone = await listen(createTcpServer((socket) => socket.destroy()));
    const garbage = await listen(createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n")));
    const half = await listen(
      createTcpServer((socket) =>
        socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")),
      ),
    );
    const upgrade = await listen(
      createTcpServer((socket) =>
        socket.once("data", () => socket.write("HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")),
      ),
    );
    const tls = await listen(createTlsServer({ key: KEY, cert: CERTIFICATE }));
    const { say } = await openBuiltins(
      {},
      {
        settings: {
          permissions: [rule("http://127.0.0.1:*"), rule("https://127.0.0.1:*"), rule("http://no.invalid/")],
        },
      },
    );
    const get = (url: string): Promise<string> => say("webfetch", { url });
    const cut = "the server closed the connection. Try again.";
    for (const [url, why] of [
      [`http://127.0.0.1:${gone}/`, cut],
      [`http://127.0.0.1:${half}/`, cut],
      [`http://127.0.0.1:${garbage}/`, "the server does not speak HTTP."],
      [`http://127.0.0.1:${upgrade}/`, "the connection was closed before a response arrived."],
      ["http://127.0.0.1:1/", "nothing listens on this port. Check the address and whether the server runs."],
      [
        `https://127.0.0.1:${garbage}/`,
        "the server does not speak TLS there. If it is a plain server, write http:// instead of https://.",
      ],
      [`https://127.0.0.1:${tls}/`, "the certificate of the server is self-signed."],
    ] as const) {
      expect(await get(url)).toBe(`${url} could not be fetched: ${why}`);
    }
    expect(await get("http://no.invalid/")).toMatch(
      /^http:\/\/no\.invalid\/ could not be fetched: (?:there is no host of this name|the host's name could not be looked up now)\./,
    );
  });

  it("[B8] of the input explain what to send instead", async () => {
    const { say, call } = await openBuiltins({}, { callerIsAsked: true });
    const get = (url: string, more: object = {}): Promise<string> => say("webfetch", { url, ...more });
    expect(await get("example.com/a")).toBe(
      "example.com/a has no scheme. Write the whole address: https://example.com/a",
    );
    expect(await get("file:///etc/passwd")).toBe("file: addresses are not fetched. Only http: and https: are.");
    expect(await get("http://u:secret@example.com/a")).toBe(
      "The address has a user name or a password in it, and those are never sent. Write it without: http://example.com/a",
    );
    expect(await get("https://example.com/", { format: "pdf" })).toContain("/format: ");
    expect(await get("https://example.com/", { timeout: 30 })).toBe(
      'The input for "webfetch" is not valid:\n- /timeout: The timeout is in milliseconds: send 1000 or more.\nCorrect it and call the tool again.',
    );
    expect(await call("webfetch", {})).toMatchObject({ ok: false, error: { code: "invalid_input" } });
  });
});

describe("redirects", () => {
  it("[B8] are followed and shown", async () => {
    const { get, plain } = await site({
      "/a": { status: 301, headers: { location: "b?x=1#part" } },
      "/b?x=1": { status: 307, headers: { location: "/c%C3%A9/" } },
      "/c%C3%A9/": { status: 303, headers: { location: Buffer.from("/é", "utf8").toString("latin1") } },
      "/%C3%A9": "<p>here",
    });
    const result = await get("/a#top");
    expect(plain(result)).toBe(`URL: AT/%C3%A9
Redirects: AT/a (301) -> AT/b?x=1 (307) -> AT/c%C3%A9/ (303) -> AT/%C3%A9
Type: text/html, 7 bytes, as markdown

here`);
  });

  it("[B8] [X1] that lead nowhere, in circles, or to another protocol are not followed", async () => {
    const to = (location: string): Answer => ({ status: 302, headers: { location } });
    const { text } = await site({
      "/none": { status: 302, headers: {} },
      "/self": to("/self"),
      "/odd": to("http://"),
      "/file": to("file:///etc/passwd"),
      "/data": to("data:text/html,hi"),
      "/login": to("http://a:b@127.0.0.1/"),
    });
    expect(await text("/none")).toBe(
      "AT/none answered with a redirect without a Location header. Try another address.",
    );
    expect(await text("/self")).toBe("AT/self redirects in a loop, back to AT/self. Try another address.");
    expect(await text("/odd")).toBe("AT/odd redirects to http://, which is not an address.");
    expect(await text("/file")).toBe("AT/file redirects to a file: address, which is not followed.");
    expect(await text("/data")).toBe("AT/data redirects to a data: address, which is not followed.");
    expect(await text("/login")).toBe(
      "AT/login redirects to an address with a user name or a password in it, which is not followed.",
    );
  });

  it("[B8] [X1] end after ten", async () => {
    const at = await serve((request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end();
    });
    const { say } = await openBuiltins({}, { settings: { permissions: [rule(`${at}/*`)] } });
    expect(await say("webfetch", { url: `${at}/0` })).toBe(
      `${at}/0 redirected more than 10 times. Try another address.`,
    );
  });
});

describe("permissions", () => {
  const needed = (url: string, home: string): string =>
    `The tool "webfetch" fetching "${url}" needs a person's approval: a general rule is not enough, and no rule names that address. No person can be asked here, so it was refused. To allow it, the user can add {"tool":"webfetch","match":"${url}","action":"allow"} to "permissions" in ${home}/settings.json.`;

  it("[B8] [X1] a general allow rule does not cover this machine, however its address is written", async () => {
    let asked = 0;
    const at = await serve((_request, response) => {
      asked++;
      response.end("secret");
    });
    const port = at.split(":")[2];
    const { say, at: box } = await openBuiltins(
      {},
      { callerIsAsked: true, settings: { permissions: [{ tool: "*", action: "allow" }, rule("*")] } },
    );
    for (const [host, seen] of [
      ["127.0.0.1", "127.0.0.1"],
      ["localhost", "localhost"],
      ["LOCALHOST.", "localhost"],
      ["a.localhost", "a.localhost"],
      ["2130706433", "127.0.0.1"],
      ["0x7f.1", "127.0.0.1"],
      ["0177.0.0.1", "127.0.0.1"],
      ["127.0.0.1.", "127.0.0.1"],
      ["127.1", "127.0.0.1"],
      ["0", "0.0.0.0"],
      ["[::1]", "[::1]"],
      ["[::]", "[::]"],
      ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
      ["[64:ff9b::7f00:1]", "[64:ff9b::7f00:1]"],
      ["１２７.0.0.1", "127.0.0.1"],
      ["169.254.169.254", "169.254.169.254"],
    ] as const) {
      const url = `http://${seen}:${port}/`;
      expect(await say("webfetch", { url: `http://${host}:${port}/` })).toBe(
        `"webfetch" was not allowed to run. ${needed(url, box.env.TOOLWRIGHT_HOME as string)}`,
      );
    }
    expect(asked).toBe(0);
  });

  it("[B8] [X1] a general allow rule does not cover a name that resolves to this machine", async () => {
    const addresses = await lookup(hostname(), { all: true });
    const at = await serve((_request, response) => void response.end("secret"));
    const url = `http://${hostname().toLowerCase()}:${at.split(":")[2]}/`;
    const { call, at: box } = await openBuiltins({}, { callerIsAsked: true });
    const result = await call("webfetch", { url });
    expect(result).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(outputOf(result)).toBe(
      `${hostname().toLowerCase()} resolves to ${addresses[0]?.address}, which is a private address. ${needed(url, box.env.TOOLWRIGHT_HOME as string)}`,
    );
    const named = await openBuiltins({}, { settings: { permissions: [rule(url)] } });
    const listens = addresses.some(({ address }) => address === "127.0.0.1");
    if (listens) expect(await named.say("webfetch", { url })).toBe(`URL: ${url}\nType: text/plain, 6 bytes\n\nsecret`);
  });

  it("[B8] [X1] a general allow rule does not cover a redirect to a private address", async () => {
    let asked = 0;
    const inner = await serve((_request, response) => {
      asked++;
      response.end("secret");
    });
    const to = (location: string): Answer => ({ status: 302, headers: { location } });
    const name = `http://${hostname().toLowerCase()}:${inner.split(":")[2]}/`;
    const { text, get } = await site(
      { "/inner": to(`${inner}/`), "/cloud": to("http://169.254.169.254/latest/"), "/name": to(name) },
      { callerIsAsked: true },
    );
    expect(await get("/inner")).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await text("/inner")).toBe(`AT/inner redirects to ${inner}/. ${needed(`${inner}/`, "HOME")}`);
    expect(await text("/cloud")).toBe(
      `AT/cloud redirects to http://169.254.169.254/latest/. ${needed("http://169.254.169.254/latest/", "HOME")}`,
    );
    expect(await text("/name")).toContain(`which is a private address. ${needed(name, "HOME")}`);
    expect(asked).toBe(0);
  });

  it("[P3] a rule that denies an address also denies a redirect to it", async () => {
    const to = { status: 302, headers: { location: "https://example.com/x" } };
    const at = await serve((_request, response) => void response.writeHead(to.status, to.headers).end());
    const permissions = [rule(`${at}/*`), rule("https://example.com/*", "deny")];
    const { call, say } = await openBuiltins({}, { callerIsAsked: true, settings: { permissions } });
    const denied =
      'The tool "webfetch" fetching "https://example.com/x" is denied by the user\'s rule {"tool":"webfetch","match":"https://example.com/*","action":"deny"}. Do not retry it in another form. Find another way, or tell the user which rule denies it.';
    expect(await say("webfetch", { url: "https://example.com./x" })).toBe(
      `"webfetch" was not allowed to run. ${denied}`,
    );
    const result = await call("webfetch", { url: `${at}/` });
    expect(outputOf(result)).toBe(`${at}/ redirects to https://example.com/x. ${denied}`);
  });

  it("[P3] [B8] a person's approval of this address is enough, and the time of the question is not counted", async () => {
    const other = await serve((_request, response) => void response.end("there"));
    const at = await serve((_request, response) => void response.writeHead(302, { location: other }).end());
    const asked: unknown[] = [];
    const { say } = await openBuiltins(
      {},
      {
        approve: async ({ access }) => {
          asked.push(...access);
          await new Promise((resolve) => setTimeout(resolve, 700));
          return { allowed: true };
        },
      },
    );
    expect(await say("webfetch", { url: at, timeout: 1_000 })).toBe(
      `URL: ${other}/\nRedirects: ${at}/ (302) -> ${other}/\nType: text/plain, 5 bytes\n\nthere`,
    );
    expect(asked).toEqual([
      { kind: "network", target: `${at}/`, named: true },
      { kind: "network", target: `${other}/`, named: true },
    ]);
  });
});

/** Self-signed, for these tests only. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMluHAKkBuIxw6exC
1fLla/VLkJb0xqSB1TuARDxRYcuhRANCAASp3K3bqpj4yHG6w62RoqJXzp3C/N1h
sSLSYYeYx23peVV1+iSpuNxzrpJ4yIHnvBlUgIILUn8O78+c1XHeDwE5
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBETCBuAIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcN
MjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2Fs
aG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKncrduqmPjIcbrDrZGiolfO
ncL83WGxItJhh5jHbel5VXX6JKm43HOuknjIgee8GVSAggtSfw7vz5zVcd4PATkw
CgYIKoZIzj0EAwIDSAAwRQIhAMeHmd2oJWuT3TAoljDxetJTd2gIZDjNeYosyqlJ
g817AiBtvHynEX4o/IFanqwFHzpo2BebEggGo0F7r2/39TaGaA==
-----END CERTIFICATE-----`;
