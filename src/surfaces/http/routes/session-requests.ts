import type { ApiBranch, ApiCancel, ApiMessage, ApiNewSession, ApiSessionQuery } from "../../../core/api-sessions.ts";
import { MODE_NAMES } from "../../../core/permission-mode.ts";
import { type LoggedRule, RULE_ACTIONS } from "../../../core/question.ts";
import { SESSION_STATUSES } from "../../../core/session-log.ts";
import { type BodyRules, type FieldChecks, oneOf, shortTextProblem, textProblem } from "./body-fields.ts";

export const FORMATS = ["jsonl", "markdown"] as const;

const MAX_LIST = 200;
const MAX_TOOLS = 1_000;
const MAX_CURSOR = 10_000;

export const NEW_SESSION: BodyRules<ApiNewSession> = {
  checks: {
    prompt: promptProblem,
    agent: shortTextProblem,
    model: shortTextProblem,
    cwd: (value) => (typeof value === "string" && value !== "" ? undefined : "must be an absolute path"),
    permissionMode: oneOf(MODE_NAMES),
    tools: toolsProblem,
    title: shortTextProblem,
  },
  required: ["prompt"],
  example: '{ "prompt": "…", "agent": "NAME" }',
};

export const MESSAGE: BodyRules<ApiMessage> = {
  checks: { prompt: promptProblem },
  required: ["prompt"],
  example: '{ "prompt": "…" }',
};

export const BRANCH: BodyRules<ApiBranch> = {
  checks: {
    at: (value) =>
      Number.isSafeInteger(value) && Number(value) > 0
        ? undefined
        : "must be the position of an event: a number from 1",
  },
  example: '{ "at": 12 }',
};

export const CANCEL: BodyRules<ApiCancel> = {
  checks: { callID: shortTextProblem, reason: shortTextProblem },
  example: "{}",
};

export const RULE: BodyRules<LoggedRule> = {
  checks: {
    tool: textProblem,
    match: textProblem,
    agent: textProblem,
    action: oneOf(RULE_ACTIONS),
  },
  required: ["tool", "action"],
  example: '{ "tool": "NAME", "action": "allow" }, one of the grants of the session',
};

export const LIST_QUERY: FieldChecks<ApiSessionQuery> = {
  cursor: (value) => (String(value).length > MAX_CURSOR ? 'must be the "next" of the page before' : undefined),
  limit: (value) =>
    /^[1-9]\d{0,2}$/.test(String(value)) && Number(value) <= MAX_LIST
      ? undefined
      : `must be a whole number from 1 to ${MAX_LIST}`,
  status: oneOf(SESSION_STATUSES),
  search: (value) => (String(value).length > 200 ? "must have at most 200 characters" : undefined),
};

export const EXPORT_QUERY: FieldChecks<{ format: string }> = { format: oneOf(FORMATS) };

export const EVENTS_QUERY: FieldChecks<{ after: string }> = { after: positionProblem };

/** 0 is before the first event. */
export function positionProblem(value: unknown): string | undefined {
  return /^(?:0|[1-9]\d{0,14})$/.test(String(value))
    ? undefined
    : "must be a position: the id of an event, or 0 for all";
}

function promptProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string";
  return value.trim() === "" ? "is empty. Write what the agent should do" : undefined;
}

function toolsProblem(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.length <= MAX_TOOLS;
  return isList && value.every((each) => shortTextProblem(each) === undefined)
    ? undefined
    : `must be a list of at most ${MAX_TOOLS} names of tools, such as ["read", "grep*"]`;
}
