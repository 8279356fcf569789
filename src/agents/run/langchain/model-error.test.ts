import { describe, expect, it } from "vitest";
import { AgentError } from "../../../core/agent-error.ts";
import { SessionError } from "../../../core/session-store.ts";
import { describeFailure, isContextOverflow, isTemporary, retryAfterMs, toTurnFailure } from "./model-error.ts";

const MODEL = {
  model: { invoke: () => Promise.reject() },
  name: "m",
  provider: "openai",
  key: "OPENAI_API_KEY",
} as const;
const error = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields);

describe("[G4] failures of model requests", () => {
  it.each<[string, unknown, boolean]>([
    ["rate limit", error("x", { status: 429 }), true],
    ["used-up quota", error("x", { status: 429, code: "insufficient_quota" }), false],
    ["error of the server", error("x", { status: 500 }), true],
    ["overload", error("x", { statusCode: 529 }), true],
    ["overload inside a stream", error("x", { error: { type: "error", error: { type: "overloaded_error" } } }), true],
    ["wrong request", error("x", { status: 400 }), false],
    ["wrong request, with a cause", error("x", { status: 400, cause: error("y", { code: "ECONNRESET" }) }), false],
    ["broken connection", error("x", { cause: error("y", { cause: error("z", { code: "ECONNRESET" }) }) }), true],
    ["time limit", error("x", { name: "TimeoutError" }), true],
    ["bug", new TypeError("x is not a function"), false],
    ["text", "thrown", false],
    ["nothing", undefined, false],
  ])("%s: may pass: %s", (_title, failure, expected) => {
    expect(isTemporary(failure)).toBe(expected);
  });

  it("says how long to wait", () => {
    expect(retryAfterMs(error("x", { headers: new Headers({ "retry-after": "7" }) }))).toBe(7_000);
    expect(retryAfterMs(error("x", { cause: error("y", { headers: { "retry-after": "0.5" } }) }))).toBe(500);
    expect(
      retryAfterMs(error("x", { headers: new Headers({ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }) })),
    ).toBeUndefined();
    expect(retryAfterMs(error("x"))).toBeUndefined();
  });

  it("knows a conversation that is too long", () => {
    expect(isContextOverflow(error("x", { name: "ContextOverflowError" }))).toBe(true);
    expect(isContextOverflow(error("x", { cause: error("y", { code: "context_length_exceeded" }) }))).toBe(true);
    expect(isContextOverflow(error("x", { status: 400 }))).toBe(false);
  });

  it("says what the provider said, without the address of LangChain's help", () => {
    const help =
      "\n\nTroubleshooting URL: https://docs.langchain.com/oss/javascript/langchain/errors/MODEL_AUTHENTICATION/\n";
    const body = { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } };
    expect(describeFailure(error(`401 No${help}`, { status: 401 }), MODEL)).toEqual({
      code: "unauthorized",
      problem: 'The model "m" of openai refused the key (401): 401 No.',
      advice: "Check the environment variable OPENAI_API_KEY.",
    });
    expect(describeFailure(error(`401 {}${help}`, { status: 401, error: body }), MODEL).problem).toBe(
      'The model "m" of openai refused the key (401): invalid x-api-key.',
    );
    expect(
      describeFailure(error("fetch failed", { cause: error("connect ECONNREFUSED", { code: "ECONNREFUSED" }) }), MODEL),
    ).toEqual({
      code: "model_failed",
      problem: 'The model "m" of openai cannot be reached: connect ECONNREFUSED.',
      advice: "Check the network and --base-url.",
    });
  });

  it("keeps errors of Toolwright that LangChain has wrapped", () => {
    const agent = new AgentError("agent_failed", "Enough.");
    const session = new SessionError("owned", "Taken.");
    expect(toTurnFailure(error("Enough.", { cause: agent }), MODEL)).toBe(agent);
    expect(toTurnFailure(error("Taken.", { cause: session }), MODEL)).toBe(session);
  });
});
