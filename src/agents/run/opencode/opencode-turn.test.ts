import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../core/coding-agent.ts";
import type { OpencodeEvent, OpencodePart, OpencodeToolPart } from "./opencode-sdk.ts";
import { OpencodeTurn } from "./opencode-turn.ts";

const BUSY = status({ type: "busy" });
const IDLE = status({ type: "idle" });

describe("[G3] the events of a turn of OpenCode", () => {
  it("are messages with the text that was streamed", async () => {
    const { events } = await translated([
      BUSY,
      message("m1"),
      text("p1", ""),
      delta("p1", "One "),
      delta("p1", "two. "),
      text("p1", "One two.", 9),
      IDLE,
    ]);
    expect(events).toEqual([
      { type: "message.delta", messageID: "m1", text: "One " },
      { type: "message.delta", messageID: "m1", text: "two. " },
      { type: "message.end", messageID: "m1" },
    ]);
  });

  it("go on if OpenCode reports the end of an earlier turn again", async () => {
    const all = [BUSY, message("m1"), IDLE, text("p1", ""), delta("p1", "One."), text("p1", "One.", 9), IDLE];
    expect(textOf((await translated(all, [false, true])).events)).toBe("One.");
  });

  it("have each text once if OpenCode writes an event after its object has changed", async () => {
    const { events } = await translated([
      BUSY,
      message("m1", 9),
      text("p1", "One"),
      delta("p1", "One "),
      delta("p1", "two."),
      text("p1", "One two.", 9),
      text("p2", " Three.", 9),
      delta("p2", " Three."),
      message("m1", 9),
      IDLE,
    ]);
    expect(textOf(events)).toBe("One two. Three.");
    expect(events.at(-1)).toEqual({ type: "message.end", messageID: "m1" });
  });

  it("are not ended by a late event about a message of an aborted turn", async () => {
    const { events } = await translated([BUSY, message("m1"), message("m0", 9), text("p1", "One.", 9), IDLE]);
    expect(events).toEqual([
      { type: "message.delta", messageID: "m1", text: "One." },
      { type: "message.end", messageID: "m1" },
    ]);
  });

  it("complete a message when the next one begins, and those of other kinds never", async () => {
    const user = { type: "message.updated", properties: { info: { id: "u1", sessionID: "s", role: "user" } } } as const;
    const summary = {
      type: "message.updated",
      properties: { info: { id: "m3", sessionID: "s", role: "assistant", summary: true } },
    } as const;
    const { events } = await translated([BUSY, user, message("m1"), message("m2"), summary, IDLE]);
    expect(events).toEqual([
      { type: "message.end", messageID: "m1" },
      { type: "message.end", messageID: "m2" },
    ]);
  });

  it("announce calls of our tools, and start and end calls of others once", async () => {
    const { events, announced } = await translated([
      BUSY,
      message("m1"),
      tool("c1", "ours_note", { status: "running", input: { text: "x" } }),
      tool("c2", "bash", { status: "pending" }),
      tool("c2", "bash", { status: "running", input: { command: "ls" } }),
      tool("c2", "bash", { status: "running", input: { command: "ls" } }),
      tool("c2", "bash", { status: "completed", input: { command: "ls" }, output: "a" }),
      tool("c2", "bash", { status: "completed", input: { command: "ls" }, output: "a" }),
      tool("c3", "edit", { status: "error", input: {}, error: "No such file." }),
      tool("c4", "ours_note", { status: "error", input: {}, error: "Refused." }),
      IDLE,
    ]);
    expect(announced).toEqual([{ callID: "c1", messageID: "m1", name: "note", input: { text: "x" } }, "end c4"]);
    expect(events.slice(0, -1)).toMatchObject([
      { type: "tool.start", callID: "c2", tool: "opencode:bash", messageID: "m1", input: { command: "ls" } },
      { type: "tool.complete", callID: "c2", result: { content: [{ type: "text", text: "a" }] } },
      { type: "tool.start", callID: "c3", tool: "opencode:edit" },
      { type: "tool.failed", callID: "c3", result: { error: { message: "No such file." } } },
    ]);
  });

  it("do not end with the status of the turn before", async () => {
    const { events } = await translated([IDLE, BUSY, message("m1"), IDLE]);
    expect(events).toHaveLength(1);
  });

  it.each([
    [{ name: "APIError", data: { message: "Wrong key", statusCode: 401 } }, "unauthorized", "answered 401: Wrong key."],
    [{ name: "ProviderAuthError", data: { message: "No key.", providerID: "openai" } }, "unauthorized", "No key."],
    [{ name: "APIError", data: { message: "Retired.", statusCode: 400 } }, "model_failed", "answered 400: Retired."],
    [{ name: "UnknownError", data: { message: "Model not found: a/b" } }, "model_failed", "`opencode models` lists"],
    [{ name: "UnknownError" }, "model_failed", "UnknownError"],
  ])("end with the error %j", async (error, code, part) => {
    const failed = { type: "session.error", properties: { sessionID: "s", error } } as const;
    const { thrown } = await translated([BUSY, failed, IDLE]);
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(part) });
  });

  it("end without an error after an abort", async () => {
    const aborted = { type: "session.error", properties: { error: { name: "MessageAbortedError" } } } as const;
    expect((await translated([BUSY, aborted, IDLE])).thrown).toBeUndefined();
  });

  it("end when the model was tried too often", async () => {
    const retry = (attempt: number): OpencodeEvent =>
      status({ type: "retry", attempt, message: "Overloaded.", next: 0 });
    const { events, thrown } = await translated([BUSY, ...[1, 2, 3, 4, 5].map(retry)]);
    const reasons = events.map((event) => (event.type === "session.event" ? event.event.reason : event.type));
    expect(reasons).toEqual([...Array(4).fill("auto_retry_start"), "auto_retry_end"]);
    expect(events.at(-1)).toMatchObject({
      event: { success: false, attempt: 4, finalError: expect.stringContaining("Overloaded.") },
    });
    expect(thrown).toMatchObject({
      code: "model_failed",
      message: "The model has failed 5 times: Overloaded. Check the model and its address, and try again.",
    });
  });
});

