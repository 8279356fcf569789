import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import { type ClientConnection, rethrow } from "./client-connection.ts";
import type { ServerState } from "./server-state.ts";

/** The protocol's limit. */
const MAX_COMPLETIONS = 100;

/** Handles `prompts/*` and `completion/complete`, as far as the server declares them. */
export function handlePrompts(connection: ClientConnection): void {
  const { server, state } = connection;
  const { prompts, options } = state;
  if (options.prompts.length > 0) {
    server.setRequestHandler("prompts/list", () => prompts.list());
    server.setRequestHandler("prompts/get", ({ params: { name, arguments: values = {} } }, context) =>
      connection.serve(context, `prompt ${name}`, (request) => prompts.get(name, values, request)),
    );
  }
  if (state.capabilities.completions) {
    server.setRequestHandler("completion/complete", ({ params }) => complete(params, state).catch(rethrow));
  }
}

/** Completes the argument of a prompt or the variable of a resource template. */
async function complete(
  { ref, argument }: CompleteRequest["params"],
  { prompts, resources }: ServerState,
): Promise<CompleteResult> {
  const source = ref.type === "ref/prompt" ? prompts.find(ref.name) : resources.template(ref.uri);
  const values = (await source?.complete?.(argument.name, argument.value)) ?? [];
  const hasMore = values.length > MAX_COMPLETIONS;
  return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore } };
}
