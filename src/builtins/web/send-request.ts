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

/** A URL, and the only addresses that may be connected to. */
export interface Destination {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

/**
 * Sends a GET request and waits for the response headers. Connects only to `addresses`, without a DNS lookup.
 * Uses no cookies, proxy or keep-alive.
 */
export function sendPageRequest(
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
      // Without a listener, a connection that breaks before the body is read would crash the process.
      response.on("error", () => {});
      resolve(response);
    });
    sent.on("error", reject);
    sent.on("close", () => reject(new Error("the connection was closed before a response arrived")));
    sent.on("socket", (socket) => {
      socket.once("connect", () => {
        if (!isAmong(addresses, socket.remoteAddress))
          sent.destroy(new Error("the connection went to another address"));
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

function answerWith(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    if (all) return done(null, [...addresses]);
    done(null, addresses[0]?.address ?? "", addresses[0]?.family ?? 0);
  };
}

/** Detects a runtime that ignores `lookup`. Some runtimes do not report the remote address. */
function isAmong(addresses: readonly LookupAddress[], remote: string | undefined): boolean {
  return remote === undefined || addresses.some(({ address }) => normalAddress(address) === normalAddress(remote));
}
