import type { ApiCall } from "../core/api-page.ts";
import { CALLERS } from "../core/caller.ts";
import type { ToolErrorCode } from "../core/error.ts";
import { isObject } from "../platform/values/is-object.ts";
import { tryOrUndefined } from "../platform/values/try-or-undefined.ts";

/** A call from a line of the audit log. Undefined for a line that is torn, or that another program wrote. */
export function callOfLine(line: string): ApiCall | undefined {
  if (!line.startsWith("{")) return undefined;
  return callOfEntry(tryOrUndefined(() => JSON.parse(line) as unknown));
}

/** A call from the parsed value of a line. */
export function callOfEntry(entry: unknown): ApiCall | undefined {
  if (!isObject(entry)) return undefined;
  const { callID, tool, sessionID, agent, parentID, ok, durationMs, error, input = null } = entry;
  const caller = CALLERS.find((each) => each === entry.caller);
  const at = typeof entry.at === "string" ? Date.parse(entry.at) : Number.NaN;
  if (typeof callID !== "string" || typeof tool !== "string" || typeof ok !== "boolean") return undefined;
  if (typeof sessionID !== "string" || typeof agent !== "string" || !Number.isFinite(at)) return undefined;
  if (typeof durationMs !== "number" || !(durationMs >= 0)) return undefined;
  return {
    callID,
    tool,
    sessionID,
    agent,
    ...(caller === undefined ? {} : { caller }),
    ...(typeof parentID === "string" ? { parentID } : {}),
    at,
    durationMs,
    ok,
    ...(isError(error) ? { error: { code: error.code, message: error.message } } : {}),
    input,
  };
}

function isError(error: unknown): error is { code: ToolErrorCode; message: string } {
  return isObject(error) && typeof error.code === "string" && typeof error.message === "string";
}
