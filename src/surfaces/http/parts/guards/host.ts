import type { RequestGuard } from "./guard.ts";
import { hostNameOf, isLoopback, normalizeNames, ownNames } from "./host-names.ts";

interface HostOptions {
  /** The address that the server listens on. */
  readonly bound: string;
  readonly allowed: readonly string[];
}

/**
 * Protects against DNS rebinding, where the Host header has the name of the attacker's site. Loopback names are accepted with
 * any port, because a program that forwards a port already runs on this machine.
 */
export function hostGuard({ bound, allowed }: HostOptions): RequestGuard {
  const names = new Set([...ownNames(bound), ...normalizeNames(allowed)]);
  return ({ headers: { host = "" }, rawHeaders, url = "" }) => {
    if (!url.startsWith("/") || countOf("host", rawHeaders) !== 1) {
      return {
        code: "bad_request",
        message: 'A request must have one Host header and a path that begins with "/".',
      };
    }
    const name = hostNameOf(host);
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
