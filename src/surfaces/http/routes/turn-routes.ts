import type { ApiMessageAccepted, ApiNewSession, ApiSessionCreated } from "../../../core/api-sessions.ts";
import { defined } from "../../../core/defined.ts";
import type { ErrorResponse } from "../../../http/error-response.ts";
import { json } from "../../../http/json-response.ts";
import { sessionDirectory } from "../../../toolbox/session-directory.ts";
import type { Toolbox, Turn } from "../../../toolbox/toolbox.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { requireSession, sessionBodyHandler } from "./session-handler.ts";
import { refusalOf } from "./session-refusal.ts";
import { MESSAGE, NEW_SESSION } from "./session-requests.ts";

/** Creates a session with its first turn. Responds when both are durable. The turn goes on without the client. */
export function createSession(context: RouteContext): RouteHandler {
  const { toolbox, fail } = context;
  return sessionBodyHandler(context, NEW_SESSION, async (_, request, store) => {
    const refusal = refusalOfTurn(request.prompt, context);
    if (refusal) return fail(refusal);
    const { prompt, cwd, model, permissionMode: mode, tools, title } = request;
    const place = sessionDirectory(cwd ?? toolbox.project.directory, toolbox.project.root);
    if (place.kind === "refused") return fail({ code: "bad_request", message: `"cwd" ${place.reason}.` });
    // Before there is a session: an agent that cannot be started leaves none behind.
    const agent = await toolbox.sessions.startAgent(request.agent);
    const id = crypto.randomUUID();
    const options = { agent, directory: place.directory, ...defined({ model, mode, tools, title }) };
    const turn = toolbox.sessions.send(id, prompt, { ...options, answerable: true });
    const begun = await begin(turn, context);
    if (begun.kind === "begun") return json({ id, ...queuePosition(id, toolbox) } satisfies ApiSessionCreated, 201);
    await store.remove(id).catch(() => {});
    return fail(begun.error);
  });
}

/** Sends a message to a session, which begins its next turn. Responds when the message is durable. */
export function sendMessage(context: RouteContext): RouteHandler {
  const { toolbox, fail } = context;
  return sessionBodyHandler(context, MESSAGE, async ({ req }, { prompt }, store) => {
    const refusal = refusalOfTurn(prompt, context);
    if (refusal) return fail(refusal);
    const { id, agent } = await requireSession(store, req.param("id"));
    await toolbox.sessions.startAgent(agent);
    // It may have been removed meanwhile.
    const begun = await begin(toolbox.sessions.send(id, prompt, { answerable: true, mustExist: true }), context);
    if (begun.kind === "refused") return fail(begun.error);
    const accepted = { position: begun.position, ...queuePosition(id, toolbox) };
    return json(accepted satisfies ApiMessageAccepted, 202);
  });
}

/** The place of a session's turn in the queue, counted from 1, if it waits. */
export function queuePosition(id: string, { sessions }: Toolbox): { queuePosition?: number } {
  const index = sessions.queue.indexOf(id);
  return index < 0 ? {} : { queuePosition: index + 1 };
}

/** Why no turn may begin now; undefined if one may. */
function refusalOfTurn(
  prompt: ApiNewSession["prompt"],
  { admission, limits, toolbox }: RouteContext,
): ErrorResponse | undefined {
  // Not limited in number, as calls are: turns wait in their queue.
  const refused = admission.countRequest();
  if (refused) return refused;
  if (toolbox.sessions.queue.length >= limits.queuedTurns) {
    const message = `${limits.queuedTurns} messages wait for their turn, which is the limit. Try again when one has ended.`;
    return { code: "busy", message, headers: { "retry-after": "5" } };
  }
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= limits.promptBytes) return undefined;
  const message = `The prompt has ${bytes} bytes, and the limit is ${limits.promptBytes}. Write the text to a file of the project, and name the file in the prompt.`;
  return { code: "too_large", message };
}

type Begun =
  | { readonly kind: "begun"; readonly position: number }
  | { readonly kind: "refused"; readonly error: ErrorResponse };

async function begin(turn: Turn, { turns }: RouteContext): Promise<Begun> {
  turns.add(turn);
  void turn.result.then(() => turns.delete(turn));
  const position = await turn.begun;
  if (position !== undefined) return { kind: "begun", position };
  const result = await turn.result;
  const error = result.ok ? { code: "failed", message: "The turn ended before it began." } : result.error;
  return { kind: "refused", error: refusalOf(error) };
}
