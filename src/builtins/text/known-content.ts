import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { OpenFile } from "../../files/open-file.ts";
import { chunksOf } from "../../files/read-bytes.ts";
import { type ToolContext, ToolError } from "../../index.ts";

/**
 * What a session knows of a file it has read or written. The content decides whether it has changed since, because
 * clocks are coarse and dates can be set; of a file that was too large to be read whole, what the system tells does.
 */
interface KnownContent {
  readonly size: string;
  readonly hash?: string;
  /** Inode and dates, of a file that was not read whole. */
  readonly stats?: string;
}

/** Remembers that the session knows this content. */
export async function rememberContent(real: string, size: number, hash: string, context: ToolContext): Promise<void> {
  await context.state.set(keyOf(real), { size: String(size), hash } satisfies KnownContent);
}

/** Remembers that the session has seen a part of this file. */
export async function rememberPartial({ real, stats }: OpenFile, context: ToolContext): Promise<void> {
  await context.state.set(keyOf(real), { size: String(stats.size), stats: statsOf(stats) } satisfies KnownContent);
}

/** Throws when the file is not as the session last saw it. One that it has never seen passes. */
export async function refuseChanged(file: OpenFile, displayName: string, context: ToolContext): Promise<void> {
  const known = (await context.state.get(keyOf(file.real))) as KnownContent | undefined;
  if (!known || (await isUnchanged(file, known, context.abort))) return;
  throw new ToolError(
    "failed",
    `"${displayName}" has changed since it was last read in this session: somebody else has written it. Nothing was changed by this call. Read it again, then decide what to do.`,
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
