import { setBounded } from "../../../platform/values/set-bounded.ts";
import type { CopilotToolResult, ToolRequestData } from "./copilot-sdk.ts";

/** How many requests are remembered. A repeat follows within a second. */
const MAX_REQUESTS = 100;

/**
 * Runs each request for a tool of ours once. The runtime sends the requests of a sub-agent twice, as events of the sub-agent and of
 * the session, with the same `requestId`. The SDK drops the second one only while the first one runs. An id of a call does not
 * identify a request: a model may use it for several calls.
 */
export class CopilotRequests {
  /** The last request of each call, by call id. */
  readonly #requestIDs = new Map<string, string>();
  readonly #results = new Map<string, Promise<CopilotToolResult>>();

  /** To be called for each request, also for repeats. */
  add({ toolCallId, requestId }: ToolRequestData): void {
    setBounded(this.#requestIDs, toolCallId, requestId, MAX_REQUESTS);
  }

  /** To be called by the handler of a tool. Returns what `run` returns, or has returned when it ran for this request. */
  async once(callID: string, run: () => Promise<CopilotToolResult>): Promise<CopilotToolResult> {
    // The SDK reports the request right after it has called the handler.
    await Promise.resolve();
    const requestID = this.#requestIDs.get(callID);
    const known = requestID === undefined ? undefined : this.#results.get(requestID);
    const result = known ?? run();
    if (requestID !== undefined) setBounded(this.#results, requestID, result, MAX_REQUESTS);
    return result;
  }
}
