import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { type DeclaredAccess, ToolError } from "../../index.ts";
import { openPage, type PageOptions } from "./open-page.ts";
import type { Resolve } from "./resolve-host.ts";

/** A DNS server on loopback that answers each query with the next of these lists of addresses. */
async function nameServer(answers: readonly (readonly string[])[]): Promise<{ resolve: Resolve; asked: () => number }> {
  let asked = 0;
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    socket.send(answerTo(question, addresses), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const resolve: Resolve = async (host) => (await resolver.resolve4(host)).map((address) => ({ address, family: 4 }));
  return { resolve, asked: () => asked };
}

/** The query, repeated, and a record for each address. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}

async function serve(location?: string): Promise<{ port: number; asked: () => string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}`);
    response.writeHead(location ? 302 : 200, location ? { location } : {}).end("x");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, asked: () => asked };
}

/** Permits the listed targets, and records every access it is asked about. */
function options(resolve: Resolve, permitted: readonly string[]): PageOptions & { questions: DeclaredAccess[] } {
  const questions: DeclaredAccess[] = [];
  return {
    format: "text",
    maxRedirects: 10,
    signal: AbortSignal.timeout(20_000),
    resolve,
    questions,
    async permit(access) {
      questions.push(access);
      if (!permitted.includes(access.target)) throw new ToolError("denied", "No.");
    },
  };
}

it("[B8] [X1] a name is refused if any of its addresses is private, and no connection is made", async () => {
  const { port, asked } = await serve();
  const names = await nameServer([["8.8.8.8", "127.0.0.1"]]);
  const asking = options(names.resolve, []);
  const url = `http://mixed.example:${port}/`;
  await expect(openPage(new URL(url), asking)).rejects.toMatchObject({
    code: "denied",
    message: "mixed.example resolves to 127.0.0.1, which is a private address. No.",
  });
  expect(asking.questions).toEqual([{ kind: "network", target: url, named: true }]);
  expect(asked()).toEqual([]);
});

it("[B8] [X1] a name is resolved once: the address that was checked is the address that is connected to", async () => {
  const { port, asked } = await serve();
  const names = await nameServer([["127.0.0.1"], ["127.0.0.2"]]);
  const url = `http://rebound.example:${port}/`;
  const { response } = await openPage(new URL(url), options(names.resolve, [url]));
  response.destroy();
  expect(names.asked()).toBe(1);
  expect(asked()).toEqual([`rebound.example:${port}`]);
});

it("[B8] [X1] a name that resolves to a private address after a redirect is asked for again", async () => {
  const target = await serve();
  const names = await nameServer([["127.0.0.1"], ["10.0.0.1"]]);
  const next = `http://other.example:${target.port}/`;
  const { port } = await serve(next);
  const url = `http://first.example:${port}/`;
  const asking = options(names.resolve, [url]);
  await expect(openPage(new URL(url), asking)).rejects.toThrow(`${url} redirects to ${next}. No.`);
  const open = options((await nameServer([["127.0.0.1"], ["10.0.0.1"]])).resolve, [url]);
  let times = 0;
  const once = {
    ...open,
    permit: (access: DeclaredAccess) =>
      access.target === next && times++ === 0 ? Promise.resolve() : open.permit(access),
  };
  await expect(openPage(new URL(url), once)).rejects.toThrow(
    "other.example resolves to 10.0.0.1, which is a private address. No.",
  );
  expect(target.asked()).toEqual([]);
});

it("[B8] a name without addresses cannot be reached", async () => {
  const names = await nameServer([[]]);
  await expect(openPage(new URL("http://none.example/"), options(names.resolve, []))).rejects.toThrow(
    "http://none.example/ could not be reached",
  );
});

it("[B8] [P4] a cancelled call does not wait for a slow lookup", async () => {
  const cancel = new AbortController();
  const never: Resolve = () => new Promise(() => {});
  const opening = openPage(new URL("http://slow.example/"), { ...options(never, []), signal: cancel.signal });
  cancel.abort();
  await expect(opening).rejects.toThrow("http://slow.example/ could not be reached");
});
