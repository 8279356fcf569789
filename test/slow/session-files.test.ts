import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import type { SessionAction, SessionEvent } from "../../src/index.ts";
import { project } from "../support/fixture.ts";
import { hosts } from "../support/processes.ts";
import { open } from "../support/toolbox.ts";

/** A factory whose tool returns every event that it got. */
const FOLLOWER = `
import { appendFileSync } from "node:fs";
const heard = [];
export default (pi) => ({
  name: "follower",
  label: "Follower",
  description: "Tells what it has heard of sessions.",
  parameters: pi.typebox.Type.Object({}),
  async execute() {
    return { content: [{ type: "text", text: JSON.stringify(heard) }] };
  },
  onSession(event, ctx) {
    heard.push([event.reason, ctx.sessionManager.getSessionId()]);
    if (event.reason === "shutdown") appendFileSync(pi.cwd + "/farewell.txt", ctx.sessionManager.getSessionId() + "\\n");
    if (event.reason === "tree") throw new Error("not today");
  },
});
`;

const EVENTS: readonly SessionEvent[] = [
  { reason: "switch", previousSessionFile: "/s/1.jsonl" },
  { reason: "branch", previousSessionFile: "/s/1.jsonl" },
  { reason: "tree", previousSessionFile: "/s/1.jsonl" },
  { reason: "auto_compaction_start", trigger: "threshold" },
  { reason: "auto_compaction_end", aborted: false, willRetry: false },
  { reason: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 10, errorMessage: "overloaded" },
  { reason: "auto_retry_end", success: true, attempt: 1 },
  { reason: "ttsr_triggered", rules: [] },
  { reason: "todo_reminder", todos: [], attempt: 1, maxAttempts: 2 },
];

describe("[A5] session events", () => {
  it("reach the tools of a factory, all and in order; an error in a handler has no effect", async () => {
    const { toolbox } = await open(project({ ".omp/tools/follower.ts": FOLLOWER }));
    await toolbox.sessions.start("s1");
    for (const event of EVENTS) await toolbox.sessions.tell("s1", event);
    const result = await toolbox.call({ name: "follower", sessionID: "s1" }).result;
    expect(JSON.parse(outputOf(result))).toEqual([["start", "s1"], ...EVENTS.map(({ reason }) => [reason, "s1"])]);
  });

  it("begin with the first call if no start was announced, and end when the toolbox is closed", async () => {
    const at = project({ ".omp/tools/follower.ts": FOLLOWER });
    const { toolbox } = await open(at);
    expect(outputOf(await toolbox.call({ name: "follower", sessionID: "a" }).result)).toBe('[["start","a"]]');
    expect(outputOf(await toolbox.call({ name: "follower", sessionID: "a" }).result)).toBe('[["start","a"]]');
    await toolbox.close();
    expect(readFileSync(join(at.project, "farewell.txt"), "utf8")).toBe("a\n");
  });
});

describe("[A5] [P5] session events and processes", () => {
  const ended = (at: { project: string }): string => {
    const file = join(at.project, "farewell.txt");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };

  it("a file that got the start of a session gets its end, even without a call", async () => {
    const at = project({ ".omp/tools/follower.ts": FOLLOWER });
    const { toolbox } = await open(at);
    await toolbox.sessions.start("a");
    await toolbox.close();
    expect(ended(at)).toBe("a\n");
  });

  it("works the same with tools in this process", async () => {
    const at = project({ ".omp/tools/follower.ts": FOLLOWER });
    const { toolbox } = await open(at, { isolation: "none" });
    await toolbox.sessions.start("a");
    await toolbox.sessions.tell("a", { reason: "shutdown" });
    expect(ended(at)).toBe("a\n");
  });

  it("a plugin of OpenCode outlives a session, and is disposed of when its process ends", async () => {
    const plugin = `import { appendFileSync } from "node:fs";
      import { type Plugin, tool } from "@opencode-ai/plugin";
      export const Kept: Plugin = async ({ directory }) => {
        let state = "open";
        return {
          dispose: async () => { state = "closed"; appendFileSync(directory + "/farewell.txt", "disposed"); },
          tool: { kept: tool({ description: "Says whether it is open.", args: {}, execute: async () => state }) },
        };
      };`;
    const at = project({ ".opencode/tool/kept.ts": plugin });
    const { toolbox, say } = await open(at);
    await toolbox.sessions.start("a");
    await toolbox.sessions.tell("a", { reason: "shutdown" });
    expect([await say("kept"), ended(at)]).toEqual(["open", ""]);
    await toolbox.close();
    expect(ended(at)).toBe("disposed");
  });

  it("no call of a session runs before the file got its start", async () => {
    const slow = FOLLOWER.replace(
      "onSession(event, ctx) {",
      "async onSession(event, ctx) { await new Promise((resolve) => setTimeout(resolve, 200));",
    );
    const { toolbox } = await open(project({ ".omp/tools/follower.ts": slow }));
    const call = async (): Promise<string> => outputOf(await toolbox.call({ name: "follower", sessionID: "a" }).result);
    expect(await Promise.all([call(), call()])).toEqual(['[["start","a"]]', '[["start","a"]]']);
  });
});

