import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentKey } from "../../src/settings/permissions/agent-name.ts";
import { isFor } from "../../src/settings/permissions/covering-rule.ts";
import { isVisibleToAgent } from "../../src/settings/permissions/tool-visibility.ts";
import { ensureBuilt } from "../support/cli.ts";
import { sandbox } from "../support/fixture.ts";
import { openServer } from "../support/http-server.ts";
import { openSessions } from "../support/http-sessions.ts";
import { connect } from "../support/mcp-client.ts";
import { put } from "../support/temporary.ts";
import { answering, open } from "../support/toolbox.ts";

/** Other spellings of the name `demo`. */
const SPELLINGS: readonly string[] = [
  ...["demo", "demo ", " demo", "\tdemo\n", "\u00a0demo\u3000", "DEMO", "Demo", "dEmO"],
  ...["\uff44\uff45\uff4d\uff4f", "\uff24\uff25\uff2d\uff2f", "\u{1d41d}emo", "dem\u00ba", "\u24d3emo"],
  ...["de\u200bmo", "\u200bdemo", "demo\u200d", "de\u2060mo", "\ufeffdemo", "de\u00admo", "demo\ufe0f", "d\u034femo"],
  ...["\u202edemo", "demo\u3164", "demo\u180e", "demo\u2800", "de\ufeffmo", "de\u0000mo", "demo\u{e0061}"],
];
const OTHERS: readonly string[] = ["", "demo2", "dem", "de mo", "other", "d\u00e9mo"];
const TOOLS = { ".toolwright/tools/wipe.js": answering("context.agent"), ".toolwright/tools/read.js": answering("1") };
/** Without the first rule, calls in the session of an agent need approval. */
const DENY_DEMO = {
  permissions: [
    { tool: "wipe", action: "allow" },
    { tool: "wipe", agent: "demo", action: "deny" },
  ],
};
const DENY = { permissions: [{ tool: "wipe", agent: "demo", action: "deny" }] };
const quoted = (names: readonly string[]): [string, string][] => names.map((name) => [JSON.stringify(name), name]);

describe("[P3] [X1] names of agents are compared without case, spaces at the ends and characters that are not shown", () => {
  it.each(quoted(SPELLINGS))("%s is demo, in calls and in rules", (_, name) => {
    expect(agentKey(name)).toBe("demo");
    for (const [agent, ofRule] of [
      [name, "demo"],
      ["demo", name],
      [name, "d*"],
      [name, " D?mo"],
    ] as const) {
      const rule = { tool: "*", agent: ofRule, action: "deny" } as const;
      expect(isFor(rule, { tool: "wipe", agent })).toBe(true);
      expect(isVisibleToAgent({ user: { rules: [rule] }, tool: "wipe", agent })).toBe(false);
      expect(isVisibleToAgent({ user: { rules: [rule] }, tool: "wipe", agent: "x", parents: [agent] })).toBe(false);
    }
  });

  it.each(
    quoted([
      "my\tagent",
      "my  agent",
      "my\nagent",
      "my\u2028agent",
      "my\u3000agent",
      "my \u200b agent",
      "my\u2800agent",
    ]),
  )("%s is my agent: spaces inside a name are one space", (_, name) => {
    const rule = { tool: "*", agent: "my agent", action: "deny" } as const;
    expect(isFor(rule, { tool: "wipe", agent: name })).toBe(true);
    expect(isFor({ ...rule, agent: "myagent" }, { tool: "wipe", agent: name })).toBe(false);
  });

  it.each(quoted(OTHERS))("%s is another agent", (_, name) => {
    expect(isFor({ tool: "*", agent: "demo", action: "deny" }, { tool: "wipe", agent: name })).toBe(false);
  });

  it("[S1] REST and library: no spelling passes a rule that denies", async () => {
    const { toolbox, post, ask } = await openServer(TOOLS, { settings: DENY });
    for (const agent of SPELLINGS) {
      const result = await toolbox.call({ name: "wipe", agent }).result;
      expect([agent, result.ok || result.error.code]).toEqual([agent, "denied"]);
      const explained = await toolbox.explain({ name: "wipe", agent });
      expect([agent, explained.ok && explained.decision.action]).toEqual([agent, "deny"]);
      expect(toolbox.list({ agent }).map(({ name }) => name)).toEqual(["read"]);
      const { status } = await post("/api/tools/wipe/run", { agent });
      // Control characters are refused as such.
      expect([agent, [400, 403].includes(status)]).toEqual([agent, true]);
    }
    for (const agent of OTHERS.slice(1)) expect((await post("/api/tools/wipe/run", { agent })).status).toBe(200);
    expect((await ask("/api/tools")).status).toBe(200);
  });

  it("[M1] MCP: the name of a client, and the settings for it", async () => {
    await ensureBuilt();
    const clients = { demo: { exclude: ["read"] } };
    for (const name of ["demo ", "DEMO", "de\u200bmo"]) {
      const at = sandbox({ "wipe.js": answering("context.agent"), "read.js": answering("1") });
      put(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify({ ...DENY, clients }));
      const { client } = await connect(at, "2025-11-25", { name });
      expect((await client.listTools()).tools).toEqual([]);
      const called = client.callTool({ name: "wipe", arguments: {} });
      expect((await called) as object).toMatchObject({ isError: true });
    }
  });
});

describe("[P3] [S2] [X1] where the server knows the agent of a session, a caller does not choose it", () => {
  it("REST: with another name, and without one", async () => {
    const server = await openSessions(TOOLS, { settings: DENY_DEMO });
    const id = await server.begin("say hello");
    await server.until(id, "completed");
    for (const agent of ["other", "DEMO", undefined]) {
      const response = await server.post("/api/tools/wipe/run", { sessionID: id, ...(agent ? { agent } : {}) });
      expect([agent, response.status]).toEqual([agent, 403]);
    }
    const elsewhere = await server.post("/api/tools/wipe/run", { sessionID: "mine", agent: "other" });
    expect(await elsewhere.json()).toMatchObject({ ok: true, output: "other" });
  });

  it("REST: a rule that allows another agent is not used", async () => {
    const permissions = [
      { tool: "wipe", action: "deny" },
      { tool: "wipe", agent: "other", action: "allow" },
    ];
    const server = await openSessions(TOOLS, { settings: { permissions } });
    const id = await server.begin("say hello");
    await server.until(id, "completed");
    const response = await server.post("/api/tools/wipe/run", { sessionID: id, agent: "other" });
    expect(response.status).toBe(403);
  });

  it("also after a restart, and in a branch", async () => {
    const server = await openSessions(TOOLS, { settings: DENY_DEMO });
    const id = await server.begin("say hello");
    await server.until(id, "completed");
    const branch = await server.client.sessions.branch(id);
    await server.toolbox.close();
    const { toolbox } = await open(server.at, { sessions: "disk" });
    for (const sessionID of [id, branch.id]) {
      await toolbox.sessions.open(sessionID);
      const result = await toolbox.call({ name: "wipe", sessionID, agent: "other" }).result;
      expect([sessionID, result.ok || result.error.code]).toEqual([sessionID, "denied"]);
      const own = await toolbox.call({ name: "wipe", sessionID, caller: "page" }).result;
      expect(own.ok).toBe(true);
    }
  });
});
