import { describe, expect, it } from "vitest";
import { callContext, FILE, formatHost } from "../../../../test/support/forms.ts";
import { joinSessionFor } from "../../../authoring/copilot/extension.ts";
import type { SessionAction } from "../../../core/session.ts";
import type { Contributions, FormatHost, HookedCall } from "../contributions.ts";
import { readModule } from "../read-module.ts";

const SOURCE = 'import { joinSession } from "@github/copilot-sdk/extension";';
const clock = { name: "clock", description: "Tells the time.", handler: async (): Promise<string> => "12:00" };
const CALL: HookedCall = { tool: "bash", input: { n: 1 }, callID: "c1", session: { id: "s1" }, directory: "/p" };
const RESULT = { content: [{ type: "text", text: "done" }], isError: false } as const;

let files = 0;

interface Session {
  readonly sessionId: string;
  log(text: string, options?: { level: string }): Promise<void>;
  on(type: string, listener: (event: { data: unknown }) => void): () => void;
  send(options: unknown): Promise<string>;
  abort(): Promise<void>;
  registerTools(tools: unknown): void;
  readonly rpc: { readonly model: { list(): unknown } };
}

/** A file that joins a session with this configuration. */
async function read(
  config: Record<string, unknown>,
  host: FormatHost = formatHost(),
): Promise<{ from: Contributions; session: Session }> {
  files += 1;
  const path = `/p/${files}/extension.mjs`;
  const session = (await joinSessionFor(path, config)) as Session;
  const from = await readModule({}, { ...FILE, path }, { host, source: SOURCE, imports: () => [path] });
  return { from, session };
}

