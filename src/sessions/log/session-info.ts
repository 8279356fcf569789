import { type Content, textOf } from "../../core/result.ts";
import {
  type DurableEvent,
  LOG_VERSION,
  type SessionInfo,
  type SessionStatus,
  type StoredEvent,
} from "../../core/session-log.ts";

const MAX_DEFAULT_TITLE_LENGTH = 80;
/** The info of a session is written with each event, and lists have many of them. */
const MAX_TITLE_LENGTH = 1_000;

/** Why a turn, call or question that is open where a branch begins is interrupted in the branch. */
export const BRANCH_REASON =
  "This session is a branch. What was running at this point continues only in the session that it was branched from.";

/** Why a turn is interrupted whose owner gives up the session without an event that ends the turn. */
export const TURN_WITHOUT_END = "The process that ran this session could not record the end of the turn.";

/** Why a call is interrupted that is open when the last process that ran its session gives the session up. */
const CALL_WITHOUT_END = "The process that ran this call could not record its end.";

/** Why a question is withdrawn whose call ended without an answer. */
export const CALL_ENDED = "The call ended before the question was answered.";

/** The info of a session after its first event. */
export function firstInfo(
  { id, project }: { readonly id: string; readonly project: string },
  start: StoredEvent & { readonly type: "session.start" },
): SessionInfo {
  const { directory, agent, model, parent, at, position } = start;
  const title = start.title === undefined ? undefined : shorten(start.title, MAX_TITLE_LENGTH);
  return {
    id,
    project,
    directory,
    ...(title === undefined ? {} : { title, defaultTitle: title }),
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    status: "idle",
    turn: "idle",
    createdAt: at,
    updatedAt: at,
    position,
    openCalls: [],
    openQuestions: [],
    ...(parent === undefined ? {} : { parent }),
  };
}

/** The info of a session after one more event. Of events that this version does not know, only position and time count. */
export function infoAfter(info: SessionInfo, event: StoredEvent): SessionInfo {
  const changed = event.v > LOG_VERSION ? info : applyEvent(info, event);
  return {
    ...changed,
    status: statusOf(changed),
    position: event.position,
    updatedAt: Math.max(info.updatedAt, event.at),
  };
}

/** The info of a new branch. `info` is folded from the events of the source up to the position of the branch. */
export function branchInfo(info: SessionInfo, branch: { readonly id: string; readonly at: number }): SessionInfo {
  const branchOf = { sessionID: info.id, position: info.position };
  return { ...info, id: branch.id, createdAt: branch.at, updatedAt: branch.at, branchOf };
}

/** The event that ends the turn, calls and questions of a session whose owner is gone. Undefined if none of them is open. */
export function interruptionOf(
  info: SessionInfo,
  reason: string,
): (DurableEvent & { readonly type: "session.interrupted" }) | undefined {
  if (!isOpen(info)) return undefined;
  return { type: "session.interrupted", reason, calls: info.openCalls, questions: info.openQuestions };
}

/** Whether a session has a turn, a call or a question that has not ended. */
function isOpen({ status }: SessionInfo): boolean {
  return status === "running" || status === "waiting";
}

/**
 * The event that ends the turn of a session and what its agent has open, but not the calls of users and their questions: they go on.
 * `starts` are the events of the log that begin calls and questions. Undefined if nothing is open.
 */
export function turnInterruptionOf(
  info: SessionInfo,
  starts: Iterable<StoredEvent>,
  reason: string,
): (DurableEvent & { readonly type: "session.interrupted" }) | undefined {
  const ofUsers = new Set<string>();
  const note = (id: string, isOfUser: boolean): unknown => (isOfUser ? ofUsers.add(id) : ofUsers.delete(id));
  const hasOpen = info.openCalls.length > 0 || info.openQuestions.length > 0;
  for (const event of hasOpen ? starts : []) {
    // Earlier versions did not store the caller. Then, a call of a user has no agent, with few exceptions.
    if (event.type === "tool.start") note(event.callID, event.caller ? event.caller !== "agent" : event.agent === "");
    if (event.type === "question.asked") note(event.questionID, ofUsers.has(event.callID));
  }
  const isOfAgent = (id: string): boolean => !ofUsers.has(id);
  const [calls, questions] = [info.openCalls.filter(isOfAgent), info.openQuestions.filter(isOfAgent)];
  if (info.turn !== "running" && calls.length === 0 && questions.length === 0) return undefined;
  return { type: "session.interrupted", reason, calls, questions };
}

