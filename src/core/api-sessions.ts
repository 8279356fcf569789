import type { Mode } from "./permission-mode.ts";
import type { LoggedQuestion, LoggedRule, QuestionAnswered } from "./question.ts";
import type { Content } from "./result.ts";
import type { LiveEvent, LoggedResult, PartialEvent, SessionInfo, SessionStatus, Usage } from "./session-log.ts";

/** What happens to calls that no rule covers. */
export type ApiMode = Mode;

/** The request body of `POST /api/sessions`. */
export interface ApiNewSession {
  readonly prompt: string;
  /** By default that of the setting `agents.default`. */
  readonly agent?: string;
  /** The model, as the agent names it; by default the agent's own choice. */
  readonly model?: string;
  /** The directory of the session, inside the served project; by default the served directory. */
  readonly cwd?: string;
  /** By default that of the settings. A project's mode can be stricter. */
  readonly permissionMode?: ApiMode;
  /**
   * The only tools that the model is shown, beside the agent's own. Names may have wildcards. Sub-agents of the user's settings
   * have the tools that the settings name.
   */
  readonly tools?: readonly string[];
  /** By default the first line of the prompt. */
  readonly title?: string;
}

/** The response of `POST /api/sessions` and `POST /api/sessions/:id/branch`: the session and its events are durable. */
export interface ApiSessionCreated {
  readonly id: string;
  /** The place in the queue, counted from 1. Only if the turn waits because too many run. */
  readonly queuePosition?: number;
}

/** The request body of `POST /api/sessions/:id/messages`. */
export interface ApiMessage {
  readonly prompt: string;
}

/** The response of `POST /api/sessions/:id/messages`, with status 202: the message is durable, and its turn runs. */
export interface ApiMessageAccepted {
  /** The position of the message in the log. */
  readonly position: number;
  readonly queuePosition?: number;
}

/** The request body of `POST /api/sessions/:id/cancel`, which may be left out. */
export interface ApiCancel {
  /** The only call to stop; by default the turn and all calls. */
  readonly callID?: string;
  /** Why, for the log. */
  readonly reason?: string;
}

/** The response of `POST /api/sessions/:id/cancel`. */
export interface ApiCancelled {
  /** Whether the process that runs the session was asked to stop it. False if nothing runs. */
  readonly cancelled: boolean;
}

/** The request body of `POST /api/sessions/:id/branch`. */
export interface ApiBranch {
  /** The position of the last event that the branch has; by default all. */
  readonly at?: number;
}

/** A session in the REST API. */
export interface ApiSession
  extends Pick<
    SessionInfo,
    | "id"
    | "directory"
    | "title"
    | "agent"
    | "model"
    | "status"
    | "createdAt"
    | "updatedAt"
    | "position"
    | "openQuestions"
    | "parent"
    | "branchOf"
  > {
  /** The place of its turn in the queue, counted from 1. Only if it waits. */
  readonly queuePosition?: number;
}

/** The response of `GET /api/sessions/:id`. */
export interface ApiSessionDetails extends ApiSession {
  /** Only if it is not that of the settings. */
  readonly permissionMode?: ApiMode;
  readonly tools?: readonly string[];
  /** The rules that people have granted for this session. */
  readonly grants: readonly LoggedRule[];
}

/** The query of `GET /api/sessions`. */
export interface ApiSessionQuery {
  /** The `next` of the page before. */
  readonly cursor?: string;
  /** 50 by default, at most 200. */
  readonly limit?: number;
  readonly status?: SessionStatus;
  /** Part of the title or the id, in any case. */
  readonly search?: string;
}

/** The response of `GET /api/sessions`: the most recently changed first. */
export interface ApiSessions {
  readonly sessions: readonly ApiSession[];
  /** The cursor of the next page; absent for the last. */
  readonly next?: string;
}

/** The names of a call in an event of a session. */
interface ApiCallNames {
  readonly callID: string;
  readonly tool: string;
  readonly messageID: string;
  readonly agent: string;
  /** The call of the tool that made this call. */
  readonly parentID?: string;
}

/** When a durable event was stored, in milliseconds since the epoch. */
interface At {
  readonly at: number;
}

/** The data of the durable events of `GET /api/sessions/:id/events`, by event name. */
export interface ApiDurableEvents {
  readonly message: At & {
    readonly role: "user" | "assistant";
    readonly messageID: string;
    readonly content: readonly Content[];
    readonly thinking?: string;
  };
  readonly tool_use: At & ApiCallNames & { readonly input: unknown };
  readonly tool_result: At & ApiCallNames & { readonly result: LoggedResult };
  readonly permission: At & LoggedQuestion;
  readonly answer: At & QuestionAnswered;
  readonly usage: At & Usage & { readonly messageID?: string };
  readonly error: At & { readonly message: string; readonly code?: string };
  /** The turn is over. The stream stays open for the next one. */
  readonly completed: At & { readonly text?: string; readonly aborted?: true };
  /** The turn ended without its end: the owner is gone, or stopped. It is unknown whether these calls had an effect. */
  readonly interrupted: At & {
    readonly reason: string;
    readonly calls: readonly string[];
    readonly questions: readonly string[];
  };
}

/** The data of the events that are not stored, by event name. They have no id. */
export interface ApiLiveEvents {
  /** More text of a message; `thinking` is what the model thinks before it answers. */
  readonly message_delta: { readonly messageID: string; readonly text?: string; readonly thinking?: string };
  readonly tool_update: Omit<LiveEvent & { readonly type: "tool.update" }, "type">;
  /** What has been streamed so far of unfinished messages and calls. It replaces all earlier deltas and updates. */
  readonly partial: Omit<PartialEvent, "type">;
  /** The turn waits because too many run. 0 when it begins. */
  readonly queued: { readonly position: number };
}

/** An event of `GET /api/sessions/:id/events`. `id` is the position in the log: send it as `Last-Event-ID` to resume. */
export type ApiSessionEvent =
  | {
      [E in keyof ApiDurableEvents]: { readonly event: E; readonly id: number; readonly data: ApiDurableEvents[E] };
    }[keyof ApiDurableEvents]
  | {
      [E in keyof ApiLiveEvents]: { readonly event: E; readonly id?: never; readonly data: ApiLiveEvents[E] };
    }[keyof ApiLiveEvents];
