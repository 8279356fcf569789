import type { ApiMessageAccepted, ApiNewSession, ApiSessionCreated } from "../../../../core/api-sessions.ts";
import { modeNamed } from "../../../../core/permission-mode.ts";
import { defined } from "../../../../platform/values/defined.ts";
import { sessionDirectory } from "../../../../toolbox/session-directory.ts";
import type { Toolbox, Turn } from "../../../../toolbox/toolbox.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { json } from "../../parts/json-response.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { requireSession, sessionBodyHandler } from "./session-handler.ts";
import { refusalOf } from "./session-refusal.ts";

const SERVED = { answerable: true, overHttp: true };

/** Creates a session with its first turn. Responds when both are durable. The turn goes on without the client. */
export function createSession(context: RouteContext): RouteHandler {
  const { toolbox, fail } = context;
  return sessionBodyHandler(context, "POST /api/sessions", async (_, request, store) => {
    const refusal = refusalOfTurn(request.prompt, context);
    if (refusal) return fail(refusal);
    const { prompt, cwd, model, permissionMode, tools, title } = request;
    const place = sessionDirectory(cwd ?? toolbox.project.directory, toolbox.project.root);
    if (place.kind === "refused") return fail({ code: "bad_request", message: `"cwd" ${place.reason}.` });
    // Before there is a session: an agent that cannot be started leaves none behind.
    const agent = await toolbox.sessions.startAgent(request.agent);
    const id = crypto.randomUUID();
    const mode = modeNamed(permissionMode);
    const options = { agent, directory: place.directory, ...defined({ model, mode, tools, title }) };
    const begun = await begin(() => toolbox.sessions.send(id, prompt, { ...options, ...SERVED }), context);
    if (begun.kind === "begun") return json({ id, ...queuePosition(id, toolbox) } satisfies ApiSessionCreated, 201);
    await store.remove(id).catch(() => {});
    return fail(begun.error);
  });
}

/** Sends a message to a session, which begins its next turn. Responds when the message is durable. */
export function sendMessage(context: RouteContext): RouteHandler {
  const { toolbox, fail } = context;
  return sessionBodyHandler(context, "POST /api/sessions/{id}/messages", async ({ req }, { prompt }, store) => {
    const refusal = refusalOfTurn(prompt, context);
    if (refusal) return fail(refusal);
    const { id, agent, directory } = await requireSession(store, req.param("id"));
    // A link may have replaced it since the session was created.
    const place = sessionDirectory(directory, toolbox.project.root);
    if (place.kind === "refused") return fail(movedDirectory(directory, place.reason));
    await toolbox.sessions.startAgent(agent);
    // It may have been removed meanwhile.
    const options = { ...SERVED, mustExist: true };
    const begun = await begin(() => toolbox.sessions.send(id, prompt, options), context);
    if (begun.kind === "refused") return fail(begun.error);
    const accepted = { position: begun.position, ...queuePosition(id, toolbox) };
    return json(accepted satisfies ApiMessageAccepted, 202);
  });
}

function movedDirectory(directory: string, reason: string): ErrorResponse {
  const message = `The directory of this session is ${JSON.stringify(directory)}. It ${reason}. Restore it, or create a new session.`;
  return { code: "conflict", message };
}

/** The place of a session's turn in the queue, counted from 1, if it waits. */
export function queuePosition(id: string, { sessions }: Toolbox): { queuePosition?: number } {
  const index = sessions.queue.indexOf(id);
  return index < 0 ? {} : { queuePosition: index + 1 };
}

/** Why no turn may begin now; undefined if one may. */
function refusalOfTurn(prompt: ApiNewSession["prompt"], context: RouteContext): ErrorResponse | undefined {
  const { admission, limits } = context;
  // Not limited in number, as calls are: turns wait in their queue.
  const refused = admission.countRequest() ?? queueIsFull(context);
  if (refused) return refused;
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= limits.promptBytes) return undefined;
  const message = `The prompt has ${bytes} bytes, and the limit is ${limits.promptBytes}. Write the text to a file of the project, and name the file in the prompt.`;
  return { code: "too_large", message };
}

/** Turns that are not yet in the queue count too: many requests may come at once. */
function queueIsFull({ limits, toolbox, turns }: RouteContext): ErrorResponse | undefined {
  if (turns.size < toolbox.project.settings.agents.maxTurns + limits.queuedTurns) return undefined;
  const message = `${limits.queuedTurns} messages wait for their turn, which is the limit. Try again when one has ended.`;
  return { code: "busy", message, headers: { "retry-after": "5" } };
}

type Begun =
  | { readonly kind: "begun"; readonly position: number }
  | { readonly kind: "refused"; readonly error: ErrorResponse };

async function begin(send: () => Turn, context: RouteContext): Promise<Begun> {
  const { turns } = context;
  const full = queueIsFull(context);
  if (full) return { kind: "refused", error: full };
  const turn = send();
  turns.add(turn);
  void turn.result.then(() => turns.delete(turn));
  const position = await turn.begun;
  if (position !== undefined) return { kind: "begun", position };
  const result = await turn.result;
  const error = result.ok ? { code: "failed", message: "The turn ended before it began." } : result.error;
  return { kind: "refused", error: refusalOf(error) };
}
