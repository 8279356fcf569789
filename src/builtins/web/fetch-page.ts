import { type DeclaredAccess, ToolError } from "../../index.ts";
import { type Hop, openPage, type PageOptions, UnreachableError } from "./open-page.ts";
import { type Body, readBody } from "./read-body.ts";
import { startTimeLimit } from "./time-limit.ts";

/** The time of `permit` does not count. */
interface FetchOptions extends Omit<PageOptions, "signal"> {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly abort: AbortSignal;
  onBytes(bytes: number): void;
}

/** A response with any status. */
export interface FetchedPage {
  readonly url: string;
  readonly hops: readonly Hop[];
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: Body;
}

/** Fetches a page within the time limit. Rejects with a `ToolError`. */
export async function fetchPage(address: URL, options: FetchOptions): Promise<FetchedPage> {
  const limit = startTimeLimit(options.timeoutMs);
  const signal = AbortSignal.any([options.abort, limit.signal]);
  const permit = (access: DeclaredAccess): Promise<void> => limit.pausedFor(() => options.permit(access));
  try {
    const { url, hops, response } = await openPage(address, { ...options, signal, permit });
    const { statusCode: status = 0, statusMessage: statusText = "", headers } = response;
    const body = await readBody(response, options).catch((error) => {
      throw ToolError.is(error) ? error : new UnreachableError(url, error);
    });
    const fields = { contentType: headers["content-type"], retryAfter: headers["retry-after"] };
    return { url: url.href, hops, status, statusText, ...fields, body };
  } catch (error) {
    options.abort.throwIfAborted();
    if (limit.signal.aborted) throw tooLate(address, options.timeoutMs, error);
    if (!(error instanceof UnreachableError)) throw error;
    const why = explainFetchFailure(error.cause);
    throw new ToolError("failed", `${error.url.href} could not be fetched: ${why}`, { cause: error });
  } finally {
    limit.end();
  }
}

function tooLate(address: URL, timeoutMs: number, cause: unknown): ToolError {
  const message = `${address.href} was not fetched within ${timeoutMs} ms. Try again later, or with a larger timeout.`;
  return new ToolError("failed", message, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no host of this name. Check the spelling.",
  EAI_AGAIN: "the host's name could not be looked up now. Check the spelling and the network, or try again later.",
  ECONNREFUSED: "nothing listens on this port. Check the address and whether the server runs.",
  ECONNRESET: "the server closed the connection. Try again.",
  EPIPE: "the server closed the connection. Try again.",
  ETIMEDOUT: "the host does not answer. Try again later.",
  EHOSTUNREACH: "the host cannot be reached from this machine.",
  ENETUNREACH: "the host cannot be reached from this machine.",
  EADDRNOTAVAIL: "the host cannot be reached from this machine.",
  EPROTO: "the server does not speak TLS there. If it is a plain server, write http:// instead of https://.",
  CERT_HAS_EXPIRED: "the certificate of the server has expired.",
  CERT_NOT_YET_VALID: "the certificate of the server is not valid yet. Is the clock of this machine right?",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate of the server is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate of the server comes from an authority that this machine does not trust.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate of the server cannot be verified.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the certificate of the server comes from an authority that this machine does not trust.",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate of the server is for another host.",
  HPE_HEADER_OVERFLOW: "the headers of the response are too large.",
};

/** Error codes of zlib, Brotli and Zstandard. */
const DECOMPRESSION = /^(?:Z_|ZSTD_|ERR_ZSTD|ERR_BROTLI|ERR__ERROR)/;

/** The reason of a network failure, as the end of a sentence. */
function explainFetchFailure(error: unknown): string {
  const code = codeOf(error);
  if (code.startsWith("HPE_") && !REASONS[code]) return "the server does not speak HTTP.";
  if (DECOMPRESSION.test(code)) return "the response is damaged: it cannot be decompressed. Try again.";
  return REASONS[code] ?? `${error instanceof Error ? error.message : String(error)}.`;
}

/** When several addresses failed, the first error counts. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
