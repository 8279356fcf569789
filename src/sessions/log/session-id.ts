/** The session of all calls that name none. It is not recorded. */
export const SHARED_SESSION_ID = "default";

/** Whether a value can be the id of a session. Half of a surrogate pair is refused, because databases do not keep it. */
export function isSessionID(id: unknown): id is string {
  return typeof id === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(id) && id.isWellFormed();
}

/** Why a session with this id cannot be recorded, as the end of a sentence about the id; undefined if it can. */
export function recordingProblem(id: unknown): string | undefined {
  if (id === SHARED_SESSION_ID)
    return `must not be "${id}", the session of calls without one. Choose another, or leave it out`;
  return isSessionID(id) ? undefined : "must be a string of 1 to 200 characters, without control characters";
}
