import type { FileHandle } from "node:fs/promises";

const CHUNK = 256 * 1024;

/**
 * The bytes of a file in chunks. The next chunk overwrites the buffer of the last one. Throws the signal's reason when
 * it fires.
 */
export async function* chunksOf(handle: FileHandle, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read({ buffer, position });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** All bytes of a file. Undefined when there are more than `maxBytes`, even if the file grows while it is read. */
export async function readAtMost(
  handle: FileHandle,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of chunksOf(handle, signal)) {
    total += chunk.length;
    if (total > maxBytes) return undefined;
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}
