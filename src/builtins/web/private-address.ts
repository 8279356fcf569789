import { BlockList, isIP, isIPv4 } from "node:net";
import type { DeclaredAccess } from "../../index.ts";

/** Ranges outside the public internet: this machine, private networks, cloud metadata services, and reserved ranges. */
const NOT_PUBLIC_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // A public range, but a host service of Azure.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/**
 * Non-public ranges inside 2000::/3: protocol assignments (Teredo), documentation, and 6to4, which embeds any IPv4
 * address.
 */
const NOT_PUBLIC_IPV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** Whether an IP address is outside the public internet. Text that is not an address counts as private. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return isPrivateIpv4(address);
  const normal = normalIpv6(address);
  if (!normal) return true;
  const carried = carriedIpv4(normal, ["::ffff:", "64:ff9b::"]);
  if (carried) return isPrivateIpv4(carried);
  const public6 = new BlockList();
  public6.addSubnet("2000::", 3, "ipv6");
  return !public6.check(normal, "ipv6") || listOf(NOT_PUBLIC_IPV6, "ipv6").check(normal, "ipv6");
}

/** Whether the host of a URL is private as written, without a DNS lookup. */
export function isPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return isPrivateAddress(host);
  return /(?:^|\.)localhost$/.test(host);
}

/** The access that fetching a URL needs. Only a rule that names the address permits a private one. */
export function accessTo(url: URL): DeclaredAccess {
  return { kind: "network", target: url.href, ...(isPrivateHost(url) ? { named: true } : {}) };
}

function isPrivateIpv4(address: string): boolean {
  return listOf(NOT_PUBLIC_IPV4, "ipv4").check(address, "ipv4");
}

/** Normalizes an IP address for comparison. An IPv4 address mapped to IPv6 becomes the IPv4 address. */
export function normalAddress(address: string): string {
  const normal = isIPv4(address) ? address : (normalIpv6(address) ?? address);
  return carriedIpv4(normal, ["::ffff:"]) ?? normal;
}

function normalIpv6(address: string): string | undefined {
  return URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
}

/** The IPv4 address in a mapped address (`::ffff:…`) or a translated one (`64:ff9b::…`). */
function carriedIpv4(normal: string, prefixes: readonly string[]): string | undefined {
  const prefix = prefixes.find((start) => normal.startsWith(start));
  const halves = prefix && /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(normal.slice(prefix.length));
  if (!halves) return undefined;
  const [high, low] = halves.slice(1).map((half) => Number.parseInt(half, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function listOf(subnets: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family);
  return list;
}
