import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PATIENT } from "../../../../test/support/patient.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import type { AgentContext, AgentEvent, AgentSessionOptions, PermitRequest } from "../../../core/coding-agent.ts";
import { EventQueue } from "../event-queue.ts";
import type { OpencodeClient, OpencodeEvent, OpencodePermission, OpencodeSdk } from "./opencode-sdk.ts";
import { OpencodeServer } from "./opencode-server.ts";
import { OpencodeSession } from "./opencode-session.ts";

const PROMPT = [{ type: "text", text: "Hello" }] as const;
const IDLE = { type: "idle" } as const;

/** A server of OpenCode without OpenCode: a program that only says its address, and a client whose events the test sends. */
interface World {
  readonly server: OpencodeServer;
  /** Sends an event to the sessions of the directory. It may be malformed. */
  emit(event: unknown): void;
  /** What sessions have sent to the server. */
  readonly sent: string[];
  readonly replies: unknown[];
  /** How often the stream of events was opened. */
  streams(): number;
  /** A request that waits until the promise settles. */
  readonly hold: { request: string; until: Promise<void> };
  open(id: string, permit?: (request: PermitRequest) => void): Promise<OpencodeSession>;
}

async function world(): Promise<World> {
  const folder = temporary();
  const program = put(
    `${folder}/opencode.mjs`,
    'console.log("listening on http://127.0.0.1:9 ");\nsetInterval(() => {}, 1000);\n',
  );
  const events = new EventQueue<{ readonly event: OpencodeEvent }>();
  const sent: string[] = [];
  const replies: unknown[] = [];
  const hold = { request: "", until: Promise.resolve() };
  let streams = 0;
  let ids = 0;
  const answer = async <T>(request: string, data: T): Promise<{ data: T }> => {
    sent.push(request);
    if (hold.request === request) await hold.until;
    return { data };
  };
  const client: OpencodeClient = {
    session: {
      create: () => answer("create", { id: `oc-${++ids}` }),
      get: ({ sessionID }) => answer("get", { id: sessionID }),
      update: () => answer("update", {}),
      promptAsync: () => answer("prompt", {}),
      abort: () => answer("abort", {}),
      status: () => answer("status", {}),
    },
    mcp: {
      add: ({ name }) => answer("add", { [name]: { status: "connected" } }),
      disconnect: () => answer("disconnect", {}),
    },
    permission: {
      reply: (reply) => {
        replies.push(reply);
        return answer("reply", {});
      },
    },
    config: { get: () => answer("config", {}) },
    event: {
      subscribe: async () => {
        streams += 1;
        return { stream: unpacked(events) };
      },
    },
  };
  const sdk: OpencodeSdk = { createOpencodeClient: () => client };
  const context: AgentContext = {
    directory: folder,
    root: folder,
    trusted: true,
    home: folder,
    toolwrightHome: folder,
    env: { PATH: process.env.PATH, TMPDIR: folder },
    programs: { opencode: [process.execPath, program] },
  };
  const server = await OpencodeServer.start(sdk, context, {}, new AbortController().signal);
  onTestFinished(() => server.stop());
  const emit = (event: unknown): void => events.push({ event: event as OpencodeEvent });
  emit({ type: "server.connected" });
  const open: World["open"] = async (id, permit = () => {}) => {
    const options = {
      sessionID: id,
      directory: folder,
      tools: { list: () => [], call: () => ({}), onChange: () => () => {} },
      permit: async (request: PermitRequest) => {
        permit(request);
        return { allowed: true };
      },
    } as unknown as AgentSessionOptions;
    const session = await OpencodeSession.open(options, undefined, { context, server });
    onTestFinished(() => session.close());
    return session;
  };
  return { server, emit, sent, replies, hold, streams: () => streams, open };
}

async function* unpacked<T>(events: AsyncIterable<{ readonly event: T }>): AsyncGenerator<T> {
  for await (const { event } of events) yield event;
}

/** Begins a turn. Resolves to its events when it is over. */
async function begun(session: OpencodeSession, sent: readonly string[]): Promise<{ events: Promise<AgentEvent[]> }> {
  const before = sent.filter((each) => each === "prompt").length;
  const read = async (): Promise<AgentEvent[]> => {
    const all: AgentEvent[] = [];
    for await (const event of session.send(PROMPT)) all.push(event);
    return all;
  };
  const events = read();
  await vi.waitFor(() => expect(sent.filter((each) => each === "prompt").length).toBe(before + 1), PATIENT);
  return { events };
}

const status = (sessionID: string, type: "busy" | "idle"): unknown => ({
  type: "session.status",
  properties: { sessionID, status: { type } },
});
const asked = (sessionID: string, fields: object): unknown => ({
  type: "permission.asked",
  properties: { id: "q1", sessionID, permission: "edit", patterns: ["a.txt"], metadata: {}, ...fields },
});

