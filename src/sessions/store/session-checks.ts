import { SessionError } from "../../core/session-store.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { isSessionID } from "../log/session-id.ts";

/** Throws if it is not the id of a session. */
export function checkSessionID(id: unknown): asserts id is string {
  if (isSessionID(id)) return;
  throw new SessionError(
    "invalid_session_id",
    "The id of a session must be a string of 1 to 200 characters, without control characters.",
  );
}

/** Throws if it cannot be a position; 0 is before the first event. `name` is the name of the parameter. */
export function checkPosition(name: string, value: unknown): asserts value is number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return;
  throw new SessionError("invalid_position", `"${name}" must be a position: 0 or a positive integer.`);
}

/** Throws if a page could not have this size. */
export function checkLimit(limit: unknown): asserts limit is number {
  if (Number.isSafeInteger(limit) && Number(limit) > 0) return;
  throw new SessionError("invalid_position", '"limit" must be a positive integer.');
}

/** Throws if a branch cannot end at this position. */
export function checkBranchPosition(sessionID: string, at: number, last: number): void {
  checkPosition("at", at);
  if (at === 0) throw new SessionError("invalid_position", "A branch needs at least the first event: position 1.");
  checkWithinLog(sessionID, at, last);
}

/** Throws if a reader cannot begin after this position. `last` is the position of the last event. */
export function checkWithinLog(sessionID: string, position: number, last: number): void {
  if (position <= last) return;
  throw new SessionError(
    "invalid_position",
    `Session ${JSON.stringify(sessionID)} has no position ${position}: its last event is at ${last}.`,
  );
}

export function checkExpected(sessionID: string, expected: number | undefined, last: number): void {
  if (expected === undefined || expected === last) return;
  throw new SessionError(
    "conflict",
    `Session ${JSON.stringify(sessionID)} is at position ${last}, not at ${expected}. Read the new events, then try again.`,
  );
}

export function sessionNotFound(sessionID: string): SessionError {
  return new SessionError("session_not_found", `There is no session ${JSON.stringify(sessionID)}.`);
}

export function sessionExists(sessionID: string): SessionError {
  return new SessionError(
    "session_exists",
    `There is a session ${JSON.stringify(sessionID)} already. Choose another id.`,
  );
}

export function sessionRemoved(sessionID: string): SessionError {
  return new SessionError("session_removed", `Session ${JSON.stringify(sessionID)} was removed.`);
}

export function sessionOwned(sessionID: string): SessionError {
  return new SessionError(
    "owned",
    `Session ${JSON.stringify(sessionID)} is running. Wait until it ends, or cancel it first: toolwright sessions cancel ${shellWord(sessionID)}`,
  );
}

export function superseded(sessionID: string): SessionError {
  return new SessionError(
    "superseded",
    `The turn of session ${JSON.stringify(sessionID)} is over: this process did not respond for some time, and another one has ended the turn. Send the message again.`,
  );
}

export function storeClosed(): SessionError {
  return new SessionError("store_closed", "The session store is closed.");
}

/** The limit is a setting: no other session may be removed to make room. */
export function databaseFull(maxMb: number): SessionError {
  return new SessionError(
    "store_full",
    `The stored sessions have reached their limit of ${maxMb} MB (the setting sessions.maxMb), and all others are in use. Nothing was stored. Remove sessions, or set a larger limit. Tools without a session still work.`,
  );
}
