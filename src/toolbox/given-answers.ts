import type { ApiGivenAnswer } from "../core/api-page.ts";
import type { LoggedQuestion, LoggedRule, QuestionAnswered } from "../core/question.ts";
import type { DurableEvent, SessionInfo, StoredEvent } from "../core/session-log.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";
import type { Access, AskRequest } from "../core/tool.ts";
import { defined } from "../platform/values/defined.ts";
import { sessionOfQuestion } from "../sessions/open-questions.ts";
import { isSameRule } from "../settings/permissions/rule.ts";
import { permissionsOf } from "./permission-view.ts";
import type { Toolbox } from "./toolbox.ts";

const MAX_SESSIONS = 50;
const MAX_ANSWERS = 200;
/** Of a longer log, only the last events are read. */
const MAX_EVENTS = 20_000;
const PAGE = 200;
/** Questions that were never answered stay open in the log of an interrupted session. */
const MAX_OPEN = 200;
const MAX_TARGETS = 20;
const MAX_TARGET = 500;
const MAX_TEXT = 1_000;

const TYPES: readonly DurableEvent["type"][] = ["question.asked", "question.answered"];

type PermissionQuestion = LoggedQuestion & { readonly kind: "permission" };

/** An answer without what changes later: the title of its session, and the rules that still apply. */
interface FoundAnswer {
  readonly answer: ApiGivenAnswer;
  readonly added: readonly LoggedRule[];
}

/**
 * The answers that people have given to permission questions, from the logs of the sessions that changed last. It remembers
 * what it has read of each log, so that listing them again reads only new events.
 */
export class GivenAnswers {
  readonly #toolbox: Pick<Toolbox, "sessions" | "project">;
  #logs = new Map<string, AnswersInLog>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(toolbox: Pick<Toolbox, "sessions" | "project">) {
    this.#toolbox = toolbox;
  }

  /** The latest first. Rejects with a `SessionError` if the sessions cannot be read. */
  list(): Promise<readonly ApiGivenAnswer[]> {
    // One after the other, because each continues where the one before stopped reading.
    const listed = this.#last.then(() => this.#list());
    this.#last = listed.catch(() => {});
    return listed;
  }

  async #list(): Promise<readonly ApiGivenAnswer[]> {
    const store = await this.#toolbox.sessions.store();
    const { sessions } = await store.list({ limit: MAX_SESSIONS });
    const logs = new Map<string, AnswersInLog>();
    const titles = new Map<string, string | undefined>();
    for (const info of sessions) {
      const known = this.#logs.get(info.id);
      const log = known?.continues(info) ? known : new AnswersInLog(info);
      if (!(await isRead(log, store, info.position))) continue;
      logs.set(info.id, log);
      titles.set(info.id, info.title);
    }
    this.#logs = logs;
    const found = [...logs.values()].flatMap(({ answers }) => answers);
    const latest = found.sort((one, other) => other.answer.at - one.answer.at).slice(0, MAX_ANSWERS);
    const effectOf = await this.#effects(latest);
    return latest.map((each) => ({
      ...each.answer,
      ...defined({ title: titles.get(each.answer.sessionID) }),
      ...effectOf(each),
    }));
  }

  /** Returns a function that finds which rules of an answer still apply. */
  async #effects(
    found: readonly FoundAnswer[],
  ): Promise<(each: FoundAnswer) => Pick<ApiGivenAnswer, "grants" | "rules">> {
    const { sessions, project } = this.#toolbox;
    const own = permissionsOf(project).rules.filter(({ from }) => from === "user");
    const granted = new Map<string, readonly LoggedRule[]>();
    for (const { answer } of found) {
      if (answer.remember !== "session" || granted.has(answer.sessionID)) continue;
      const choices = await sessions.choices(answer.sessionID).catch(unlessRemoved);
      granted.set(answer.sessionID, choices?.grants ?? []);
    }
    return ({ answer: { remember, sessionID }, added }) => {
      const isAdded = (rule: LoggedRule): boolean => added.some((each) => isSameRule(each, rule));
      const grants = remember === "session" ? granted.get(sessionID)?.filter(isAdded) : undefined;
      const rules = remember === "always" ? own.filter(isAdded) : undefined;
      return { ...(grants?.length ? { grants } : {}), ...(rules?.length ? { rules } : {}) };
    };
  }
}

/** False if the session has been removed meanwhile. */
async function isRead(log: AnswersInLog, store: SessionStore, end: number): Promise<boolean> {
  return log.read(store, end).then(
    () => true,
    (error: unknown) => unlessRemoved(error) ?? false,
  );
}

function unlessRemoved(error: unknown): undefined {
  if (!SessionError.is(error) || error.code !== "session_not_found") throw error;
  return undefined;
}

/** The answers in the log of one session, as far as it has been read. */
class AnswersInLog {
  readonly #id: string;
  readonly #createdAt: number;
  readonly #open = new Map<string, PermissionQuestion>();
  answers: readonly FoundAnswer[] = [];
  #position: number;

  constructor({ id, createdAt, position }: SessionInfo) {
    this.#id = id;
    this.#createdAt = createdAt;
    this.#position = Math.max(0, position - MAX_EVENTS);
  }

  /** Whether this is the log of the session. Its id may have been used again after the session was removed. */
  continues({ createdAt, position }: SessionInfo): boolean {
    return this.#createdAt === createdAt && this.#position <= position;
  }

  /** Reads the events up to a position, or a few more. */
  async read(store: SessionStore, end: number): Promise<void> {
    while (this.#position < end) {
      const events = await store.read(this.#id, this.#position, PAGE, TYPES);
      for (const event of events) this.#add(event);
      this.#position = events.at(-1)?.position ?? end;
    }
  }

  #add(event: StoredEvent): void {
    if (event.type === "question.asked" && event.kind === "permission") this.#open.set(event.questionID, event);
    if (event.type === "question.answered") {
      const question = this.#open.get(event.questionID);
      this.#open.delete(event.questionID);
      // The log of a branch begins with a copy of another log.
      const isCopy = sessionOfQuestion(event.questionID) !== this.#id;
      if (!question || event.withdrawn || isCopy) return;
      this.answers = [...this.answers, foundAnswer(this.#id, question, event, event.at)].slice(-MAX_ANSWERS);
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }
}

function foundAnswer(
  sessionID: string,
  { questionID, callID, tool, agent, access, request, reason: question, choices, rules }: PermissionQuestion,
  { allowed, remember, reason }: QuestionAnswered,
  at: number,
): FoundAnswer {
  // A duration that was not offered is ignored.
  const remembered = allowed && remember && choices.includes(remember) ? remember : undefined;
  return {
    answer: {
      ...{ questionID, sessionID, callID, tool, agent, question: cut(question, MAX_TEXT), at, allowed },
      access: access.slice(0, MAX_TARGETS).map(cutTarget),
      ...(request ? { request: cutRequest(request) } : {}),
      ...defined({ remember: remembered, reason: reason === undefined ? undefined : cut(reason, MAX_TEXT) }),
    },
    added: remembered ? rules : [],
  };
}

function cutTarget(access: Access): Access {
  return access === "undeclared" ? access : { ...access, target: cut(access.target, MAX_TARGET) };
}

function cutRequest({ permission, patterns }: AskRequest): NonNullable<ApiGivenAnswer["request"]> {
  const shown = patterns.slice(0, MAX_TARGETS).map((pattern) => cut(pattern, MAX_TARGET));
  return { permission: cut(permission, MAX_TARGET), patterns: shown };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