describe("[G3] events of OpenCode that cannot be read", () => {
  it.each<[string, (id: string) => unknown]>([
    ["null", () => null],
    ["without properties", () => ({ type: "session.status" })],
    ["with other properties", () => ({ type: "session.created", properties: 7 })],
    ["with null as properties", () => ({ type: "message.updated", properties: null })],
    [
      "with a part of a session without its fields",
      (id) => ({
        type: "message.part.updated",
        properties: { part: { type: "tool", sessionID: id } },
      }),
    ],
    ["with a status without its type", (id) => ({ type: "session.status", properties: { sessionID: id } })],
    [
      "with tokens that are missing",
      (id) => ({
        type: "message.part.updated",
        properties: { part: { type: "step-finish", sessionID: id, messageID: "m" } },
      }),
    ],
  ])("%s: no session of the directory loses the stream", async (_, event) => {
    const { emit, sent, streams, open } = await world();
    const [one, two] = [await open("one"), await open("two")];
    const turns = [await begun(one, sent), await begun(two, sent)];
    for (const { id } of [one, two]) {
      emit(status(id, "busy"));
      emit({ type: "message.updated", properties: { info: { id: "m", sessionID: id, role: "assistant" } } });
      emit(event(id));
      emit(status(id, IDLE.type));
    }
    for (const { events } of turns) expect(Array.isArray(await events)).toBe(true);
    expect(streams()).toBe(1);
  });
});

describe("[G3] [G6] permission requests of OpenCode that lack fields", () => {
  it("are asked about, and answered", async () => {
    const cases: readonly (readonly [Partial<Record<keyof OpencodePermission, unknown>>, readonly unknown[]])[] = [
      [{ metadata: undefined }, ["undeclared"]],
      [{ metadata: null }, ["undeclared"]],
      [{ metadata: { files: [null, 7, "a"] } }, ["undeclared"]],
      [{ metadata: { filepath: 7 } }, ["undeclared"]],
      [{ permission: undefined }, ["undeclared"]],
      [{ tool: null }, ["undeclared"]],
      [{ patterns: undefined, metadata: { filepath: "a.txt" } }, [{ kind: "write" }]],
    ];
    const { emit, sent, replies, open } = await world();
    const requests: PermitRequest[] = [];
    const session = await open("one", (request) => void requests.push(request));
    const { events } = await begun(session, sent);
    for (const [at, [fields]] of cases.entries()) emit(asked(session.id, { id: `q${at}`, ...fields }));
    await vi.waitFor(() => expect(replies).toHaveLength(cases.length), 5_000);
    expect(replies).toEqual(cases.map((_, at) => ({ requestID: `q${at}`, reply: "once" })));
    expect(requests).toMatchObject(cases.map(([, access]) => ({ access })));
    emit(status(session.id, "busy"));
    emit(status(session.id, "idle"));
    await events;
  });

  it("are refused if the question itself fails, and if no turn runs", async () => {
    const { emit, sent, replies, open } = await world();
    const session = await open("one", () => {
      throw new Error("It broke.");
    });
    emit(asked(session.id, {}));
    await vi.waitFor(() => expect(replies).toHaveLength(1), PATIENT);
    const { events } = await begun(session, sent);
    emit(asked(session.id, { id: "q2" }));
    await vi.waitFor(() => expect(replies).toHaveLength(2), 5_000);
    expect(replies).toEqual([
      { requestID: "q1", reply: "reject", message: "The turn of this call is over." },
      { requestID: "q2", reply: "reject", message: "The permission could not be decided: It broke." },
    ]);
    emit(status(session.id, "busy"));
    emit(status(session.id, "idle"));
    await events;
  });
});

describe("[G3] a turn of OpenCode that is aborted before its prompt is sent", () => {
  it.each(["abort", "close"] as const)("by %s: the prompt is not sent", async (how) => {
    const { sent, hold, open } = await world();
    const session = await open("one");
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(hold, { request: "update", until: promise });
    const events = session.send(PROMPT).next();
    await vi.waitFor(() => expect(sent).toContain("update"), PATIENT);
    await session[how]();
    resolve();
    expect(await events).toMatchObject({ done: true });
    expect(sent).not.toContain("prompt");
  });
});

describe("[G3] [G7] an OpenCode that hangs", () => {
  it("while it removes the tools of a session does not keep the session from being opened again", async () => {
    const { sent, hold, open } = await world();
    const session = await open("one");
    Object.assign(hold, { request: "disconnect", until: new Promise<void>(() => {}) });
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const closing = session.close();
    await vi.waitFor(() => expect(sent).toContain("disconnect"), PATIENT);
    const [limit] = timers.mock.calls.filter(([, ms]) => ms === 5_000);
    limit?.[0]();
    await closing;
    hold.request = "";
    expect((await open("one")).id).toBe("oc-2");
  });
});
