import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/server";
import { callTool } from "./call-tool.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { ClientRequest } from "./client-request.ts";
import { ClientTools } from "./client-tools.ts";
import { FastCallPath } from "./fast-call-path.ts";

/** Handles `tools/list` and `tools/call`, and notifies the client when the tools change. */
export function handleTools(connection: ClientConnection): void {
  const { server, state, kind } = connection;
  const tools = new ClientTools(state.toolbox, state.options);
  const call = (
    params: CallToolRequest["params"],
    request: ClientRequest,
    sessionID: string,
  ): Promise<CallToolResult> => {
    const version = server.getNegotiatedProtocolVersion();
    return callTool(params, request, { state, tools, sessionID, version });
  };
  let waitingLists = 0;
  server.setRequestHandler("tools/list", async ({ params }, context) => {
    waitingLists += 1;
    await state.listable();
    await state.watch();
    waitingLists -= 1;
    const sessionID = connection.sessionOf(context);
    return tools.list({ ...connection.profileOf(context), sessionID }, params?.cursor);
  });
  server.setRequestHandler("tools/call", ({ params }, context) =>
    connection.serve(context, `tool ${params.name}`, (request) => call(params, request, connection.sessionOf(context))),
  );
  if (kind.forOneRequest) return;
  if (kind.era === "legacy") {
    server.fastCallPath = new FastCallPath({
      isReady: () => connection.isReady,
      profile: () => connection.legacyProfile(),
      sendersFor: (relatedRequestId) => ({
        notify: (notification) => server.notification(notification, { relatedRequestId }),
        send: (question, options) => server.request(question, { ...options, relatedRequestId }),
      }),
      call: (params, request) => call(params, request, connection.ownSession(server.transport?.sessionId)),
    });
  }
  connection.onClose(
    state.changes.listen(({ kind }) => {
      // A list that is about to be sent has the change. A failed send means that the client is gone, which closes the connection.
      if (kind === "tools" && connection.isReady && waitingLists === 0) server.sendToolListChanged().catch(() => {});
    }),
  );
}
