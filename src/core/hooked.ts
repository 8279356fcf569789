import type { Content } from "./result.ts";
import type { SessionSnapshot } from "./session.ts";

/** A call of any tool, as hooks see it. */
export interface HookedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly callID: string;
  readonly session: SessionSnapshot;
  readonly directory: string;
}

/** How a call ended, as hooks see and change it. */
export interface HookedResult {
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly title?: string;
  readonly isError: boolean;
}