describe("extensions of Copilot CLI", () => {
  it("[A13] provide their tools, with name, schema and invocation", async () => {
    const parameters = { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] };
    const handler = async (
      args: { zone: string },
      { toolName, toolCallId }: Record<string, string>,
    ): Promise<unknown> => ({
      textResultForLlm: `${toolName} ${toolCallId} ${args.zone}`,
      resultType: "success",
    });
    const { from } = await read({ tools: [{ ...clock, parameters, handler }] });
    expect(from).toMatchObject({
      problems: [],
      about: {
        format: "sdk",
        why: "it calls joinSession() of the Copilot SDK, as extensions of Copilot CLI do",
        unsupportedFeatures: [],
      },
    });
    const [tool] = from.tools;
    expect(tool).toMatchObject({ name: "clock", description: "Tells the time.", input: { json: parameters } });
    expect(await tool?.run({ zone: "UTC" }, callContext())).toMatchObject({
      content: [{ type: "text", text: "clock c1 UTC" }],
    });
  });

  it("[D5] one bad tool is a problem, and the others work", async () => {
    const { from } = await read({ tools: [clock, { name: "x" }, { handler: clock.handler }, 5] });
    expect(from.tools.map(({ name }) => name)).toEqual(["clock"]);
    const advice = 'Write { name: "…", description: "…", parameters: { … }, handler: async (args) => … }.';
    expect(from.problems.map(({ code, message }) => [code, message])).toEqual([
      ["bad_definition", `Element [1] of the tools of joinSession() has no handler. ${advice}`],
      ["bad_definition", `Element [2] of the tools of joinSession() has no name. ${advice}`],
      ["bad_definition", `Element [3] of the tools of joinSession() has no name. ${advice}`],
    ]);
  });

  it("[P1] hooks refuse calls, change arguments, and add to results", async () => {
    const { from } = await read({
      hooks: {
        onPreToolUse: async ({ toolName, toolArgs }: { toolName: string; toolArgs: { n: number } }) => {
          if (toolName === "rm") return { permissionDecision: "deny", permissionDecisionReason: "Not that." };
          if (toolName === "mv") return { permissionDecision: "deny" };
          return toolArgs.n === 1 ? { modifiedArgs: { n: 2 } } : { permissionDecision: "allow" };
        },
        onPostToolUse: ({ toolResult }: { toolResult: { textResultForLlm: string } }) =>
          toolResult.textResultForLlm === "done"
            ? { additionalContext: "Well done." }
            : { modifiedResult: { textResultForLlm: "changed", resultType: "success" } },
        onPostToolUseFailure: ({ error }: { error: string }) => ({ additionalContext: `Seen: ${error}` }),
      },
    });
    const { hooks } = from;
    expect(await hooks?.before?.({ ...CALL, tool: "rm" })).toEqual({ refuse: "Not that." });
    expect(await hooks?.before?.({ ...CALL, tool: "mv" })).toEqual({
      refuse: "A hook of a Copilot extension denied it.",
    });
    expect(await hooks?.before?.(CALL)).toEqual({ input: { n: 2 } });
    expect(await hooks?.before?.({ ...CALL, input: { n: 3 } })).toBeUndefined();
    expect(await hooks?.after?.(CALL, RESULT)).toEqual({
      content: [...RESULT.content, { type: "text", text: "Well done." }],
      isError: false,
    });
    expect(await hooks?.after?.(CALL, { content: [{ type: "text", text: "other" }], isError: false })).toEqual({
      content: [{ type: "text", text: "changed" }],
      isError: false,
    });
    expect(await hooks?.after?.(CALL, { ...RESULT, isError: true })).toEqual({
      content: [...RESULT.content, { type: "text", text: "Seen: done" }],
      isError: true,
    });
  });

  it("[A5] hooks and listeners hear of sessions and calls; a listener that fails is logged", async () => {
    const heard: unknown[] = [];
    const logged: unknown[] = [];
    const host = formatHost({ log: (...line) => void logged.push(line) });
    const { from, session } = await read(
      {
        hooks: {
          onSessionStart: ({ source }: { source: string }) => void heard.push(source),
          onSessionEnd: ({ reason }: { reason: string }) => void heard.push(reason),
        },
      },
      host,
    );
    session.on("tool.execution_complete", ({ data }) => void heard.push(data));
    session.on("tool.execution_start", () => {
      throw new Error("deaf");
    });
    await from.onSession?.({ reason: "start", resumed: true }, { id: "s1" });
    await from.hooks?.before?.(CALL);
    await from.hooks?.after?.(CALL, RESULT);
    await from.onSession?.({ reason: "shutdown" }, { id: "s1" });
    expect(heard).toEqual([
      "resume",
      { toolCallId: "c1", toolName: "bash", success: true, result: { content: "done" } },
      "complete",
    ]);
    expect(logged).toEqual([["error", 'A listener of "tool.execution_start" failed: Error: deaf']]);
  });

  it("[A5] the session logs, sends and stops; what needs Copilot fails with words", async () => {
    const acts: SessionAction[] = [];
    const logged: unknown[] = [];
    const host = formatHost({
      act: (action) => void acts.push(action),
      log: (...line) => void logged.push(line),
      session: () => ({ id: "s9" }),
    });
    const { session } = await read({ tools: [clock] }, host);
    await session.log("ready");
    await session.log("slow", { level: "warning" });
    expect(await session.send({ prompt: "Go on." })).toEqual(expect.any(String));
    await session.abort();
    expect(session.sessionId).toBe("s9");
    expect(logged).toEqual([
      ["info", "ready"],
      ["warn", "slow"],
    ]);
    expect(acts).toEqual([{ type: "user-message", content: "Go on." }, { type: "stop" }]);
    expect(() => session.rpc.model.list()).toThrow(
      "session.rpc.model.list is only available in the agent that this file was written for. Use the context of the call, fetch(), a module of Node or a package from npm in its place.",
    );
  });

  it("[A8] tools that are registered later are listed", async () => {
    const { from, session } = await read({ tools: [clock] });
    session.registerTools([{ ...clock, name: "watch" }]);
    await expect.poll(() => from.tools.map(({ name }) => name)).toEqual(["watch"]);
  });

  it("[A8] a session that is joined soon after the import is found", async () => {
    const path = "/p/later/extension.mjs";
    setTimeout(() => void joinSessionFor(path, { tools: [clock] }), 50);
    const from = await readModule({}, { ...FILE, path }, { host: formatHost(), source: SOURCE, imports: () => [path] });
    expect(from.tools.map(({ name }) => name)).toEqual(["clock"]);
  });

  it("[U1] features without effect are named", async () => {
    const { from } = await read({
      tools: [clock],
      commands: [{ name: "x" }],
      systemMessage: {},
      hooks: { onUserPromptSubmitted: () => {}, onPreToolUse: () => {} },
    });
    expect(from.about?.unsupportedFeatures).toEqual([
      "Its slash commands have no effect: Toolwright serves tools, and hooks around their calls.",
      "Its system message has no effect: Toolwright serves tools, and hooks around their calls.",
      'Its hook "onUserPromptSubmitted" is never called by Toolwright.',
    ]);
  });
});