const EXTENSION = `
import { Type } from "@sinclair/typebox";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
export default function (pi: ExtensionAPI) {
  pi.on("session_start", async (event, ctx) => {
    pi.registerTool({
      name: "late",
      label: "Late",
      description: "Registered when a session began.",
      parameters: Type.Object({ note: Type.Optional(Type.String()) }),
      async execute(id, params, signal, onUpdate, ctx) {
        if (params.note) pi.appendEntry("note", { note: params.note });
        const notes = ctx.sessionManager.getEntries().filter((entry) => entry.customType === "note");
        return { content: [{ type: "text", text: notes.map((entry) => entry.data.note).join(",") }], details: {} };
      },
    });
    if (event.reason !== "startup") {
      pi.registerTool({
        name: "later_still",
        description: "Registered when a real session began.",
        parameters: Type.Object({}),
        execute: async () => ({ content: [{ type: "text", text: "here" }], details: {} }),
      });
    }
  });
  pi.registerTool({
    name: "others",
    description: "Names the other tools.",
    parameters: Type.Object({}),
    execute: async () => ({ content: [{ type: "text", text: pi.getAllTools().map((tool) => tool.name).join(",") }] }),
  });
  pi.registerTool({
    name: "narrow",
    description: "Shows the model one tool only.",
    parameters: Type.Object({}),
    execute: async () => {
      pi.setActiveTools(["late"]);
      pi.sendMessage({ customType: "x", content: "narrowed", display: true });
      return { content: [{ type: "text", text: pi.getActiveTools().join(",") }] };
    },
  });
  pi.registerTool({
    name: "stopper",
    description: "Asks the agent to stop.",
    parameters: Type.Object({}),
    execute: async (id, params, signal, onUpdate, ctx) => {
      ctx.abort();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw new Error("stopped");
    },
  });
}
`;

describe("[P5] at the exit of a host", () => {
  it("the exit handlers of its tools run", async () => {
    const at = project({
      ".toolwright/tools/leaves.ts": `import { writeFileSync } from "node:fs";
        export default { description: "Leaves a note.", execute: (_, { directory }) => {
          process.on("exit", () => writeFileSync(directory + "/note.txt", "bye"));
          return "will do";
        } };`,
    });
    const { toolbox, say } = await open(at);
    expect(await say("leaves")).toBe("will do");
    await toolbox.close();
    expect(readFileSync(join(at.project, "note.txt"), "utf8")).toBe("bye");
  });
});

