/** Whether a value can be the id of a session. Half of a surrogate pair is refused, because databases do not keep it. */
export function isSessionID(id: unknown): id is string {
  return typeof id === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(id) && id.isWellFormed();
}
