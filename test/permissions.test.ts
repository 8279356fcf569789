import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentTask, allowedToolNames, outputOf, type ToolboxOptions, type ToolInfo } from "../src/index.ts";
import { type Sandbox, sandbox } from "./support/fixture.ts";
import { temporary } from "./support/temporary.ts";
import { open } from "./support/toolbox.ts";

const READS = `export default { description: "Reads.", args: { path: { type: "string" } },
  access: ({ path }, { cwd }) => [{ kind: "read", target: path.startsWith("/") ? path : cwd + "/" + path, named: true }],
  execute: ({ path }) => "read " + path };`;
const FETCHES = `export default { description: "Fetches.", args: { url: { type: "string" } },
  access: ({ url }) => [{ kind: "network", target: url, named: true }], execute: ({ url }) => "fetched " + url };`;
const PLAIN = `export default { description: "Says nothing of what it touches.", execute: () => "done" };`;
const CLAUDE = `export default { description: "For some models.", providers: ["anthropic", "openai/gpt-*"], execute: () => "done" };`;
const FILES = { "reads.ts": READS, "fetches.ts": FETCHES, "plain.ts": PLAIN, "claude.ts": CLAUDE };

function made(permissions: readonly object[], more: object = {}): Sandbox {
  const at = sandbox(FILES);
  mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
  const text = JSON.stringify({ permissions, ...more });
  writeFileSync(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), text);
  return at;
}

const names = (tools: readonly ToolInfo[]): string[] => tools.map(({ name }) => name);

describe("[P3] permissions of one toolbox", () => {
  const asked = { callerIsAsked: false } as const;

  it("[P3] rules come after the user's, the mode replaces the user's, and nothing is written to settings", async () => {
    const at = made([{ tool: "plain", action: "deny" }], { mode: "plan" });
    const refused = await open(at, asked);
    expect(await refused.say("plain")).toContain("denie");
    const rules = [{ tool: "pl*n", action: "allow" }] as const;
    expect(await (await open(at, { ...asked, permissions: { rules, mode: "default" } })).say("plain")).toBe("done");
    const { say } = await open(at, { ...asked, permissions: { mode: "bypass" } });
    expect(await say("claude")).toBe("done");
    expect(await say("plain")).toContain("denie");
  });

  it("[P3] a project can still tighten them, and they stay after a reload", async () => {
    const at = made([]);
    const rules = [{ tool: "*", action: "allow" }] as const;
    const { say, toolbox } = await open(at, { ...asked, permissions: { rules, mode: "bypass" } });
    await toolbox.reload();
    expect(await say("plain")).toBe("done");
    mkdirSync(join(at.project, ".toolwright"), { recursive: true });
    const settings = { permissions: [{ tool: "plain", action: "deny" }] };
    writeFileSync(join(at.project, ".toolwright/settings.json"), JSON.stringify(settings));
    await toolbox.reload();
    expect(await say("plain")).toContain("denie");
    expect(await say("claude")).toBe("done");
  });

  it.each<[object, string]>([
    [
      { mode: "yolo" },
      '"mode" must be one of "default", "acceptEdits", "plan", "bypass", "bypassPermissions", not "yolo". It is ignored.',
    ],
    [
      { mode: "dontAsk" },
      '"mode" must be one of "default", "acceptEdits", "plan", "bypass", "bypassPermissions", not "dontAsk". It is ignored.',
    ],
    [{ rules: [{ tool: "x", acton: "deny" }] }, '"permissions[0]" needs "action". It is ignored.'],
    [{ rules: "x" }, '"permissions" must be a list, not "x". It is ignored.'],
  ])("[P3] wrong ones are refused: %j", async (permissions, message) => {
    await expect(open(made([]), { permissions } as ToolboxOptions)).rejects.toThrow(
      `The option "permissions" of createToolbox is wrong. ${message}`,
    );
  });
});

