import { expect, it } from "vitest";
import { claudeFailure, retryRefusal } from "./claude-failure.ts";
import type { ResultMessage, SdkMessage } from "./claude-sdk.ts";

const RETRY = "Check the model and its address, and try again.";
const LOGIN = "Set ANTHROPIC_API_KEY to a valid key, or run `claude` and log in with /login.";

it.each<[Partial<ResultMessage>, string | undefined, [code: string, message: string]]>([
  [
    { api_error_status: 401, result: "Invalid API key · Fix external API key" },
    "authentication_failed",
    ["unauthorized", `The API of the model at http://x answered 401: Invalid API key · Fix external API key. ${LOGIN}`],
  ],
  [
    { api_error_status: null, result: "Not logged in · Please run /login" },
    "authentication_failed",
    ["unauthorized", `Claude has no credentials: Not logged in · Please run /login. ${LOGIN}`],
  ],
  [
    { api_error_status: 403, result: "No." },
    undefined,
    ["unauthorized", `The API of the model at http://x answered 403: No. ${LOGIN}`],
  ],
  [
    { api_error_status: 500, result: "API Error: 500 boom." },
    "server_error",
    ["model_failed", `Claude got no answer from the model at http://x: API Error: 500 boom. ${RETRY}`],
  ],
  [
    { api_error_status: null, result: "API Error: empty or malformed response" },
    "unknown",
    [
      "model_failed",
      `Claude got no answer from the model at http://x: API Error: empty or malformed response. ${RETRY}`,
    ],
  ],
  [
    { subtype: "error_during_execution", errors: ["No conversation found with session ID: 1"] },
    undefined,
    ["session_not_found", "Claude no longer has this session: No conversation found with session ID: 1."],
  ],
  [{ subtype: "error_max_turns" }, undefined, ["agent_failed", "Claude has stopped: error_max_turns."]],
])("[G1] names the failure of a turn: %j", (result, error, [code, message]) => {
  const failed: ResultMessage = { type: "result", subtype: "success", is_error: true, ...result };
  expect(claudeFailure(failed, { error, baseUrl: "http://x" })).toMatchObject({ code, message });
});

it("[G1] a turn that succeeded has no failure, also if a retry went before", () => {
  const result: ResultMessage = { type: "result", subtype: "success", is_error: false, result: "Done" };
  expect(claudeFailure(result, { error: undefined, baseUrl: undefined })).toBeUndefined();
});

it.each<[attempt: number, status: number | null, message: string | undefined]>([
  [1, 401, undefined],
  [2, 401, `The API of the model at http://x answered 401 (failed). ${LOGIN}`],
  [2, 403, `The API of the model at http://x answered 403 (failed). ${LOGIN}`],
  [10, 529, undefined],
  [10, null, undefined],
])("[G1] does not wait for all retries with refused credentials: attempt %j after %j", (attempt, status, message) => {
  const times = { max_retries: 10, retry_delay_ms: 1_000 };
  const retry = { type: "system", subtype: "api_retry", attempt, ...times, error: "failed", error_status: status };
  expect(retryRefusal(retry as SdkMessage, "http://x")?.message).toBe(message);
});
