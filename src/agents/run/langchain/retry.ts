import { setTimeout as sleep } from "node:timers/promises";
import type { AgentEvent } from "../../../core/coding-agent.ts";
import { isTemporary, retryAfterMs } from "./model-error.ts";

/** How often a request is repeated, and how long the first delay is. Each further delay is twice as long. */
export interface RetryPolicy {
  readonly retries: number;
  readonly delayMs: number;
}

export const DEFAULT_RETRIES: RetryPolicy = { retries: 4, delayMs: 1000 };
/** A longer delay that the provider asks for is not awaited. */
const MAX_DELAY_MS = 120_000;

interface RetryContext {
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  /** Says what has happened. */
  readonly describe: (error: unknown) => string;
}

/**
 * Repeats a model request that failed for a reason that may pass. Not LangChain's `modelRetryMiddleware` (1.5, missing in 1.0): it goes
 * on after the turn was aborted, which also keeps the process running, and has no maximum for the delay that the provider asks for.
 */
export async function withRetries<T>(
  request: () => Promise<T>,
  { policy, signal, emit, describe }: RetryContext,
): Promise<T> {
  const { retries: maxAttempts, delayMs: firstDelay } = policy;
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await request();
      if (attempt > 0) emit({ type: "session.event", event: { reason: "auto_retry_end", success: true, attempt } });
      return result;
    } catch (error) {
      const delayMs = retryAfterMs(error) ?? firstDelay * 2 ** attempt;
      const isLast = attempt >= maxAttempts || delayMs > MAX_DELAY_MS;
      if (signal.aborted || isLast || !isTemporary(error)) {
        const finalError = describe(error);
        if (attempt > 0)
          emit({ type: "session.event", event: { reason: "auto_retry_end", success: false, attempt, finalError } });
        throw error;
      }
      const errorMessage = describe(error);
      const next = attempt + 1;
      emit({
        type: "session.event",
        event: { reason: "auto_retry_start", attempt: next, maxAttempts, delayMs, errorMessage },
      });
      emit({ type: "notice", message: `${errorMessage} Retry ${next} of ${maxAttempts} in ${delayMs / 1000} s.` });
      await sleep(delayMs, undefined, { signal });
    }
  }
}