describe("[B13] [P3] a path outside the project", () => {
  it("[B13] needs a rule that names it, in every mode", async () => {
    const outside = temporary();
    for (const mode of ["default", "acceptEdits", "plan", "bypass"]) {
      const { say } = await open(made([{ tool: "*", action: "allow" }], { mode }));
      expect(await say("reads", { path: join(outside, "a") }), mode).toContain("no rule names that path");
      expect(await say("reads", { path: "a" })).toBe("read a");
    }
    const { say } = await open(made([{ tool: "reads", match: `${outside}/**`, action: "allow" }]));
    expect(await say("reads", { path: join(outside, "a") })).toBe(`read ${join(outside, "a")}`);
  });

  it("[B13] [X1] is recognised behind a link", async () => {
    const outside = temporary();
    const at = made([{ tool: "*", action: "allow" }]);
    symlinkSync(outside, join(at.project, "inside"));
    const { say } = await open(at);
    expect(await say("reads", { path: "inside/secret" })).toContain(
      `The tool "reads" reading "${outside}/secret" needs a person's approval: it is outside the project, and no rule names that path.`,
    );
  });

  it("[B13] [X1] is recognised in a path with `..` after a link, for a tool that does not normalise it", async () => {
    const outside = temporary();
    mkdirSync(join(outside, "deep"));
    const at = made([{ tool: "*", action: "allow" }]);
    symlinkSync(join(outside, "deep"), join(at.project, "link"));
    const { say } = await open(at);
    expect(await say("reads", { path: "link/../secret" })).toContain(
      `The tool "reads" reading "${outside}/secret" needs a person's approval: it is outside the project, and no rule names that path.`,
    );
    expect(await say("reads", { path: "sub/../a" })).toBe("read sub/../a");
  });

  it("[P3] can be allowed and denied with `~`", async () => {
    const at = made([
      { tool: "reads", match: "~/notes/**", action: "allow" },
      { tool: "reads", match: "~/notes/private", action: "deny" },
    ]);
    const { say } = await open(at);
    expect(await say("reads", { path: join(at.home, "notes/a") })).toBe(`read ${join(at.home, "notes/a")}`);
    expect(await say("reads", { path: join(at.home, "notes/private/a") })).toContain("is denied by the user's rule");
  });

  it("[B13] is not a project that is reached through a link, nor the project in the call's directory", async () => {
    const at = made([]);
    const link = join(at.root, "link");
    symlinkSync(at.project, link);
    const { toolbox } = await open(at, { cwd: link });
    const read = async (path: string, directory?: string): Promise<string> =>
      outputOf(await toolbox.call({ name: "reads", input: { path }, ...(directory ? { directory } : {}) }).result);
    mkdirSync(join(at.project, "sub"));
    expect(await read("a")).toBe("read a");
    expect(await read("../a", join(link, "sub"))).toBe("read ../a");
    expect(await read(join(at.project, "a"))).toBe(`read ${join(at.project, "a")}`);
    const other = temporary();
    expect(await read(join(other, "a"))).toContain("outside the project");
    expect(await read("a", other)).toBe("read a");
  });

  it("[B8] a URL needs a rule that names its host", async () => {
    const url = "http://127.0.0.1:3000/x";
    const { say } = await open(made([{ tool: "*", match: "http://*", action: "allow" }], { mode: "bypass" }));
    expect(await say("fetches", { url })).toContain("no rule names that address");
    const rebound = { url: "http://rebind.evil.com:8080/x" };
    const wide = await open(made([{ tool: "fetches", match: "http://*.com:*/*", action: "allow" }]));
    expect(await wide.say("fetches", rebound)).toContain(
      `To allow it, the user can add {"tool":"fetches","match":"http://rebind.evil.com:8080/x","action":"allow"} to "permissions"`,
    );
    const named = await open(made([{ tool: "fetches", match: "http://127.0.0.1:*/*", action: "allow" }]));
    expect(await named.say("fetches", { url })).toBe(`fetched ${url}`);
  });
});

describe("[P3] the mode acceptEdits", () => {
  it("[P3] does not cover code that runs without a question: tool files, and files that name programs", async () => {
    const at = made([], { mode: "acceptEdits" });
    writeFileSync(
      join(at.tools, "writes.js"),
      `export default { description: "Writes.", args: { path: { type: "string" } },
        access: ({ path }, { cwd }) => [{ kind: "write", target: cwd + "/" + path }], execute: () => "x" };`,
    );
    writeFileSync(join(at.project, ".toolwright/settings.json"), '{ "tools": { "paths": ["own"] } }');
    const { toolbox } = await open(at);
    const decided = async (path: string): Promise<string> => {
      const explained = await toolbox.explain({ name: "writes", input: { path } });
      return explained.ok ? explained.decision.action : explained.error.message;
    };
    expect(await decided("src/a.js")).toBe("allow");
    for (const path of ["own/a.js", ".toolwright/settings.json", ".mcp.json", "node_modules/a/package.json"]) {
      expect(await decided(path), path).toBe("implicit-ask");
    }
  });
});