async function translated(all: readonly OpencodeEvent[], idle: readonly boolean[] = []) {
  const answers = [...idle];
  const announced: unknown[] = [];
  const turn = new OpencodeTurn({
    messageIDs: new Set(["m0"]),
    baseUrl: undefined,
    ourName: (name) => (name.startsWith("ours_") ? name.slice(5) : undefined),
    onOurCall: (call) => announced.push(call),
    onOurCallEnd: (callID) => announced.push(`end ${callID}`),
    isIdle: async () => answers.shift() ?? true,
  });
  for (const event of all) {
    turn.handle(event);
    // The turn ends after OpenCode was asked whether it is idle.
    await Promise.resolve();
  }
  const events: AgentEvent[] = [];
  let thrown: unknown;
  try {
    for await (const event of turn.queue) events.push(event);
  } catch (error) {
    thrown = error;
  }
  return { events, announced, thrown };
}

function textOf(events: readonly AgentEvent[]): string {
  return events.flatMap((event) => (event.type === "message.delta" ? [event.text] : [])).join("");
}

function status(value: (OpencodeEvent & { type: "session.status" })["properties"]["status"]): OpencodeEvent {
  return { type: "session.status", properties: { sessionID: "s", status: value } };
}

/** `completed` is the time of an event that was written late. */
function message(id: string, completed?: number): OpencodeEvent {
  const info = { id, sessionID: "s", role: "assistant", modelID: "x", time: { completed } } as const;
  return { type: "message.updated", properties: { info } };
}

function text(id: string, value: string, end?: number): OpencodeEvent {
  const time = end === undefined ? {} : { time: { end } };
  return partOf({ id, type: "text", text: value, ...time });
}

function delta(partID: string, value: string): OpencodeEvent {
  const properties = { sessionID: "s", messageID: "m1", partID, field: "text", delta: value };
  return { type: "message.part.delta", properties };
}

function tool(callID: string, name: string, state: OpencodeToolPart["state"]): OpencodeEvent {
  return partOf({ id: callID, type: "tool", callID, tool: name, state });
}

function partOf(part: object): OpencodeEvent {
  const properties = { part: { ...part, sessionID: "s", messageID: "m1" } as OpencodePart };
  return { type: "message.part.updated", properties };
}
