import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** Returns all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Uses the resolver of the system, including the hosts file. */
const bySystem: Resolve = (host) => lookup(host, { all: true });

/**
 * The addresses of the host of a URL, which may be an IP address itself. Rejects when there is none, and when the
 * signal fires.
 */
export async function resolveHost(
  url: URL,
  signal: AbortSignal,
  resolve: Resolve = bySystem,
): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  if (family) return [{ address: host, family }];
  const found = await orAborted(signal, resolve(host));
  if (found.length > 0) return found;
  throw Object.assign(new Error(`no address for ${host}`), { code: "ENOTFOUND" });
}

/** Waits for work that cannot be cancelled. Rejects when the signal fires; the work then continues unobserved. */
function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
