import type { ClientCapabilities, InputRequest } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { Question } from "../../calls/permission-question.ts";
import { clientApprover } from "./client-approver.ts";
import type { McpClient } from "./mcp-client.ts";
import { OpenCalls } from "./open-calls.ts";

const QUESTION: Question = {
  tool: "webfetch",
  callID: "1",
  sessionID: "s",
  agent: "tester",
  input: {},
  access: [{ kind: "network", target: "http://127.0.0.1/", named: true }],
  reason: "No rule names http://127.0.0.1/.",
  choices: ["once", "session", "always"],
  rules: [{ tool: "webfetch", match: "http://127.0.0.1/", action: "allow" }],
  settingsFile: "/home/me/.toolwright/settings.json",
};
const { signal } = new AbortController();

/** A client that gives this answer, and the requests it received. */
function client(capabilities: ClientCapabilities, answer: object = {}): McpClient & { asked: InputRequest[] } {
  const asked: InputRequest[] = [];
  const ask: McpClient["ask"] = async (requests) => {
    asked.push(...Object.values<InputRequest>(requests));
    return Object.fromEntries(Object.keys(requests).map((key) => [key, answer])) as never;
  };
  return { info: undefined, capabilities, ask, log: async () => {}, asked };
}

describe("permission questions for calls of MCP clients", () => {
  it("[M2] [P3] offer only the approvals of the question, and refuse another one", async () => {
    const calls = new OpenCalls();
    const session = client({ elicitation: {} }, { action: "accept", content: { answer: "session" } });
    calls.open("1", session);
    const approve = clientApprover(calls);
    expect(await approve(QUESTION, signal)).toEqual({ allowed: true, remember: "session" });
    expect(await approve({ ...QUESTION, choices: ["once", "always"] }, signal)).toMatchObject({ allowed: false });
    const offered = session.asked.map(({ params }) => params);
    expect(offered).toMatchObject([
      { requestedSchema: { properties: { answer: { enum: ["once", "session", "always", "no"] } } } },
      { requestedSchema: { properties: { answer: { enum: ["once", "always", "no"] } } } },
    ]);
  });

  it("[M2] [P3] are refused if the client cannot ask; the reason contains a rule if one would allow the call", async () => {
    const calls = new OpenCalls();
    calls.open("1", client({}));
    const approve = clientApprover(calls);
    expect(await approve(QUESTION, signal)).toEqual({
      allowed: false,
      reason:
        'No rule names http://127.0.0.1/. No person can be asked here, so it was refused. To allow it, the user can add {"tool":"webfetch","match":"http://127.0.0.1/","action":"allow"} to "permissions" in /home/me/.toolwright/settings.json.',
    });
    expect(await approve({ ...QUESTION, access: ["undeclared"] }, signal)).toEqual({
      allowed: false,
      reason:
        "No rule names http://127.0.0.1/. No person can be asked here, so it was refused. Find another way, or tell the user.",
    });
  });

  it("[M2] [P3] go to the other approver if no client made the call, or are not asked", async () => {
    const calls = new OpenCalls();
    const other = clientApprover(calls, async () => ({ allowed: true, remember: "session" }));
    expect(await other(QUESTION, signal)).toEqual({ allowed: true, remember: "session" });
    expect(await clientApprover(calls)(QUESTION, signal)).toBeUndefined();
    const close = calls.open("1", client({ elicitation: {} }, { action: "decline" }));
    expect(await other(QUESTION, signal)).toEqual({
      allowed: false,
      reason: `No rule names http://127.0.0.1/. The user said no. To allow it, the user can add {"tool":"webfetch","match":"http://127.0.0.1/","action":"allow"} to "permissions" in ${QUESTION.settingsFile}.`,
    });
    close();
    expect(await other(QUESTION, signal)).toEqual({ allowed: true, remember: "session" });
  });

  it.each([
    ["decline", "The user said no."],
    ["cancel", "The user closed the question without an answer."],
  ])("[M2] [P3] state the reason and a remedy if the client answers %s", async (action, said) => {
    const calls = new OpenCalls();
    calls.open("1", client({ elicitation: {} }, { action }));
    const approve = clientApprover(calls);
    expect(await approve(QUESTION, signal)).toEqual({
      allowed: false,
      reason: `No rule names http://127.0.0.1/. ${said} To allow it, the user can add {"tool":"webfetch","match":"http://127.0.0.1/","action":"allow"} to "permissions" in /home/me/.toolwright/settings.json.`,
    });
    expect(await approve({ ...QUESTION, choices: ["once"] }, signal)).toEqual({
      allowed: false,
      reason: `No rule names http://127.0.0.1/. ${said} Find another way, or tell the user.`,
    });
  });

  it.each<[ClientCapabilities, boolean]>([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ sampling: {} }, false],
  ])("[M2] can be sent to a client with the capabilities %j: %s", async (capabilities, can) => {
    const calls = new OpenCalls();
    const asked = client(capabilities, { action: "accept", content: { answer: "always" } });
    calls.open("1", asked);
    const answer = await clientApprover(calls)(QUESTION, signal);
    expect(answer).toMatchObject(can ? { allowed: true, remember: "always" } : { allowed: false });
    expect(asked.asked).toHaveLength(can ? 1 : 0);
  });

  it("[P3] are not answered with an option that was not offered", async () => {
    const calls = new OpenCalls();
    calls.open("1", client({ elicitation: {} }, { action: "accept", content: { answer: "always" } }));
    const approve = clientApprover(calls);
    expect(await approve({ ...QUESTION, choices: ["once"] }, signal)).toEqual({
      allowed: false,
      reason: "The user said no. Find another way, or tell the user.",
    });
  });
});
