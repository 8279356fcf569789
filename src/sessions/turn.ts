import type { AgentErrorCode } from "../core/agent-error.ts";
import type { ModeName } from "../core/permission-mode.ts";
import type { Content } from "../core/result.ts";
import type { FollowedEvent, Usage } from "../core/session-log.ts";
import type { SessionErrorCode } from "../core/session-store.ts";

/** What a person or a program says to an agent. */
export type Prompt = string | readonly Content[];

/** How to run a turn. The agent and its options stay those of the session's last turn in this process, if they are left out. */
export interface SendOptions {
  /** The agent that runs the turn; by default the session's, else the one of the setting `agents.default`. */
  readonly agent?: string;
  /** The model, as the agent names it; by default the session's, else the agent's own choice. */
  readonly model?: string;
  /** The address of the model's API, instead of the provider's. */
  readonly baseUrl?: string;
  /** Text for the model before the conversation, in addition to what the agent itself sends. */
  readonly systemPrompt?: string;
  /** Which built-in tools the agent gets; by default those that it lacks. */
  readonly builtins?: boolean | readonly string[];
  /** A client of the REST API uses the session: the agent gets the built-in tools that it has for these. It stays when it is left out. */
  readonly overHttp?: boolean;
  /** The permission mode of the session, instead of the user's. It stays when it is left out. A project's can be stricter. */
  readonly mode?: ModeName;
  /** The only tools that the model is shown, beside the agent's own. It stays when it is left out. Names may have wildcards. */
  readonly tools?: readonly string[];
  /** The directory of a new session; by default that of the toolbox. */
  readonly directory?: string;
  /** The title of a new session; by default the first line of the prompt. */
  readonly title?: string;
  /** Whether a session that does not exist is an error ("session_not_found"); by default it is created. */
  readonly mustExist?: boolean;
  /** Whether readers of the session answer its questions with `sessions.answer`; false by default. */
  readonly answerable?: boolean;
  /** Aborts the turn when it fires. */
  readonly signal?: AbortSignal;
}

/** How a turn ended. `text` is the last text of the model, `usage` the sum of the turn. */
export type TurnResult =
  | { readonly ok: true; readonly text: string; readonly usage: Usage; readonly aborted?: true }
  | { readonly ok: false; readonly text: string; readonly error: TurnError };

export interface TurnError {
  readonly code: AgentErrorCode | SessionErrorCode | "failed";
  /** Says what to do. */
  readonly message: string;
}

/**
 * A turn of an agent. Iterate it for the events of the session from the prompt to the end of the turn, await `result` for its
 * end. It runs whether or not it is iterated.
 */
export interface Turn extends AsyncIterable<FollowedEvent> {
  readonly sessionID: string;
  /**
   * Resolves when the prompt is durable, to its position in the log. The turn may still wait until others have ended. Resolves to
   * undefined if the turn failed before that: see `result`.
   */
  readonly begun: Promise<number | undefined>;
  /** Never rejects. */
  readonly result: Promise<TurnResult>;
  /** Stops the agent and the calls of the session. May be called at any time and more than once. */
  abort(): void;
}
