import { isDeepStrictEqual } from "node:util";
import type { JoinedSession } from "../../../authoring/copilot/joined-session.ts";
import { textOf } from "../../../core/result.ts";
import type { SessionEvent, SessionSnapshot } from "../../../core/session.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { CallHooks, FormatHost, HookedCall, ShapedResult } from "../contributions.ts";
import { fromCopilot } from "../frameworks/copilot-result.ts";

/** The hooks that are called here. All others concern prompts and the model. */
export const CALLED_HOOKS: ReadonlySet<string> = new Set([
  "onPreToolUse",
  "onPostToolUse",
  "onPostToolUseFailure",
  "onSessionStart",
  "onSessionEnd",
]);

type Hook = (input: object, invocation: { sessionId: string }) => unknown;

/** Calls a hook of an extension. An empty object if the extension has no such hook, or the hook returns nothing. */
async function callHook(
  { config }: JoinedSession,
  name: string,
  input: object,
  at: { sessionId: string; directory: string },
): Promise<Readonly<Record<string, unknown>>> {
  const hook = isObject(config.hooks) ? config.hooks[name] : undefined;
  if (typeof hook !== "function") return {};
  const base = { timestamp: new Date(), workingDirectory: at.directory, cwd: at.directory };
  const output: unknown = await (hook as Hook)({ ...base, ...input }, { sessionId: at.sessionId });
  return isObject(output) ? output : {};
}

/** Hooks and events of Copilot around the calls of all tools. */
export function copilotCallHooks(joined: JoinedSession): CallHooks {
  return {
    before: (call) => beforeCall(joined, call),
    after: (call, result) => afterCall(joined, call, result),
  };
}

async function beforeCall(
  joined: JoinedSession,
  call: HookedCall,
): Promise<{ input: unknown } | { refuse: string } | undefined> {
  const { tool: toolName, input: toolArgs } = call;
  joined.emit("tool.execution_start", { toolCallId: call.callID, toolName, arguments: toolArgs });
  const answer = await callHook(joined, "onPreToolUse", { toolName, toolArgs }, placeOf(call));
  if (answer.permissionDecision === "deny") {
    const reason = answer.permissionDecisionReason;
    return {
      refuse: typeof reason === "string" && reason !== "" ? reason : "A hook of a Copilot extension denied it.",
    };
  }
  const { modifiedArgs = toolArgs } = answer;
  return isDeepStrictEqual(modifiedArgs, toolArgs) ? undefined : { input: modifiedArgs };
}

async function afterCall(
  joined: JoinedSession,
  call: HookedCall,
  result: ShapedResult,
): Promise<Partial<ShapedResult> | undefined> {
  const { tool: toolName, input: toolArgs, callID: toolCallId } = call;
  const text = textOf(result.content);
  const outcome = result.isError ? { error: { message: text } } : { result: { content: text } };
  joined.emit("tool.execution_complete", { toolCallId, toolName, success: !result.isError, ...outcome });
  const answer = result.isError
    ? await callHook(joined, "onPostToolUseFailure", { toolName, toolArgs, error: text }, placeOf(call))
    : await callHook(
        joined,
        "onPostToolUse",
        { toolName, toolArgs, toolResult: { textResultForLlm: text, resultType: "success" } },
        placeOf(call),
      );
  return changed(result, answer);
}

/** Copilot adds `additionalContext` to the conversation: here it is appended to the result. */
function changed(
  result: ShapedResult,
  { modifiedResult, additionalContext }: Readonly<Record<string, unknown>>,
): Partial<ShapedResult> | undefined {
  const modified = result.isError ? undefined : (fromCopilot(modifiedResult) as Partial<ShapedResult> | undefined);
  const context = typeof additionalContext === "string" && additionalContext !== "" ? additionalContext : undefined;
  if (!modified && context === undefined) return undefined;
  const { content = result.content, isError = result.isError } = modified ?? {};
  return {
    content: [...content, ...(context === undefined ? [] : [{ type: "text" as const, text: context }])],
    isError,
  };
}

function placeOf({ session, directory }: HookedCall): { sessionId: string; directory: string } {
  return { sessionId: session.id, directory };
}

/** The session hooks of an extension. */
export async function notifyCopilot(
  joined: JoinedSession,
  event: SessionEvent,
  session: SessionSnapshot,
  host: FormatHost,
): Promise<void> {
  const at = { sessionId: session.id, directory: host.cwd };
  if (event.reason === "start") {
    await callHook(joined, "onSessionStart", { source: event.resumed ? "resume" : "new" }, at);
  }
  if (event.reason === "shutdown") {
    joined.emit("session.shutdown", { shutdownType: "routine" });
    await callHook(joined, "onSessionEnd", { reason: "complete" }, at);
  }
}
