import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { knownAgents } from "../../src/agents/run/index.ts";
import { sandbox } from "../support/fixture.ts";
import { put, temporary } from "../support/temporary.ts";
import { open } from "../support/toolbox.ts";

/** The program of an agent without the agent. It hangs when it is started first, and then only says that it is ready. */
const PROGRAM = `
import { existsSync, writeFileSync } from "node:fs";
const [, , folder] = process.argv;
const hangs = !existsSync(folder + "/first");
writeFileSync(folder + (hangs ? "/first" : "/later"), String(process.pid));
if (!hangs) console.log("listening on http://127.0.0.1:9 ");
setInterval(() => {}, 1000);
`;

/** What the adapter of OpenCode uses of its SDK. A turn answers with one text. */
const OPENCODE_SDK = `
export function createOpencodeClient() {
  const waiting = [];
  let wake = () => {};
  const emit = (...events) => { waiting.push(...events); wake(); };
  const data = async (value = {}) => ({ data: value });
  async function* stream() {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift();
      await new Promise((resolve) => (wake = resolve));
    }
  }
  emit({ type: "server.connected" });
  const status = (type) => ({ type: "session.status", properties: { sessionID: "s1", status: { type } } });
  const part = (fields) => ({ id: "p1", sessionID: "s1", messageID: "m1", type: "text", ...fields });
  return {
    session: {
      create: () => data({ id: "s1" }), get: () => data({ id: "s1" }), update: data, abort: data, status: () => data({}),
      promptAsync: async () => {
        emit(
          status("busy"),
          { type: "message.updated", properties: { info: { id: "m1", sessionID: "s1", role: "assistant" } } },
          { type: "message.part.updated", properties: { part: part({ text: "Ready.", time: { end: 1 } }) } },
          status("idle"),
        );
        return data();
      },
    },
    mcp: { add: ({ name }) => data({ [name]: { status: "connected" } }), disconnect: data },
    permission: { reply: data },
    config: { get: () => data({}) },
    event: { subscribe: async () => ({ stream: stream() }) },
  };
}
`;

/** What the adapter of Copilot uses of its SDK. */
const COPILOT_SDK = `
import { once } from "node:events";
export const RuntimeConnection = { forStdio: (options) => options };
export class CopilotClient {
  async startCLIServer() {}
  async start() {
    await this.startCLIServer();
    await once(this.cliProcess.stdout, "data");
  }
  async stop() { return []; }
  async createSession({ onEvent }) {
    return {
      sessionId: "s1",
      send: async () => {
        onEvent({ type: "assistant.message", data: { messageId: "m1", content: "Ready." } });
        onEvent({ type: "session.idle", data: {} });
      },
      abort: async () => {},
      disconnect: async () => {},
    };
  }
  resumeSession(_, config) { return this.createSession(config); }
}
`;

const AGENTS: Readonly<Record<string, { readonly path: string; readonly entry: string; readonly code: string }>> = {
  opencode: { path: "@opencode-ai/sdk", entry: "./v2/client", code: OPENCODE_SDK },
  copilot: { path: "@github/copilot-sdk", entry: ".", code: COPILOT_SDK },
};

describe.each(Object.keys(AGENTS))("[G5] [G7] a program of %s that hangs when it is started", (name) => {
  it("is ended when the turn that waits for it is cancelled, and the next prompt starts another", async () => {
    const { path, entry, code } = AGENTS[name] ?? { path: "", entry: "", code: "" };
    const at = sandbox();
    const folder = temporary();
    const program = put(join(folder, "program.mjs"), PROGRAM);
    const sdk = join(folder, "node_modules", path);
    put(join(sdk, "package.json"), JSON.stringify({ name: path, type: "module", exports: { [entry]: "./index.js" } }));
    put(join(sdk, "index.js"), code);
    const agents = { modules: folder, programs: { [name]: [process.execPath, program, folder] } };
    put(`${at.env.TOOLWRIGHT_HOME}/settings.json`, JSON.stringify({ agents }));
    const { toolbox } = await open(at, { agents: knownAgents });
    const send = (id: string): ReturnType<typeof toolbox.sessions.send> =>
      toolbox.sessions.send(id, "Hello", { agent: name });
    const turns = [send("one"), send("two")];
    const pidIn = (file: string): number =>
      existsSync(join(folder, file)) ? Number(readFileSync(join(folder, file), "utf8")) : 0;
    await vi.waitFor(() => expect(pidIn("first")).toBeGreaterThan(0), 10_000);
    const first = pidIn("first");
    for (const turn of turns) {
      turn.abort();
      expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    }
    expect(await send("one").result).toMatchObject({ ok: true, text: "Ready." });
    await vi.waitFor(() => expect(() => process.kill(first, 0)).toThrow(), 10_000);
    expect(await send("two").result).toMatchObject({ ok: true, text: "Ready." });
  });
});
