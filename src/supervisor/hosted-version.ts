import type { CodeVersion, HostKind } from "../protocol/hosts.ts";
import { contentOf, type HostFile } from "../protocol/manifest.ts";
import type { HostProcess } from "./host-process.ts";

/** A code version as its hosts know it. */
export interface HostedVersion extends CodeVersion {
  /** By what shares a process: everything, or one file. */
  readonly hosts: Map<string, HostProcess>;
  /** How many loadCounts are under way in the host that reads files of a kind. */
  readonly loadCounts: Map<HostKind, number>;
  /** Files that could not be imported when a call asked for them. */
  readonly failed: Set<string>;
  /** Files that throw in the host which they would share with others: each has one for itself. */
  readonly isolated: Set<string>;
  /** For how many it must stay. */
  retainCount: number;
  /** Whether another is the current one. */
  retired: boolean;
}

export function newHostedVersion(id: number): HostedVersion {
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

/** Whether no call of that version of the code can come any more: its hosts have been sent away. */
export function isUnused({ retired, retainCount }: HostedVersion): boolean {
  return retired && retainCount <= 0;
}

export function retireIfUnused(version: HostedVersion): void {
  if (!isUnused(version)) return;
  for (const host of version.hosts.values()) host.retire();
}

/** The key of the host in which files are read, isolated from calls: a file may end or block the process that imports it. */
export function readingKey(kind: HostKind): string {
  return `${kind} reading`;
}

/** Several loadCounts may share the host that reads. Answers with what ends this one; calling it again does nothing. */
export function beginReading(version: HostedVersion, kind: HostKind): () => void {
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

/**
 * Once nothing is being read, the host that has read the files takes their calls: it has all of them in memory as they were.
 * One that took calls meanwhile finishes those.
 */
function endReading({ hosts }: HostedVersion, kind: HostKind): void {
  const reader = hosts.get(readingKey(kind));
  hosts.delete(readingKey(kind));
  if (!reader?.open) return;
  hosts.get(kind)?.retire();
  hosts.set(kind, reader);
}

/** Whether authors' code runs in hosts of that kind, so that each version of the code has its own. */
export function runsAuthorCode(kind: HostKind): boolean {
  return kind === "node" || kind === "bun";
}

export function kindOf(file: HostFile): HostKind {
  const content = contentOf(file);
  if (content === "module") return file.runtime ?? "node";
  return content === "mcp" ? "mcp" : "own";
}
