import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/server";
import type { ClientConnection } from "./client-connection.ts";
import type { ClientRequest } from "./client-request.ts";
import { FastCallPath } from "./fast-call-path.ts";
import { reportProgress } from "./report-progress.ts";
import { toCallResult } from "./to-call-result.ts";
import type { ConnectedTools } from "./tool-source.ts";

/** Handles `tools/list`, `tools/call` and the methods of the source, and notifies the client when the tools change. */
export function handleTools(connection: ClientConnection): void {
  const { server, state, kind } = connection;
  const { source } = state;
  const tools = source.connect();
  let waitingLists = 0;
  server.setRequestHandler("tools/list", async ({ params }, context) => {
    const { info } = connection.profileOf(context);
    waitingLists += 1;
    await source.listable?.(info);
    waitingLists -= 1;
    return tools.list({ info, sessionID: connection.sessionOf(context) }, params?.cursor);
  });
  server.setRequestHandler("tools/call", ({ params }, context) =>
    connection.serve(context, `tool ${params.name}`, (request) =>
      callTool(connection, tools, request, { params, sessionID: connection.sessionOf(context) }),
    ),
  );
  if (source.serveMethod) {
    const serveMethod = source.serveMethod.bind(source);
    server.fallbackRequestHandler = ({ method, params }) => serveMethod(method, params);
  }
  if (kind.forOneRequest) return;
  if (kind.era === "legacy") {
    server.fastCallPath = new FastCallPath({
      isReady: () => connection.isReady,
      profile: () => connection.legacyProfile(),
      sendersFor: (relatedRequestId) => ({
        notify: (notification) => server.notification(notification, { relatedRequestId }),
        send: (question, options) => server.request(question, { ...options, relatedRequestId }),
      }),
      call: (params, request) =>
        callTool(connection, tools, request, { params, sessionID: connection.ownSession(server.transport?.sessionId) }),
    });
  }
  connection.onClose(
    state.changes.listen(({ kind }) => {
      // A list that is about to be sent has the change. A failed send means that the client is gone, which closes the connection.
      if (kind === "tools" && connection.isReady && waitingLists === 0) server.sendToolListChanged().catch(() => {});
    }),
  );
}

/** A failed call is a result; only the name of an unknown tool may be a protocol error. */
async function callTool(
  { server, state: { source, options } }: ClientConnection,
  tools: ConnectedTools,
  request: ClientRequest,
  { params, sessionID }: { readonly params: CallToolRequest["params"]; readonly sessionID: string },
): Promise<CallToolResult> {
  const client = { info: request.info, sessionID };
  const started = await tools.start(params, request, client);
  if ("result" in started) return started.result;
  const { run, name, outputSchema, ended } = started;
  request.abortsWith(run);
  try {
    if (request.context.mcpReq._meta?.progressToken !== undefined) await reportProgress(run, () => request.context);
    const result = await run.result;
    if (!result.ok && result.error.code === "unknown_tool" && tools.unknownTool) {
      throw tools.unknownTool(params.name, result.error, client);
    }
    const { outputs, home, directory, capabilities } = source;
    // A client without resources is sent the paths of files: the oldest version has no links.
    const how = capabilities.resources
      ? { version: server.getNegotiatedProtocolVersion(), embedBytes: options.embedBytes }
      : { version: "", embedBytes: -1 };
    const call = { name, sessionID, callID: run.callID };
    return toCallResult(result, { call, outputs, home, directory, outputSchema, ...how });
  } finally {
    ended();
  }
}
