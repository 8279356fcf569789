import type { SessionSnapshot } from "./session.ts";

/** A call, as passed to hooks. */
export interface HookedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly callID: string;
  readonly session: SessionSnapshot;
  readonly directory: string;
}
