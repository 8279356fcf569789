import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ToolEvent } from "../../src/core/events.ts";
import { outputOf } from "../../src/core/result.ts";
import { project, type Sandbox } from "../support/fixture.ts";
import { open } from "../support/toolbox.ts";

/** An extension whose tools call the tools that `tools` creates, in the way of public extensions. */
function wrapping(body: string): Sandbox {
  return project({
    ".pi/extensions/wrap.ts": `
import * as pi from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
export default function (api) {
  const cwd = process.cwd();
  const register = (name, execute) => api.registerTool({ name, label: name, description: name, parameters: Type.Any(), execute });
${body}
}`,
    "a.txt": "one\ntwo\n",
  });
}

const BASH = `
  const bash = pi.createBashTool(cwd);
  api.registerTool({ ...bash, execute: (id, params, signal, onUpdate) => bash.execute(id, params, signal, onUpdate) });`;

describe.each(["shared", "none"] as const)("[A8] a tool that wraps a tool of pi, isolation %s", (isolation) => {
  it("runs the built-in tool as a call with an id and a parent", async () => {
    const { toolbox } = await open(wrapping(BASH), { isolation });
    const events: ToolEvent[] = [];
    toolbox.on("call", (event) => void events.push(event));
    const run = toolbox.call({ name: "bash", input: { command: "echo hi" }, sessionID: "s", agent: "a" });
    expect(outputOf(await run.result)).toBe("hi\n");
    const starts = events.filter(({ type }) => type === "tool.start");
    expect(starts).toMatchObject([
      { tool: "bash", callID: run.callID, sessionID: "s", agent: "a", input: { command: "echo hi" } },
      { tool: "bash", parentID: run.callID, sessionID: "s", agent: "a", input: { description: "echo hi" } },
    ]);
    const updates = events.filter((event) => event.type === "tool.update" && event.callID === run.callID);
    expect(updates.at(-1)).toMatchObject({ metadata: { output: "hi\n" } });
  });

  it("applies the rules for the built-in tool", async () => {
    const at = wrapping(`
  const read = pi.createReadTool(cwd);
  register("peek", (id, params, signal, onUpdate) => read.execute(id, params, signal, onUpdate));`);
    const settings = join(at.project, ".toolwright/settings.json");
    writeFileSync(settings, JSON.stringify({ permissions: [{ tool: "read", match: "a.txt", action: "deny" }] }));
    const { toolbox } = await open(at, { isolation });
    const result = await toolbox.call({ name: "peek", input: { path: "a.txt" } }).result;
    expect(result).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(outputOf(result)).toMatch(/^"read" was not allowed to run\. .*a\.txt/);
  });

  it("passes the built-in tool through the hooks, under its name", async () => {
    const seen: unknown[] = [];
    const before = ({ tool, input }: { tool: string; input: unknown }): undefined => void seen.push([tool, input]);
    const at = wrapping(`
  register("peek", (id, params) => pi.createReadTool(cwd).execute(id, params));`);
    const { say } = await open(at, { isolation, hooks: { before } as never });
    expect(await say("peek", { path: "a.txt" })).toBe("one\ntwo\n");
    expect(seen).toEqual([
      ["peek", { path: "a.txt" }],
      ["read", { filePath: "a.txt" }],
    ]);
  });

  it("cancels the built-in tool with the call, and with the signal that the wrapper passes", async () => {
    const at = wrapping(`${BASH}
  register("impatient", async (id, params) => {
    const own = new AbortController();
    setTimeout(() => own.abort(), 300);
    return bash.execute(id, params, own.signal).catch((error) => ({ content: [{ type: "text", text: error.message }] }));
  });`);
    const { toolbox, say } = await open(at, { isolation });
    const command = "sleep 1.5; touch late.txt";
    expect(await say("impatient", { command })).toBe("Command aborted");
    const run = toolbox.call({ name: "bash", input: { command } });
    await sleep(500);
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    await sleep(2_000);
    expect(existsSync(join(at.project, "late.txt"))).toBe(false);
  });

  it("[P4] cancels built-in tools that outlive the call", async () => {
    const at = wrapping(`${BASH}
  register("careless", async (id, params) => {
    void bash.execute(id, params).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { content: [{ type: "text", text: "done" }] };
  });`);
    const { say } = await open(at, { isolation });
    expect(await say("careless", { command: "sleep 1; touch late.txt" })).toBe("done");
    await sleep(1_800);
    expect(existsSync(join(at.project, "late.txt"))).toBe(false);
  });
});

