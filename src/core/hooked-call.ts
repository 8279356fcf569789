import type { Content } from "./result.ts";
import type { SessionSnapshot } from "./session.ts";

/** A call, as passed to hooks. */
export interface HookedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly callID: string;
  readonly session: SessionSnapshot;
  readonly directory: string;
}

/** The result of a call, which hooks can change. */
export interface HookedResult {
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly title?: string;
  readonly isError: boolean;
}
