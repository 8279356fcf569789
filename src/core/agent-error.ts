/** Why an agent cannot run a session or a turn. A closed set: a surface may switch over it. */
export type AgentErrorCode =
  /** There is no agent of this name. */
  | "unknown_agent"
  /** Its SDK or program is not installed. The message has the command that installs it. */
  | "not_installed"
  /** Its program, or the connection to it, could not be started. */
  | "not_started"
  /** It cannot do what the options ask for, such as another model. */
  | "unsupported"
  /** The agent no longer has the session that is to be resumed. */
  | "session_not_found"
  /** The provider of the model refused the credentials, or there are none. */
  | "unauthorized"
  /** The model could not be reached, or answered something that the agent cannot use. */
  | "model_failed"
  /** Neither the agent nor the model has sent anything for too long. */
  | "no_answer"
  /** The agent's program has ended, or failed in another way. */
  | "agent_failed";

const BRAND = Symbol.for("toolwright.AgentError");

/** A failure of an agent. The message says what to do. Check with `AgentError.is()`. */
export class AgentError extends Error {
  override readonly name: string = "AgentError";
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static is(value: unknown): value is AgentError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** The message for a turn that names no agent. */
export const NO_AGENT_NAMED =
  'No agent is named. Name one (--agent, or the option "agent"), or set "agents": { "default": "NAME" } in your settings.';

/** An agent that has not started, or not opened a session, in time. */
export function notReady(agent: string, ms: number): AgentError {
  const message = `${agent} was not ready after ${ms / 1_000} s. Try again, and check it with: toolwright agents`;
  return new AgentError("not_started", message);
}