describe("[A8] calls of built-in tools by a tool of pi", () => {
  it("[P4] the time limit of the call ends them, but not while a person is asked", async () => {
    const at = wrapping(BASH);
    const permissions = [{ tool: "bash", match: "touch asked.txt", action: "ask" }];
    const settings = { permissions, toolLimits: { bash: { timeoutMs: 3_000 } } };
    writeFileSync(join(at.project, ".toolwright/settings.json"), JSON.stringify(settings));
    const asked: string[] = [];
    const { toolbox } = await open(at, {
      approve: async ({ tool }) => {
        asked.push(tool);
        await sleep(4_000);
        return { allowed: true };
      },
    });
    const touched = await toolbox.call({ name: "bash", input: { command: "touch asked.txt" } }).result;
    expect(outputOf(touched)).toBe("(no output)");
    expect(asked).toEqual(["bash"]);
    expect(existsSync(join(at.project, "asked.txt"))).toBe(true);
    const input = { command: "sleep 6; touch late.txt" };
    expect(await toolbox.call({ name: "bash", input }).result).toMatchObject({ ok: false, error: { code: "timeout" } });
    await sleep(4_500);
    expect(existsSync(join(at.project, "late.txt"))).toBe(false);
  });

  it("limits how many are open at once", async () => {
    const at = wrapping(`
  register("many", async (id, { count }) => {
    const read = pi.createReadTool(cwd);
    const all = await Promise.allSettled(Array.from({ length: count }, () => read.execute(id, { path: "a.txt" })));
    const failed = all.filter((each) => each.status === "rejected");
    return { content: [{ type: "text", text: failed.length + " " + (failed[0]?.reason.message ?? "") }] };
  });`);
    const { say } = await open(at);
    expect(await say("many", { count: 40 })).toBe("0 ");
    expect(await say("many", { count: 1_000 })).toMatch(
      /^[1-9]\d* "many" has 200 calls of built-in tools open, the maximum\. Wait for some of them before you make more\.$/,
    );
  });

  it("explains a disabled built-in tool, and a call outside of a call", async () => {
    const at = wrapping(`
  let early = "";
  pi.createReadTool(cwd).execute("1", { path: "a.txt" }).catch((error) => { early = error.message; });
  register("early", async () => ({ content: [{ type: "text", text: early }] }));
  register("peek", (id, params) => pi.createReadTool(cwd).execute(id, params));`);
    writeFileSync(join(at.project, ".toolwright/settings.json"), JSON.stringify({ tools: { disabled: ["read"] } }));
    const { say } = await open(at);
    expect(await say("peek", { path: "a.txt" })).toBe(
      '"peek" needs the built-in tool "read", which is disabled. To use it, take it out of "tools.disabled" in the settings.',
    );
    expect(await say("early")).toBe(
      'The tool "read" of pi can only be executed while a tool of this file runs: Toolwright runs it as a part of that call. Move this call into execute().',
    );
  });

  it("[P8] the audit log names the parent", async () => {
    const { toolbox, at } = await open(wrapping(BASH));
    const run = toolbox.call({ name: "bash", input: { command: "true" } });
    await run.result;
    await toolbox.close();
    const lines = readFileSync(join(at.env.TOOLWRIGHT_HOME ?? "", "audit.log"), "utf8")
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).parentID)).toEqual([run.callID, undefined]);
  });
});
