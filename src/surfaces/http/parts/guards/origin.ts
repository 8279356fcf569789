import type { RequestGuard } from "./guard.ts";
import { hostNameOf, isLoopback, normalizeNames } from "./host-names.ts";

/**
 * Refuses requests from web pages of other sites, by the Origin header. Accepts pages of this server under any of its names,
 * and pages of allowed hosts. Programs send no Origin.
 */
export function originGuard(allowed: readonly string[]): RequestGuard {
  const names = new Set(normalizeNames(allowed));
  return ({ headers: { host = "", origin } }) => {
    if (origin === undefined || isAllowed(origin, host, names)) return undefined;
    return {
      code: "forbidden_origin",
      message: `Pages of ${JSON.stringify(origin)} may not use this server. Call it from a program, without an Origin header.`,
    };
  };
}

function isAllowed(origin: string, host: string, names: ReadonlySet<string>): boolean {
  const [, from = ""] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  const name = hostNameOf(from);
  if (name === undefined) return false;
  if (names.has(name) || from.toLowerCase() === host.toLowerCase()) return true;
  return isLoopback(name) && isLoopback(hostNameOf(host) ?? "") && portOf(from) === portOf(host);
}

function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? "80";
}
