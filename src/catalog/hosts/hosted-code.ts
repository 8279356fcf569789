import type { CodeVersion, HostKind } from "../../host/protocol/hosts.ts";
import { contentOf, type HostFile } from "../../host/protocol/manifest.ts";
import type { HostProcess } from "./host-process.ts";

/** A code version with the hosts that run it. */
export interface HostedCode extends CodeVersion {
  /** By kind for shared hosts, by path for hosts of one file. */
  readonly hosts: Map<string, HostProcess>;
  /** The number of loads in progress, by kind. */
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

/** The key of the host that only reads files. It is separate from calls, since an import may end or block its process. */
export function readingKey(kind: HostKind): string {
  return `${kind} reading`;
}

/** Several loads share the reading host. Returns a function that ends this load; calling it again does nothing. */
export function beginReading(version: HostedCode, kind: HostKind): () => void {
  version.loadCounts.set(kind, (version.loadCounts.get(kind) ?? 0) + 1);
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    const left = (version.loadCounts.get(kind) ?? 1) - 1;
    version.loadCounts.set(kind, left);
    if (left === 0) endReading(version, kind);
  };
}

/** Once all loads have ended, the reading host takes the calls: it has the files in memory. The host before it finishes its calls. */
function endReading({ hosts }: HostedCode, kind: HostKind): void {
  const reader = hosts.get(readingKey(kind));
  hosts.delete(readingKey(kind));
  if (!reader?.open) return;
  hosts.get(kind)?.retire();
  hosts.set(kind, reader);
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
