import type { CodeVersion, HostKind } from "../../host/protocol/hosts.ts";
import { contentOf, type HostFile } from "../../host/protocol/manifest.ts";
import type { HostProcess } from "./host-process.ts";

/** A code version with the hosts that run it. */
export interface HostedCode extends CodeVersion {
  /** By kind for shared hosts, by path for hosts of one file. */
  readonly hosts: Map<string, HostProcess>;
  readonly loadCounts: Map<HostKind, number>;
  /** Files whose import failed when a call asked for them. */
  readonly failed: Set<string>;
  /** The keys of hosts of files that throw in a shared host, or of files and tools that blocked one: each runs alone in a host. */
  readonly isolated: Set<string>;
  /** The number of loads, queries and last working files that still use it. */
  retainCount: number;
  /** Whether a newer version is current. */
  retired: boolean;
}

export function newHostedCode(id: number): HostedCode {
  return {
    id,
    hosts: new Map(),
    loadCounts: new Map(),
    failed: new Set(),
    isolated: new Set(),
    retainCount: 0,
    retired: false,
  };
}

/** Whether the version gets no more calls, so that its hosts can be retired. */
export function isUnused({ retired, retainCount }: HostedCode): boolean {
  return retired && retainCount <= 0;
}

export function retireIfUnused(version: HostedCode): void {
  if (!isUnused(version)) return;
  for (const host of version.hosts.values()) host.retire();
}

/** Whether hosts of that kind run authors' code, so that each code version needs separate hosts. */
export function runsAuthorCode(kind: HostKind): boolean {
  return kind === "node" || kind === "bun";
}

export function hostKindOf(file: HostFile): HostKind {
  const content = contentOf(file);
  if (content === "module") return file.runtime ?? "node";
  return content === "mcp" ? "mcp" : "own";
}
