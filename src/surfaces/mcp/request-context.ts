import type { InputRequest, RequestOptions, ServerContext } from "@modelcontextprotocol/server";

/** One JSON-RPC request that has no response yet, and the functions that send messages related to it. */
export interface RequestContext {
  readonly mcpReq: Pick<ServerContext["mcpReq"], "id" | "_meta" | "envelope" | "inputResponses" | "notify"> & {
    send(request: ServerRequest, options: RequestOptions): Promise<unknown>;
  };
}

interface ServerRequest {
  readonly method: InputRequest["method"];
  readonly params: Record<string, unknown>;
}
