import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ClientConnection } from "./client-connection.ts";

const MAX_SUBSCRIPTIONS = 1_000;
const MAX_URI_LENGTH = 2_000;
const TOO_MANY_SUBSCRIPTIONS = `A client can subscribe to ${MAX_SUBSCRIPTIONS} resources, with addresses of up to ${MAX_URI_LENGTH} characters. Unsubscribe from some first.`;

/** Handles `resources/*` if the source declares them, and notifies the client when a resource changes that it has subscribed to. */
export function handleResources(connection: ClientConnection): void {
  const { server, state, kind } = connection;
  const { resources, source, options } = state;
  if (!source.capabilities.resources) return;
  const subscribed = new Set<string>();
  server.setRequestHandler("resources/list", () => resources.list());
  server.setRequestHandler("resources/templates/list", () => resources.templates());
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    connection.serve(context, `resource ${uri}`, async (request) => {
      const output = await source.outputs.read(connection.sessionOf(context), uri, options.readBytes);
      return output ?? resources.read(uri, request);
    }),
  );
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    if (subscribed.size >= MAX_SUBSCRIPTIONS || uri.length > MAX_URI_LENGTH) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, TOO_MANY_SUBSCRIPTIONS);
    }
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  if (kind.forOneRequest) return;
  connection.onClose(
    state.changes.listen((change) => {
      if (change.kind !== "resource" || !connection.isReady) return;
      // The SDK filters updates for modern clients by their own subscriptions.
      if (kind.era === "legacy" && !subscribed.has(change.uri)) return;
      // A failed send means that the client is gone, which closes the connection.
      server.sendResourceUpdated({ uri: change.uri }).catch(() => {});
    }),
  );
}
