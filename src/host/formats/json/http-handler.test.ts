import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { callTool, jsonTool } from "../../../../test/support/json-tool.ts";
import { temporary } from "../../../../test/support/temporary.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server for one test; returns its address without a trailing slash. */
async function serve(answer: Answer): Promise<string> {
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Responds with the request as JSON. */
const echo: Answer = ({ method, url, headers }, response, body) => {
  const { authorization, "x-key": key, "content-type": type } = headers;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ method, url, body, authorization, key, type }));
};

interface Result {
  output: string;
  content: { text: string }[];
  isError?: boolean;
  metadata: object;
}

async function call(handler: object, input: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Result> {
  const folder = temporary();
  const tool = await jsonTool(folder, { type: "http", method: "GET", ...handler }, ["url", "id", "q", "token"]);
  return (await callTool(tool, input, folder, signal ? { abort: signal } : {})) as Result;
}

const echoed = async (handler: object, input?: Record<string, unknown>): Promise<Record<string, unknown>> =>
  JSON.parse((await call(handler, input)).output);
const refused = (handler: object, input?: Record<string, unknown>): Promise<string> =>
  call(handler, input).then(
    (result) => `not refused: ${JSON.stringify(result)}`,
    (error: Error) => error.message,
  );

describe("requests", () => {
  it("[A6] send the other arguments in the query of a GET", async () => {
    const at = await serve(echo);
    const handler = { url: `${at}/users/{{id}}?fixed=1&q={{q}}` };
    const input = { id: "a/b c?&#", q: "x&y=z", more: ["1", 2], deep: { a: 1 }, none: null };
    expect(await echoed(handler, input)).toEqual({
      method: "GET",
      url: "/users/a%2Fb%20c%3F%26%23?fixed=1&q=x%26y%3Dz&more=1&more=2&deep=%7B%22a%22%3A1%7D",
      body: "",
    });
    expect((await echoed(handler, { id: 1 })).url).toBe("/users/1?fixed=1");
  });

  it.each(["POST", "PUT", undefined])("[A6] send the other arguments in the body: %s", async (method) => {
    const at = await serve(echo);
    expect(await echoed({ url: `${at}/{{id}}`, method }, { id: 1, q: [true], more: { a: null } })).toEqual({
      method: method ?? "POST",
      url: "/1",
      body: '{"q":[true],"more":{"a":null}}',
      type: "application/json",
    });
  });

  it("[A6] leave out queries and headers of missing arguments, and say so; a path cannot be left out", async () => {
    const at = await serve(({ url }, response) => {
      response.statusCode = url?.startsWith("/empty") ? 204 : url?.startsWith("/none") ? 404 : 200;
      response.end(response.statusCode === 200 ? url : "");
    });
    const headers = { Authorization: "Bearer {{token}}" };
    const note =
      '"q" was not sent and was left out of the URL. "token" was not sent and the header Authorization was left out.';
    const host = at.replace("http://", "");
    expect(await call({ url: `${at}/found?fixed=1&q={{q}}`, headers })).toEqual({
      output: "/found?fixed=1",
      metadata: { status: 200, omitted: ["q", "token"] },
    });
    expect(await call({ url: `${at}/empty?q={{q}}`, headers })).toMatchObject({
      output: `GET http://${host}/empty answered 204 No Content, with an empty body. ${note}`,
    });
    expect(await call({ url: `${at}/none?q={{q}}`, headers })).toMatchObject({
      content: [{ text: `GET http://${host}/none answered 404 Not Found. ${note}` }],
      isError: true,
    });
    expect(await refused({ url: `${at}/users/{{id}}/{{q}}` }, { q: "a" })).toBe(
      'The URL needs "id". Send a value for it.',
    );
  });

  it("[A6] insert arguments into headers, and send them nowhere else", async () => {
    const at = await serve(echo);
    const headers = { Authorization: "Bearer {{token}}", "X-Key": "k", "Content-Type": "text/x" };
    const handler = { url: at, method: "POST", headers };
    expect(await echoed(handler, { token: "t" })).toEqual({
      method: "POST",
      url: "/",
      body: "{}",
      authorization: "Bearer t",
      key: "k",
      type: "text/x",
    });
    expect((await echoed(handler)).authorization).toBeUndefined();
    const message =
      '"token" is sent in a header and contains characters that are not allowed there. Remove line breaks, control characters and characters beyond Latin-1.';
    for (const token of ["a\r\nX-Evil: 1", "a\nb", "a\0", "日本"])
      expect(await refused(handler, { token })).toBe(message);
  });

  it("[A6] [X1] keep the host of a base URL", async () => {
    const at = await serve(echo);
    const handler = { url: "{{url}}/health" };
    for (const url of [at, `${at}/`]) expect((await echoed(handler, { url })).url).toBe("/health");
    expect((await echoed(handler, { url: `${at}/v1` })).url).toBe("/v1/health");
    expect((await echoed({ url: "{{url}}" }, { url: `${at}/x?y=1#z` })).url).toBe("/x?y=1");
    const whole = '"url" must be an absolute URL that starts with http:// or https://, such as https://example.com.';
    for (const url of [
      "file:///etc/passwd",
      "ftp://x",
      "example.com",
      "//x",
      "",
      " http://x",
      "http://a\\b",
      "http://",
      "data:,x",
    ]) {
      expect(await refused(handler, { url })).toBe(whole);
    }
    expect(await refused(handler, {})).toBe(whole);
    expect(await refused(handler, { url: "http://user:pass@127.0.0.1" })).toBe(
      '"url" contains a user name or a password. Send the URL without them.',
    );
    for (const url of [`${at}?x=`, `${at}#`]) {
      expect(await refused(handler, { url })).toBe(
        '"url" contains "?" or "#", but the tool extends its path. Send the URL without them.',
      );
    }
    expect((await echoed({ url: "{{url}}.evil.example" }, { url: at })).url).toBe("/.evil.example");
    expect((await echoed({ url: "{{url}}//evil.example" }, { url: at })).url).toBe("//evil.example");
  });

  it("[A6] [X1] keep each value in its path segment", async () => {
    const at = await serve(echo);
    for (const id of [".", ".."]) {
      expect(await refused({ url: `${at}/a/{{id}}/b` }, { id })).toBe(
        `"id" would lead to another path on the server. Send a name, not "${id}".`,
      );
    }
    expect(await refused({ url: `${at}/a/.{{id}}` }, { id: "." })).toMatch(/^"id" would lead to another path/);
    expect(await refused({ url: `${at}/a/{{id}}` }, {})).toBe('The URL needs "id". Send a value for it.');
    expect((await echoed({ url: `${at}/a/{{id}}` }, { id: "../../b" })).url).toBe("/a/..%2F..%2Fb");
    expect((await echoed({ url: `${at}/a/{{id}}` }, { id: "%2e%2e" })).url).toBe("/a/%252e%252e");
    for (const id of ["evil.example/", "evil.example#", "x@evil.example", "a:1", "a\\"]) {
      expect(await refused({ url: "http://{{id}}.invalid/" }, { id })).toMatch(/^The values do not make a valid URL/);
    }
  });

  it("[P3] declare their URL", async () => {
    const tool = await jsonTool(temporary(), { type: "http", url: "https://x.example/{{id}}", method: "GET" }, ["id"]);
    expect(tool.access?.({ id: "a b", q: "1" }, { cwd: "/" })).toEqual([
      { kind: "network", target: "https://x.example/a%20b?q=1" },
    ]);
    expect(tool.hints).toEqual({ readOnly: true, openWorld: true, idempotent: true });
  });
});

describe("redirects", () => {
  const to =
    (location: string, status = 302): Answer =>
    (_request, response) => {
      response.writeHead(status, { location }).end("moved");
    };

  it("[A6] are followed, with the method that the status requires", async () => {
    for (const [status, method, body] of [
      [301, "GET", ""],
      [302, "GET", ""],
      [303, "GET", ""],
      [307, "POST", "{}"],
      [308, "POST", "{}"],
    ] as const) {
      const at = await serve((request, response, text) =>
        request.url === "/" ? to("/next", status)(request, response, text) : echo(request, response, text),
      );
      const headers = { "X-Key": "k" };
      expect(await echoed({ url: `${at}/`, method: "POST", headers })).toMatchObject({
        method,
        body,
        url: "/next",
        key: "k",
      });
    }
  });

  it("[A6] [X1] to another host drop the headers, even after a redirect back", async () => {
    const last = await serve(echo);
    const middle = await serve(to(`${last}/x`));
    const headers = { Authorization: "secret", "X-Key": "secret" };
    expect(await echoed({ url: await serve(to(middle)), headers })).toEqual({ method: "GET", url: "/x", body: "" });
  });

  it("[A6] [X1] do not leave http and https, nor carry passwords", async () => {
    for (const [location, why] of [
      ["file:///etc/passwd", "file: URLs are not fetched, only http: and https: URLs."],
      ["data:text/plain,x", "data: URLs are not fetched, only http: and https: URLs."],
      ["http://a:b@127.0.0.1:1/", "A URL with a user name or a password is not fetched: 127.0.0.1:1."],
    ] as const) {
      const at = await serve(to(location));
      expect(await refused({ url: at })).toBe(
        `GET ${at}/ failed: ${at.slice(7)} sent a redirect that is not followed. ${why}`,
      );
    }
  });

  it("[A6] [X1] end after five", async () => {
    const at = await serve(to("/"));
    expect(await refused({ url: at })).toBe(`GET ${at}/ failed: ${at.slice(7)} redirected more than 5 times.`);
  });

  it("[A6] [X1] go only to hosts that are allowed, like the request itself", async () => {
    const other = await serve(echo);
    const at = await serve(to(other));
    const allowHosts = [at.slice(7)];
    expect(await refused({ url: at, allowHosts })).toBe(
      `GET ${at}/ failed: ${other.slice(7)} is not a host that this tool may reach. Allowed: ${allowHosts[0]}. Use one of these, or ask the author of the tool to add it to handler.allowHosts.`,
    );
    expect((await echoed({ url: at, allowHosts: ["127.0.0.1"] })).method).toBe("GET");
    expect((await echoed({ url: at, allowHosts: [at.slice(7), other.slice(7)] })).method).toBe("GET");
    const port = other.split(":")[2];
    for (const wide of ["*.0.0.1", `*.0.0.1:${port}`]) {
      expect((await echoed({ url: other, allowHosts: [wide] })).method).toBe("GET");
    }
    for (const denied of ["27.0.0.1", "*.27.0.0.1", "*.127.0.0.1", "*.0.0.1:1", "127.0.0.1:1", "localhost"]) {
      expect(await refused({ url: other, allowHosts: [denied] })).toContain("is not a host that this tool may reach");
    }
  });
});

describe("answers", () => {
  const answering = async (status: number, type: string | undefined, body: string | Buffer): Promise<Result> => {
    const at = await serve((_request, response) => {
      response.writeHead(status, "Some Words", type ? { "content-type": type } : {}).end(body);
    });
    const result = await call({ url: `${at}/x?key=secret` });
    return JSON.parse(JSON.stringify(result).replaceAll(at, "AT")) as Result;
  };

  it("[A6] are returned as text or image, other types as a notice", async () => {
    expect(await answering(200, "application/json", '{"a":  1}')).toEqual({
      output: '{"a":  1}',
      metadata: { status: 200, contentType: "application/json" },
    });
    expect((await answering(200, "text/plain; charset=latin1", Buffer.from([0xe9]))).output).toBe("é");
    expect((await answering(200, undefined, "é")).output).toBe("é");
    expect((await answering(204, undefined, "")).output).toBe("GET AT/x answered 204 Some Words, with an empty body.");
    expect((await answering(200, "application/zip", Buffer.from([0, 1, 2]))).output).toBe(
      "[application/zip, 3 bytes: not shown because it is not text]",
    );
    const png = Buffer.from("89504e470d0a1a0a0000", "hex");
    expect(await answering(200, "image/png", png)).toMatchObject({
      content: [{ type: "image", data: png.toString("base64"), mimeType: "image/png" }],
    });
  });

  it("[A6] with a status from 400 on are failures, with the start of the body", async () => {
    expect(await answering(500, "text/plain", "x".repeat(10_000))).toEqual({
      content: [{ type: "text", text: `GET AT/x answered 500 Some Words.\n${"x".repeat(4_000)}` }],
      details: { status: 500, contentType: "text/plain" },
      isError: true,
    });
    expect((await answering(404, undefined, "")).content[0]?.text).toBe("GET AT/x answered 404 Some Words.");
  });

  it("[A6] [X1] that are too long or endless are truncated, with a notice", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "é");
    let closed: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const at = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more).on("close", closed);
      more();
    });
    const { output } = await call({ url: at });
    await ended;
    expect(Buffer.byteLength(output)).toBeLessThan(5 * 1024 * 1024 + 100);
    expect(output.slice(-75)).toBe(
      "éé\n[truncated: only the first 5242880 bytes of the response were read]".padStart(75, "é"),
    );
  });

  it("[A6] [X1] that take too long, at the start or in the middle, fail; so does a call that is cancelled", async () => {
    for (const begin of [false, true]) {
      const at = await serve((_request, response) => {
        if (begin) response.write("a");
      });
      expect(await refused({ url: at, timeout: 200 })).toBe(
        `GET ${at}/ was not answered within 200 ms. Try again later, or ask the author of the tool to raise handler.timeout.`,
      );
    }
    const controller = new AbortController();
    const at = await serve(() => controller.abort());
    await expect(call({ url: at }, {}, controller.signal)).rejects.toThrow(`GET ${at}/ failed: `);
  });

  it("[A6] that never arrive fail with the reason", async () => {
    expect(await refused({ url: "http://127.0.0.1:1/x" })).toMatch(/^GET http:\/\/127\.0\.0\.1:1\/x failed: /);
  });
});
