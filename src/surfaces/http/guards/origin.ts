import type { Guard } from "./guard.ts";
import { isLoopback, nameOf, plainNames } from "./host-names.ts";

/**
 * Against web pages of other sites: a browser says where a page is from. Pages of this server are fine, by whichever
 * name of this machine, and those of the allowed hosts. Programs send no origin.
 */
export function originGuard(allowed: readonly string[]): Guard {
  const names = new Set(plainNames(allowed));
  return ({ headers: { host = "", origin } }) => {
    if (origin === undefined || isOwn(origin, host, names)) return undefined;
    return {
      code: "forbidden_origin",
      message: `Pages of ${JSON.stringify(origin)} may not use this server. Call it from a program, without an Origin header.`,
    };
  };
}

function isOwn(origin: string, host: string, names: ReadonlySet<string>): boolean {
  const [, from = ""] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  const name = nameOf(from);
  if (name === undefined) return false;
  if (names.has(name) || from.toLowerCase() === host.toLowerCase()) return true;
  return isLoopback(name) && isLoopback(nameOf(host) ?? "") && portOf(from) === portOf(host);
}

function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? "80";
}
