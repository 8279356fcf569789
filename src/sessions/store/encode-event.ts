import { messageOf } from "../../core/error.ts";
import { type DurableEvent, LOG_VERSION, type StoredEvent } from "../../core/session-log.ts";
import { type NewEvent, SessionError } from "../../core/session-store.ts";
import { assertJson, assertShallow } from "../../host/protocol/plain-json.ts";
import { isObject } from "../../platform/values/is-object.ts";

/** The maximum size of one event as JSON. */
const MAX_EVENT_BYTES = 16_000_000;

/** An event that was checked, and its JSON. Neither has `position`, `at` or `v`. */
export interface EncodedEvent {
  /** A copy: changes to the caller's object have no effect. */
  readonly event: DurableEvent;
  readonly json: string;
  readonly at: number;
  /** The size of the JSON. */
  readonly bytes: number;
}

/** Throws "invalid_event" or "too_large". `now` is the time of events without one. */
export function encodeEvents(events: readonly NewEvent[], now: number): readonly EncodedEvent[] {
  if (!Array.isArray(events)) throw invalid("The events must be a list.");
  return events.map((event) => {
    const encoded = encodeEvent(event, now);
    if (encoded.event.type === "session.start")
      throw invalid("A session.start event is written by create(), and only there.");
    return encoded;
  });
}

export function encodeEvent(given: NewEvent, now: number): EncodedEvent {
  const { at = now, json } = toJson(given);
  const bytes = Buffer.byteLength(json);
  const event = JSON.parse(json) as DurableEvent;
  checkFields(event);
  if (!Number.isSafeInteger(at) || at < 0)
    throw invalid(`"at" of a ${event.type} event must be milliseconds since the epoch.`);
  if (bytes > MAX_EVENT_BYTES) throw tooLarge(event.type, bytes);
  return { event, json, at, bytes };
}

/** An event of the log, as readers get it. */
export function toStoredEvent(event: DurableEvent, position: number, at: number, v: number = LOG_VERSION): StoredEvent {
  return { ...event, position, at, v };
}

type FieldKind =
  | "a string"
  | "a string, or left out"
  | "a boolean"
  | "an object"
  | "a list of objects"
  | "a list of strings";

const OPTIONAL = "a string, or left out";
const CALL = { callID: "a string", tool: "a string", messageID: "a string", agent: "a string" } as const;
const MESSAGE = { messageID: "a string", content: "a list of objects" } as const;

/** The fields that code relies on. Others are stored as they are. */
const FIELDS: Readonly<Record<DurableEvent["type"], Readonly<Record<string, FieldKind>>>> = {
  "session.start": { directory: "a string", title: OPTIONAL, agent: OPTIONAL, model: OPTIONAL },
  "message.user": MESSAGE,
  "message.complete": MESSAGE,
  "tool.start": CALL,
  "tool.complete": { ...CALL, result: "an object" },
  "tool.failed": { ...CALL, result: "an object" },
  "question.asked": {
    questionID: "a string",
    callID: "a string",
    tool: "a string",
    reason: "a string",
    kind: "a string",
  },
  "question.answered": { questionID: "a string", allowed: "a boolean" },
  "cancel.requested": {},
  "state.set": { of: "a string", key: "a string" },
  "entry.added": { entry: "an object" },
  usage: {},
  "session.idle": {},
  "session.error": { message: "a string" },
  "session.interrupted": { reason: "a string", calls: "a list of strings", questions: "a list of strings" },
};

const LIVE_TYPES: readonly string[] = ["message.delta", "thinking.delta", "tool.update", "session.partial"];

function checkFields(event: object): void {
  const fields = event as Readonly<Record<string, unknown>>;
  const { type } = fields;
  if (typeof type !== "string") throw invalid('An event must be an object with a "type".');
  if (LIVE_TYPES.includes(type)) throw invalid(`A ${type} event is not stored. Pass it to publish().`);
  if (!Object.hasOwn(FIELDS, type)) {
    const types = Object.keys(FIELDS).join(", ");
    throw invalid(`There is no event type ${JSON.stringify(type)}. Types: ${types}.`);
  }
  for (const [field, kind] of Object.entries(FIELDS[type as DurableEvent["type"]]))
    if (!isOfKind(fields[field], kind)) throw invalid(`"${field}" of a ${type} event must be ${kind}.`);
}

function isOfKind(value: unknown, kind: FieldKind): boolean {
  if (kind === "an object") return isObject(value);
  if (kind === "a list of objects") return Array.isArray(value) && value.every(isObject);
  if (kind === "a list of strings") return Array.isArray(value) && value.every((each) => typeof each === "string");
  if (kind === OPTIONAL) return value === undefined || typeof value === "string";
  return typeof value === (kind === "a string" ? "string" : "boolean");
}

/** Reads the caller's object once: accessors of it may throw or change. */
function toJson(given: NewEvent): { readonly at: number | undefined; readonly json: string } {
  if (!isObject(given)) throw invalid('An event must be an object with a "type".');
  try {
    const { at, position: _position, v: _v, ...event } = given as NewEvent & Partial<StoredEvent>;
    assertJson(event);
    const json = JSON.stringify(event);
    assertShallow(event, json);
    return { at, json };
  } catch (error) {
    const reason = error instanceof RangeError && isStackOverflow(error) ? "It contains itself." : messageOf(error);
    throw new SessionError("invalid_event", `The event cannot be stored as JSON: ${reason}`, { cause: error });
  }
}

function isStackOverflow(error: RangeError): boolean {
  return error.message.startsWith("Maximum call stack");
}

function invalid(message: string): SessionError {
  return new SessionError("invalid_event", message);
}

function tooLarge(type: string, bytes: number): SessionError {
  const size = (bytes / 1_000_000).toFixed(1);
  return new SessionError(
    "too_large",
    `A ${type} event has ${size} MB; an event of a session may have ${MAX_EVENT_BYTES / 1_000_000} MB. Store large data in a file, and its path in the event.`,
  );
}