describe("[A8] a pi extension", () => {
  it("has the tools that it registers when a session begins, and later", async () => {
    const { toolbox } = await open(project({ ".pi/extensions/ext.ts": EXTENSION }));
    expect(toolbox.list().map(({ name }) => name)).toEqual(["late", "narrow", "others", "stopper"]);
    await toolbox.sessions.start("s");
    expect(toolbox.has("later_still")).toBe(true);
    expect(outputOf(await toolbox.call({ name: "later_still", sessionID: "s" }).result)).toBe("here");
    expect(outputOf(await toolbox.call({ name: "others", sessionID: "s" }).result)).toBe(
      "late,later_still,narrow,others,stopper",
    );
  });

  it("has them again in a new process: after a crash, a reload, or in another toolbox that has begun the session", async () => {
    const dies =
      'export default (pi) => ({ name: "dies", parameters: pi.typebox.Type.Object({}), execute: () => process.exit(3) });';
    const at = project({ ".pi/extensions/ext.ts": EXTENSION, ".omp/tools/dies.ts": dies });
    const first = await open(at);
    const call = async ({ toolbox }: typeof first, name: string): Promise<string> =>
      outputOf(await toolbox.call({ name, sessionID: "s" }).result);
    await first.toolbox.sessions.start("s");
    expect(await call(first, "later_still")).toBe("here");
    await call(first, "dies");
    expect(await call(first, "later_still")).toBe("here");
    writeFileSync(join(at.project, ".omp/tools/dies.ts"), `${dies} // changed`);
    await first.toolbox.reload();
    expect(await call(first, "later_still")).toBe("here");
    await first.toolbox.close();
    const asking = await open(at, { callerIsAsked: false, approve: async () => ({ allowed: true }) });
    expect(asking.toolbox.has("later_still")).toBe(false);
    await asking.toolbox.sessions.start("s");
    expect(asking.toolbox.has("later_still")).toBe(true);
    expect(await call(asking, "later_still")).toBe("here");
  });

  it("gets an error for an invalid tool that it registers later, and a removed tool is not listed", async () => {
    const source = `export default (pi) => {
      const tool = (name, execute) => ({ name, description: "A tool.", parameters: { type: "object", properties: {} }, execute });
      pi.registerTool(tool("adds", async () => { pi.registerTool(tool("added", async () => "there")); pi.registerTool(tool("bad name", async () => "")); return "done"; }));
      pi.registerTool(tool("dies", async () => process.exit(3)));
    };`;
    const { toolbox, at, say } = await open(project({ ".pi/extensions/ext.ts": source }));
    expect(await say("adds")).toBe("done");
    expect(await say("added")).toBe("there");
    expect(toolbox.problems()).toMatchObject([{ code: "bad_name", tool: "bad name" }]);
    await say("dies");
    const file = join(at.project, ".pi/extensions/ext.ts");
    expect(await say("added")).toBe(`"added" is no longer in ${file}. List the tools again.`);
    await expect.poll(() => toolbox.list().map(({ name }) => name)).toEqual(["adds", "dies"]);
  });

  it("adds entries to its session, beside those of the caller", async () => {
    const { toolbox } = await open(project({ ".pi/extensions/ext.ts": EXTENSION }));
    const session = {
      entries: [
        { id: "1", parentId: null, type: "custom", timestamp: "2026-01-01", customType: "note", data: { note: "old" } },
      ],
    };
    const say = async (sessionID: string, note: string, more = {}): Promise<string> =>
      outputOf(await toolbox.call({ name: "late", sessionID, input: { note }, ...more }).result);
    expect(await say("s", "a")).toBe("a");
    expect(await say("s", "b")).toBe("a,b");
    expect(await say("t", "c")).toBe("c");
    expect(await say("s", "d", { session })).toBe("old,a,b,d");
  });

  it("selects the tools that its session's model is shown, and sends messages to the listeners", async () => {
    const { toolbox } = await open(project({ ".pi/extensions/ext.ts": EXTENSION }));
    const actions: [string, SessionAction][] = [];
    toolbox.on("session", ({ sessionID, action }) => actions.push([sessionID, action]));
    expect(outputOf(await toolbox.call({ name: "narrow", sessionID: "s" }).result)).toBe("late");
    expect(toolbox.list({ sessionID: "s" }).map(({ name }) => name)).toEqual(["late"]);
    expect(toolbox.list({ sessionID: "t" })).toHaveLength(5);
    expect(actions.map(([sessionID, { type }]) => [sessionID, type])).toEqual([
      ["s", "active-tools"],
      ["s", "message"],
    ]);
    await toolbox.call({ name: "narrow" }).result;
    await toolbox.reload();
    expect(outputOf(await toolbox.call({ name: "others" }).result)).toBe("late,later_still,narrow,others,stopper");
  });

  it("can stop the calls of its session", async () => {
    const { toolbox } = await open(project({ ".pi/extensions/ext.ts": EXTENSION }));
    const result = await toolbox.call({ name: "stopper", sessionID: "s" }).result;
    expect(result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });
});

const PREVIEWS = `
export default (pi) => [
  {
    name: "preview",
    label: "Preview",
    description: "Prepares a change.",
    parameters: pi.typebox.Type.Object({ label: pi.typebox.Type.String() }),
    async execute(id, { label }) {
      let tries = 0;
      pi.pushPendingAction({
        label,
        sourceToolName: "preview",
        apply: async (reason) => {
          tries += 1;
          if (label === "shaky" && tries === 1) throw new Error("The disk is full.");
          return { content: [{ type: "text", text: "applied " + label + ": " + reason }] };
        },
        ...(label === "plain" ? {} : { reject: async (reason) => ({ content: [{ type: "text", text: "dropped " + label + ": " + reason }] }) }),
      });
      return { content: [{ type: "text", text: "prepared " + label }] };
    },
  },
];
`;

describe("[A5] previews", () => {
  const prepared = async (...labels: string[]) => {
    const at = project({ ".omp/tools/preview.ts": PREVIEWS });
    const { toolbox } = await open(at);
    const say = async (name: string, input: unknown, sessionID = "s"): Promise<string> =>
      outputOf(await toolbox.call({ name, input, sessionID }).result);
    for (const label of labels) await say("preview", { label });
    const resolve = (action: string, sessionID?: string): Promise<string> =>
      say("resolve", { action, reason: "because" }, sessionID);
    return { at, toolbox, resolve };
  };
  const shown = (toolbox: Awaited<ReturnType<typeof prepared>>["toolbox"], sessionID: string): boolean =>
    toolbox.list({ sessionID }).some(({ name }) => name === "resolve");

  it("wait for the hidden tool resolve, which is shown meanwhile; the newest is resolved first", async () => {
    const { toolbox, resolve } = await prepared("one", "two", "plain");
    expect([shown(toolbox, "s"), shown(toolbox, "t")]).toEqual([true, false]);
    expect(await resolve("discard")).toBe("Discarded: plain. Reason: because");
    expect(await resolve("apply")).toBe("applied two: because");
    expect(await resolve("discard")).toBe("dropped one: because");
    expect(await resolve("apply")).toBe("No pending action to resolve. Nothing to apply or discard.");
    expect(shown(toolbox, "s")).toBe(false);
  });

  it("belong to their session", async () => {
    const { resolve } = await prepared("one");
    expect(await resolve("apply", "t")).toBe("No pending action to resolve. Nothing to apply or discard.");
    expect(await resolve("apply", "s")).toBe("applied one: because");
  });

  it("stay if applying them fails", async () => {
    const { resolve } = await prepared("shaky");
    expect(await resolve("apply")).toBe("The disk is full.");
    expect(await resolve("apply")).toBe("applied shaky: because");
  });

  it("outlive a reload of their file, and run the old code", async () => {
    const { at, toolbox, resolve } = await prepared("one");
    writeFileSync(join(at.project, ".omp/tools/preview.ts"), `${PREVIEWS}\n// changed\n`);
    await toolbox.reload();
    expect(await resolve("apply")).toBe("applied one: because");
  });

  it("are discarded at the end of their session, with the process that held them", async () => {
    const { at, toolbox, resolve } = await prepared("one");
    writeFileSync(join(at.project, ".omp/tools/preview.ts"), `${PREVIEWS}\n// changed\n`);
    await toolbox.reload();
    expect(hosts()).toHaveLength(2);
    await toolbox.sessions.tell("s", { reason: "shutdown" });
    await expect.poll(() => hosts().length, { timeout: 5_000 }).toBe(1);
    expect(shown(toolbox, "s")).toBe(false);
    expect(await resolve("apply")).toBe("No pending action to resolve. Nothing to apply or discard.");
  });

  it("can only be resolved with apply or discard", async () => {
    const { resolve } = await prepared("one");
    expect(await resolve("maybe")).toMatch(/^The input for "resolve" is not valid:\n- \/action: /);
    expect(await resolve("apply")).toBe("applied one: because");
  });
});