describe("[R2] which tools an agent is shown", () => {
  const rules = [
    { tool: "plain", agent: "build", action: "deny" },
    { tool: "reads", agent: "helper", action: "deny" },
  ];

  it("[R2] are those that are enabled and not denied for every access", async () => {
    const { toolbox } = await open(made(rules, { tools: { disabled: ["fetches"] } }), { builtins: false });
    expect(names(toolbox.list({ agent: "" }))).toEqual(["claude", "plain", "reads"]);
    expect(names(toolbox.list({ agent: "build" }))).toEqual(["claude", "reads"]);
    expect(names(toolbox.list({ agent: "helper" }))).toEqual(["claude", "plain"]);
    expect(names(toolbox.list())).toEqual(["claude", "fetches", "plain", "reads"]);
  });

  it("[R2] [R1] are the same over MCP", async () => {
    const { toolbox } = await open(made([...rules, { tool: "fetches", action: "deny" }]), { builtins: false });
    const shown = (agent?: string): readonly string[] =>
      allowedToolNames(toolbox, agent === undefined ? {} : { agent });
    expect(shown()).toEqual(["mcp__toolwright__claude", "mcp__toolwright__plain", "mcp__toolwright__reads"]);
    expect(shown("build")).toEqual(["mcp__toolwright__claude", "mcp__toolwright__reads"]);
  });

  it("[R2] are those for its provider and model", async () => {
    const { toolbox } = await open(made([]), { builtins: false });
    expect(names(toolbox.list({ provider: "anthropic" }))).toContain("claude");
    expect(names(toolbox.list({ provider: "openai/gpt-5", agent: "build" }))).toContain("claude");
    expect(names(toolbox.list({ provider: "openai/o5" }))).toEqual(["fetches", "plain", "reads"]);
    const denied = await open(made([{ tool: "claude", action: "deny" }]), { builtins: false });
    expect(names(denied.toolbox.list({ provider: "anthropic" }))).toEqual(["fetches", "plain", "reads"]);
  });

  it("[P3] [R2] [B9] a sub-agent is limited by the rules of the agents that delegated to it", async () => {
    const seen: { tools: string[]; said: string[] } = { tools: [], said: [] };
    const run = async (task: AgentTask): Promise<{ output: string }> => {
      seen.tools = names(task.tools);
      for (const name of ["plain", "reads"]) {
        seen.said.push(outputOf(await task.call({ name, input: { path: "a" } }).result));
      }
      return { output: "ok" };
    };
    const options: ToolboxOptions = { subagents: { run }, builtins: ["task"] };
    const { toolbox } = await open(made(rules), options);
    const input = { description: "d", prompt: "p", subagent_type: "helper" };
    expect((await toolbox.call({ name: "task", input, agent: "build" }).result).ok).toBe(true);
    expect(seen.tools).toEqual(["claude", "fetches"]);
    expect(seen.said).toEqual([
      expect.stringContaining(`is denied by the user's rule {"tool":"plain","agent":"build","action":"deny"}`),
      expect.stringContaining(`is denied by the user's rule {"tool":"reads","agent":"helper","action":"deny"}`),
    ]);
  });

  it("[P3] [B9] [X1] agents cannot evade rules by their names", async () => {
    const said: string[] = [];
    const run = async (task: AgentTask): Promise<{ output: string }> => {
      said.push(outputOf(await task.call({ name: "plain" }).result));
      return { output: "ok" };
    };
    const { toolbox } = await open(made(rules), { subagents: { run }, builtins: ["task"] });
    for (const agent of ["helper\0build", "helper build", '["plain","helper","build"]']) {
      expect((await toolbox.call({ name: "plain", agent }).result).ok).toBe(true);
    }
    const input = { description: "d", prompt: "p", subagent_type: "helper" };
    await toolbox.call({ name: "task", input, agent: "build" }).result;
    expect(said).toEqual([
      expect.stringContaining(`is denied by the user's rule {"tool":"plain","agent":"build","action":"deny"}`),
    ]);
  });

  it("[P3] [B9] an approval for a session applies to the tasks that it delegates, and not the other way round", async () => {
    const asked: string[] = [];
    const said: string[] = [];
    const run = async (task: AgentTask): Promise<{ output: string }> => {
      said.push(outputOf(await task.call({ name: "plain" }).result));
      said.push(outputOf(await task.call({ name: "reads", input: { path: "/etc/hosts" } }).result));
      return { output: "ok" };
    };
    const { toolbox } = await open(made([{ tool: "plain", action: "ask" }]), {
      subagents: { run },
      builtins: ["task"],
      approve: async ({ tool }) => {
        asked.push(tool);
        return { allowed: true, remember: "session" };
      },
    });
    const call = async (name: string, input: object = {}): Promise<string> =>
      outputOf(await toolbox.call({ name, input, sessionID: "above" }).result);
    expect(await call("plain")).toBe("done");
    await call("task", { description: "d", prompt: "p", subagent_type: "helper" });
    expect(said).toEqual(["done", "read /etc/hosts"]);
    expect(asked).toEqual(["plain", "reads"]);
    await call("reads", { path: "/etc/hosts" });
    expect(asked).toEqual(["plain", "reads", "reads"]);
  });
});
