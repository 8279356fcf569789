import { networkInterfaces } from "node:os";

/** Whether a name always means this machine, without DNS. */
export function isLoopback(name: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(name);
}

/** The name in a Host header in lower case, without port, brackets and final dot. Undefined for an invalid header. */
export function hostNameOf(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([\w.-]*[\w-])\.?)(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}

/** Names in the form that `hostNameOf` returns. */
export function normalizeNames(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toLowerCase().replace(/\.$/, ""));
}

/**
 * The host names of a server that listens on `bound`. A server that listens on all interfaces accepts their IP addresses:
 * DNS rebinding needs a name, so an address is safe.
 */
export function ownNames(bound: string): readonly string[] {
  const name = bound.toLowerCase();
  if (name !== "0.0.0.0" && name !== "::") return [name];
  return Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address.toLowerCase()));
}
