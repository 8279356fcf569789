import { type DeclaredAccess, ToolError } from "../../index.ts";
import { explainFetchFailure } from "./explain-fetch-failure.ts";
import { type Hop, openPage, type PageOptions, UnreachableError } from "./open-page.ts";
import { type Body, readBody } from "./read-body.ts";
import { startTimeLimit } from "./time-limit.ts";

/** The time of `permit` does not count. */
export interface FetchOptions extends Omit<PageOptions, "signal"> {
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
