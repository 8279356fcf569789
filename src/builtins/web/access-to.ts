import type { DeclaredAccess } from "../../index.ts";
import { isPrivateHost } from "./private-address.ts";

/** What fetching an address touches. One that is private by its own words must be named by whoever permits it. */
export function accessTo(url: URL): DeclaredAccess {
  return { kind: "network", target: url.href, ...(isPrivateHost(url) ? { named: true } : {}) };
}