/**
 * How a session that no process runs is ended: calls are interrupted, and the turn if its claim is over; questions that are open
 * without them are withdrawn.
 */
export function endsOf(info: SessionInfo, isTurnOver: boolean): readonly DurableEvent[] {
  if (info.turn === "running" ? !isTurnOver : info.openCalls.length === 0) return withdrawalsOf(info);
  return [interruptionOf(info, info.turn === "running" ? TURN_WITHOUT_END : CALL_WITHOUT_END) ?? []].flat();
}

/** The events that close the questions of a session that no process runs: no process waits for their answers. */
function withdrawalsOf({ openQuestions }: SessionInfo): readonly DurableEvent[] {
  return openQuestions.map((questionID) => ({
    type: "question.answered",
    questionID,
    allowed: false,
    withdrawn: true,
    reason: CALL_ENDED,
  }));
}

function applyEvent(info: SessionInfo, event: StoredEvent): SessionInfo {
  switch (event.type) {
    case "message.user":
      return { ...withDefaultTitle(info, event.content), turn: "running" };
    case "tool.start":
      // A call outside a turn shows that the session goes on after an interruption.
      return {
        ...info,
        openCalls: added(info.openCalls, event.callID),
        turn: info.turn === "interrupted" ? "idle" : info.turn,
      };
    case "tool.complete":
    case "tool.failed":
      return { ...info, openCalls: without(info.openCalls, [event.callID]) };
    case "question.asked":
      return { ...info, openQuestions: added(info.openQuestions, event.questionID) };
    case "question.answered":
      return { ...info, openQuestions: without(info.openQuestions, [event.questionID]) };
    case "state.set":
      if (event.of === "session" && event.key === "title") return withTitle(info, event.value);
      return event.of === "agent" && event.key === "session" ? withAgent(info, event.value) : info;
    case "session.idle":
      return { ...info, turn: "idle" };
    case "session.error":
      return { ...info, turn: "error" };
    case "session.interrupted":
      return {
        ...info,
        turn: "interrupted",
        openCalls: without(info.openCalls, event.calls),
        openQuestions: without(info.openQuestions, event.questions),
      };
    default:
      return info;
  }
}

function statusOf({ turn, openCalls, openQuestions }: SessionInfo): SessionStatus {
  if (openQuestions.length > 0) return "waiting";
  return openCalls.length > 0 ? "running" : turn;
}

function added(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id];
}

function without(ids: readonly string[], ended: readonly string[]): readonly string[] {
  return ids.some((id) => ended.includes(id)) ? ids.filter((id) => !ended.includes(id)) : ids;
}

function withDefaultTitle(info: SessionInfo, content: readonly Content[]): SessionInfo {
  if (info.defaultTitle !== undefined) return info;
  const line = firstLine(textOf(content));
  return line === "" ? info : { ...info, title: info.title ?? line, defaultTitle: line };
}

function firstLine(text: string): string {
  return shorten(text.match(/\S.*/)?.[0].trimEnd() ?? "", MAX_DEFAULT_TITLE_LENGTH);
}

/** No half of a surrogate pair at the end. */
function shorten(text: string, length: number): string {
  const short = text.slice(0, length);
  return text.length > length && /[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short;
}

/** The value is an `AgentLink`. */
function withAgent(info: SessionInfo, link: unknown): SessionInfo {
  const { agent, model } = (link ?? {}) as { readonly agent?: unknown; readonly model?: unknown };
  if (typeof agent !== "string") return info;
  const { model: _, ...others } = info;
  return { ...others, agent, ...(typeof model === "string" ? { model } : {}) };
}

/** Without a title, the default applies. */
function withTitle(info: SessionInfo, title: unknown): SessionInfo {
  if (typeof title === "string" && title !== "") return { ...info, title: shorten(title, MAX_TITLE_LENGTH) };
  const { title: _removed, ...others } = info;
  return info.defaultTitle === undefined ? others : { ...others, title: info.defaultTitle };
}
