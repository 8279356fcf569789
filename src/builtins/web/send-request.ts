import type { LookupAddress } from "node:dns";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import about from "../../../package.json" with { type: "json" };
import { normalAddress } from "./private-address.ts";

/** The format that an HTML page is converted to. */
export type PageFormat = "text" | "markdown" | "html";

const ACCEPT: Record<PageFormat, string> = {
  markdown: "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
  text: "text/plain, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.5",
  html: "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
};

/** Where to go, and the only addresses that may be connected to. */
export interface Destination {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

/**
 * Sends one GET and waits for the head of the answer. No name is looked up here: the connection is made to the given
 * addresses and no others. No cookies, no proxy, no connection that is kept. The signal ends it at once.
 */
export function sendRequest(
  { url, addresses }: Destination,
  format: PageFormat,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request, Agent } = url.protocol === "https:" ? https : http;
  const options = {
    agent: new Agent({ keepAlive: false }),
    headers: headersFor(format),
    lookup: answerWith(addresses),
    signal,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      // Without a listener, a connection that breaks before the body is read would end the process.
      response.on("error", () => {});
      resolve(response);
    });
    sent.on("error", reject);
    sent.on("close", () => reject(new Error("the connection was closed before there was an answer")));
    sent.on("socket", (socket) => {
      socket.once("connect", () => {
        if (!isAmong(addresses, socket.remoteAddress)) sent.destroy(new Error("another address was connected to"));
      });
    });
    sent.end();
  });
}

function headersFor(format: PageFormat): Record<string, string> {
  return {
    Accept: ACCEPT[format],
    "Accept-Encoding": "gzip, br, zstd",
    "User-Agent": `Toolwright/${about.version}`,
  };
}

/** A lookup that knows the answer already. */
function answerWith(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    if (all) return done(null, [...addresses]);
    done(null, addresses[0]?.address ?? "", addresses[0]?.family ?? 0);
  };
}

/** A runtime that looks a name up by itself, in spite of all, is found out here. Some do not say where they connected to. */
function isAmong(addresses: readonly LookupAddress[], remote: string | undefined): boolean {
  return remote === undefined || addresses.some(({ address }) => normalAddress(address) === normalAddress(remote));
}
