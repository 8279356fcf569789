import type { Guard } from "./guard.ts";
import { isLoopback, nameOf, ownNames, plainNames } from "./host-names.ts";

/** Which names a server answers to beside those of this machine. */
export interface HostOptions {
  /** What it listens on. */
  readonly bound: string;
  readonly allowed: readonly string[];
}

/**
 * Against web pages whose name was made to point here: their requests carry that name. Loopback names are fine on any
 * port, since whoever forwards one to us has reached this machine already.
 */
export function hostGuard({ bound, allowed }: HostOptions): Guard {
  const names = new Set([...ownNames(bound), ...plainNames(allowed)]);
  return ({ headers: { host = "" }, rawHeaders, url = "" }) => {
    if (!url.startsWith("/") || countOf("host", rawHeaders) !== 1) {
      return {
        code: "bad_request",
        message: "A request names one host, in its Host header, and a path that begins with /.",
      };
    }
    const name = nameOf(host);
    if (name !== undefined && (isLoopback(name) || names.has(name))) return undefined;
    return {
      code: "forbidden_host",
      message: `This server does not answer to the host ${JSON.stringify(host)}. If it is meant to, start it with --allow-host ${name ?? "NAME"}.`,
    };
  };
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) count += 1;
  }
  return count;
}
