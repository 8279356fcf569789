import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type ToolContext, ToolError } from "../../index.ts";
import type { OpenFile } from "../../platform/files/open-file.ts";
import { chunksOf } from "../../platform/files/read-bytes.ts";

/**
 * The version of a file that a session has read or written. The hash decides whether the file has changed, because
 * clocks are coarse and dates can be set. For a file that was too large to read, its stats decide.
 */
interface KnownContent {
  readonly size: string;
  readonly hash?: string;
  /** Inode and dates of a file that was not read completely. */
  readonly stats?: string;
}

export async function rememberContent(real: string, size: number, hash: string, context: ToolContext): Promise<void> {
  await context.state.set(keyOf(real), { size: String(size), hash } satisfies KnownContent);
}

export async function rememberPartial({ real, stats }: OpenFile, context: ToolContext): Promise<void> {
  await context.state.set(keyOf(real), { size: String(stats.size), stats: statsOf(stats) } satisfies KnownContent);
}

/** Throws when the file has changed since the session last saw it. Accepts a file that the session has never seen. */
export async function refuseChanged(file: OpenFile, displayName: string, context: ToolContext): Promise<void> {
  const known = (await context.state.get(keyOf(file.real))) as KnownContent | undefined;
  if (!known || (await isUnchanged(file, known, context.abort))) return;
  throw new ToolError(
    "failed",
    `"${displayName}" has changed since it was last read in this session: another program has written it. Nothing was changed by this call. Read it again, then decide what to do.`,
  );
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

async function isUnchanged({ handle, stats }: OpenFile, known: KnownContent, signal: AbortSignal): Promise<boolean> {
  if (known.size !== String(stats.size)) return false;
  if (known.hash === undefined) return known.stats === statsOf(stats);
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(handle, signal)) hash.update(chunk);
  return known.hash === hash.digest("base64");
}

function keyOf(real: string): string {
  return `file:${real}`;
}

function statsOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mtimeNs, ctimeNs].join(" ");
}
