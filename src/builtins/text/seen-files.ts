import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { OpenFile } from "../../files/open-file.ts";
import { chunksOf } from "../../files/read-bytes.ts";
import { type ToolContext, ToolError } from "../../index.ts";

/**
 * What a session knows of a file it has read or written. The content decides whether it has changed since, because
 * clocks are coarse and dates can be set; of a file that was too large to be read whole, what the system tells does.
 */
interface Seen {
  readonly size: string;
  readonly hash?: string;
  /** Inode and dates, of a file that was not read whole. */
  readonly stats?: string;
}

/** Remembers that the session knows this content. */
export async function rememberContent(real: string, size: number, hash: string, context: ToolContext): Promise<void> {
  await context.state.set(keyOf(real), { size: String(size), hash } satisfies Seen);
}

/** Remembers that the session has seen a part of this file. */
export async function rememberPart({ real, stats }: OpenFile, context: ToolContext): Promise<void> {
  await context.state.set(keyOf(real), { size: String(stats.size), stats: statsOf(stats) } satisfies Seen);
}

/** Throws when the file is not as the session last saw it. One that it has never seen passes. */
export async function refuseChanged(file: OpenFile, said: string, context: ToolContext): Promise<void> {
  const seen = (await context.state.get(keyOf(file.real))) as Seen | undefined;
  if (!seen || (await isUnchanged(file, seen, context.abort))) return;
  throw new ToolError(
    "failed",
    `"${said}" has changed since it was last read in this session: somebody else has written it. Nothing was changed by this call. Read it again, then decide what to do.`,
  );
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

async function isUnchanged({ handle, stats }: OpenFile, seen: Seen, signal: AbortSignal): Promise<boolean> {
  if (seen.size !== String(stats.size)) return false;
  if (seen.hash === undefined) return seen.stats === statsOf(stats);
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(handle, signal)) hash.update(chunk);
  return seen.hash === hash.digest("base64");
}

function keyOf(real: string): string {
  return `file:${real}`;
}

function statsOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mtimeNs, ctimeNs].join(" ");
}
