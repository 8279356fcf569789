import type { InputRequest, RequestOptions, ServerContext } from "@modelcontextprotocol/server";

/** A request that waits for an answer: what is known of it, and how the client is spoken to about it. */
export interface Round {
  readonly mcpReq: Pick<ServerContext["mcpReq"], "id" | "_meta" | "envelope" | "inputResponses" | "notify"> & {
    send(request: Question, options: RequestOptions): Promise<unknown>;
  };
}

interface Question {
  readonly method: InputRequest["method"];
  readonly params: Record<string, unknown>;
}
