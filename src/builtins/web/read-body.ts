import type { IncomingMessage } from "node:http";
import { type Duplex, pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createUnzip, createZstdDecompress } from "node:zlib";
import { ToolError } from "../../index.ts";

/** A server may pack what it packed; nobody does it more often than this. */
const MAX_LAYERS = 3;

/** How much is read, and who hears of it. */
export interface BodyOptions {
  /** Counted when unpacked, so that a small answer cannot become a huge one. */
  readonly maxBytes: number;
  onBytes(bytes: number): void;
}

/** What was read of an answer. */
export interface Body {
  readonly bytes: Uint8Array;
  /** Whether there was more. */
  readonly isCut: boolean;
}

/**
 * Reads and unpacks the body of an answer, no further than its limit. The connection is closed in any case. What ends the
 * request ends this too.
 */
export async function readBody(response: IncomingMessage, { maxBytes, onBytes }: BodyOptions): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked(response)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      onBytes(size);
      if (size > maxBytes) break;
    }
  } finally {
    response.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes };
}

function unpacked(response: IncomingMessage): Readable {
  const names = (response.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const layers = names.filter((name) => name !== "" && name !== "identity").reverse();
  if (layers.length === 0) return response;
  if (layers.length > MAX_LAYERS) throw notUnpacked(names.join(", "));
  // What goes wrong in one stream is passed on to the next, and the last is the one that is read.
  return layers.map(decoderFor).reduce<Readable>((from, to) => pipeline(from, to, () => {}), response);
}

/** A missing end is forgiven, as browsers do: whether all has come is for HTTP to say. */
function decoderFor(encoding: string): Duplex {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
    case "deflate":
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case "zstd":
      return createZstdDecompress({ finishFlush: constants.ZSTD_e_flush });
    default:
      throw notUnpacked(encoding);
  }
}

function notUnpacked(encoding: string): ToolError {
  return new ToolError("failed", `The answer is packed as ${JSON.stringify(encoding)}, which cannot be unpacked here.`);
}
