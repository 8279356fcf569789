import type { IncomingMessage } from "node:http";
import { type Duplex, pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createUnzip, createZstdDecompress } from "node:zlib";
import { ToolError } from "../../index.ts";

/** The highest number of stacked content encodings. */
const MAX_LAYERS = 3;

interface BodyOptions {
  /** Counts decompressed bytes, so that a small response cannot expand without limit. */
  readonly maxBytes: number;
  onBytes(bytes: number): void;
}

export interface Body {
  readonly bytes: Uint8Array;
  /** Whether the body was longer. */
  readonly isCut: boolean;
}

/** Reads and decompresses a body up to the limit, then closes the connection. */
export async function readBody(response: IncomingMessage, { maxBytes, onBytes }: BodyOptions): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decompressed(response)) {
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

function decompressed(response: IncomingMessage): Readable {
  const names = (response.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const layers = names.filter((name) => name !== "" && name !== "identity").reverse();
  if (layers.length === 0) return response;
  if (layers.length > MAX_LAYERS) throw unsupportedEncoding(names.join(", "));
  // Errors propagate to the last stream, which is the one that is read.
  return layers.map(decoderFor).reduce<Readable>((from, to) => pipeline(from, to, () => {}), response);
}

/** Accepts a truncated stream, as browsers do: HTTP itself detects an incomplete body. */
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
      throw unsupportedEncoding(encoding);
  }
}

function unsupportedEncoding(encoding: string): ToolError {
  return new ToolError(
    "failed",
    `The response has the content encoding ${JSON.stringify(encoding)}, which is not supported.`,
  );
}
