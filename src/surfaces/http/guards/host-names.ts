import { networkInterfaces } from "node:os";

/** Whether a name means this machine and no other, whatever a name server says. */
export function isLoopback(name: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(name);
}

/**
 * The name in a Host header, in lower case, without port and brackets and without the dot that may end a whole name;
 * undefined where it is no name.
 */
export function nameOf(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([\w.-]*[\w-])\.?)(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}

/** Names that somebody allowed, as `nameOf` gives them. */
export function plainNames(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toLowerCase().replace(/\.$/, ""));
}

/**
 * The names that a server answers to which listens on `bound`. Behind a name that is a number no other machine can hide,
 * so one that listens everywhere answers to all addresses of its own.
 */
export function ownNames(bound: string): readonly string[] {
  const name = bound.toLowerCase();
  if (name !== "0.0.0.0" && name !== "::") return [name];
  return Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address.toLowerCase()));
}
