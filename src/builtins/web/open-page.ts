import type { IncomingMessage } from "node:http";
import { type DeclaredAccess, ToolError } from "../../index.ts";
import { parseLocation } from "./address.ts";
import { accessTo, isPrivateAddress, isPrivateHost } from "./private-address.ts";
import { type Resolve, resolveHost } from "./resolve-host.ts";
import { type Destination, type PageFormat, sendPageRequest } from "./send-request.ts";

const REDIRECTS = [301, 302, 303, 307, 308];

export interface PageOptions {
  readonly format: PageFormat;
  readonly maxRedirects: number;
  readonly signal: AbortSignal;
  /** Rejects when the access is denied. */
  permit(access: DeclaredAccess): Promise<void>;
  readonly resolve?: Resolve;
}

/** A redirect: the URL that answered, and its status. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

/** A response whose body is not read yet. The caller reads or destroys it. */
interface OpenPage {
  readonly url: URL;
  readonly hops: readonly Hop[];
  readonly response: IncomingMessage;
}

/**
 * Follows redirects. The first URL has been permitted; asks for permission for each further URL, and for each host name
 * that resolves to a private address.
 */
export async function openPage(first: URL, options: PageOptions): Promise<OpenPage> {
  const hops: Hop[] = [];
  let at = await resolved(first, options);
  while (true) {
    const response = await send(at, options);
    const status = response.statusCode ?? 0;
    if (!REDIRECTS.includes(status)) return { url: at.url, hops, response };
    response.destroy();
    hops.push({ url: at.url.href, status });
    const next = nextOf(response, at.url, hops, options);
    await permitted(accessTo(next), `${at.url.href} redirects to ${next.href}.`, options);
    at = await resolved(next, options);
  }
}

/** Resolves the host name once: the addresses that are checked are those that are connected to. */
async function resolved(url: URL, options: PageOptions): Promise<Destination> {
  const addresses = await resolveHost(url, options.signal, options.resolve).catch((error) => {
    throw new UnreachableError(url, error);
  });
  const found = addresses.find(({ address }) => isPrivateAddress(address));
  if (found && !isPrivateHost(url)) {
    const why = `${url.hostname} resolves to ${found.address}, which is a private address.`;
    await permitted({ kind: "network", target: url.href, named: true }, why, options);
  }
  return { url, addresses };
}

/** The error begins with the reason for the question, since the model did not name this URL. */
async function permitted(access: DeclaredAccess, why: string, { permit }: PageOptions): Promise<void> {
  await permit(access).catch((error: unknown) => {
    throw ToolError.is(error) ? new ToolError(error.code, `${why} ${error.message}`, { cause: error }) : error;
  });
}

async function send(to: Destination, { format, signal }: PageOptions): Promise<IncomingMessage> {
  return sendPageRequest(to, format, signal).catch((error) => {
    throw new UnreachableError(to.url, error);
  });
}

function nextOf({ headers }: IncomingMessage, from: URL, hops: readonly Hop[], { maxRedirects }: PageOptions): URL {
  if (!headers.location) {
    throw new ToolError(
      "failed",
      `${from.href} answered with a redirect without a Location header. Try another address.`,
    );
  }
  if (hops.length > maxRedirects) {
    throw new ToolError("failed", `${hops[0]?.url} redirected more than ${maxRedirects} times. Try another address.`);
  }
  const next = parseLocation(headers.location, from);
  if (!hops.some(({ url }) => url === next.href)) return next;
  throw new ToolError("failed", `${hops[0]?.url} redirects in a loop, back to ${next.href}. Try another address.`);
}

export class UnreachableError extends Error {
  readonly url: URL;

  constructor(url: URL, cause: unknown) {
    super(`${url.href} could not be reached`, { cause });
    this.url = url;
  }
}
