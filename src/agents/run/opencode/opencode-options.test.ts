import { describe, expect, it } from "vitest";
import type { AgentContext, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { opencodeAccess } from "./opencode-access.ts";
import { entryName, modelOf, serverEnv, sessionRules } from "./opencode-options.ts";

const CONTEXT: AgentContext = {
  directory: "/p",
  root: "/p",
  trusted: true,
  home: "/h",
  toolwrightHome: "/h/.toolwright",
  env: { OPENAI_API_KEY: "key", OPENCODE_CONFIG_CONTENT: '{ "theme": "dark" }' },
  programs: {},
};

describe("[G3] the options of OpenCode", () => {
  it("are added to those of the user's environment, and nothing is asked of the project if it is not trusted", () => {
    const env = serverEnv(CONTEXT, { model: "m", baseUrl: "http://127.0.0.1:1/v1" }, "secret");
    const config = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? "");
    expect(config).toMatchObject({
      theme: "dark",
      model: "toolwright/m",
      permission: { "*": "ask", question: "deny" },
      provider: { toolwright: { options: { baseURL: "http://127.0.0.1:1/v1", apiKey: "key" }, models: { m: {} } } },
    });
    expect(env).toMatchObject({ OPENCODE_SERVER_PASSWORD: "secret", OPENCODE_DISABLE_AUTOUPDATE: "1" });
    expect(env.OPENCODE_DISABLE_PROJECT_CONFIG).toBeUndefined();
    const untrusted = serverEnv({ ...CONTEXT, trusted: false, env: { OPENCODE_CONFIG_CONTENT: "{" } }, {}, "secret");
    expect(untrusted.OPENCODE_DISABLE_PROJECT_CONFIG).toBe("1");
    expect(JSON.parse(untrusted.OPENCODE_CONFIG_CONTENT ?? "")).not.toHaveProperty("provider");
  });

  it("give each session a server of its own name", () => {
    expect(entryName("a")).toBe(entryName("a"));
    expect(entryName("a")).not.toBe(entryName("b"));
    expect(entryName("a")).toMatch(/^toolwright-[0-9a-f]{5}$/);
  });

  it("deny what the user denies and the copies of our tools, and allow our tools", () => {
    const user = { "*": "ask", bash: { "*": "allow", "rm *": "deny" }, webfetch: "deny", edit: "allow" };
    expect(sessionRules("toolwright-1", ["note", "bash"], user)).toEqual([
      { permission: "bash", pattern: "rm *", action: "deny" },
      { permission: "webfetch", pattern: "*", action: "deny" },
      { permission: "note", pattern: "*", action: "deny" },
      { permission: "toolwright-1_*", pattern: "*", action: "allow" },
    ]);
    expect(sessionRules("toolwright-1", [], "allow")).toHaveLength(1);
  });

  it.each([
    [{ model: "openai/gpt-5" }, { providerID: "openai", modelID: "gpt-5" }],
    [{ model: "openrouter/meta/llama" }, { providerID: "openrouter", modelID: "meta/llama" }],
    [
      { model: "meta/llama", baseUrl: "http://127.0.0.1" },
      { providerID: "toolwright", modelID: "meta/llama" },
    ],
    [{ model: "gpt-5" }, undefined],
    [{ model: "openai/" }, undefined],
    [{}, undefined],
  ])("name the model of %j", (options, expected) => {
    expect(modelOf(options as AgentSessionOptions)).toEqual(expected);
  });

  it.each([
    ["bash", { command: "ls -l" }, {}, [{ kind: "execute", target: "ls -l" }]],
    ["bash", {}, {}, ["undeclared"]],
    ["edit", { filePath: "a.ts" }, {}, [{ kind: "write", target: "/p/a.ts" }]],
    ["edit", {}, { filepath: "/q/b.ts" }, [{ kind: "write", target: "/q/b.ts" }]],
    [
      "edit",
      { patchText: "…" },
      { files: [{ filePath: "/p/a" }, { filePath: "/p/b", movePath: "/p/c" }] },
      ["/p/a", "/p/b", "/p/c"].map((target) => ({ kind: "write", target })),
    ],
    ["read", { filePath: "/etc/passwd" }, {}, [{ kind: "read", target: "/etc/passwd" }]],
    ["grep", { pattern: "x" }, {}, [{ kind: "read", target: "/p" }]],
    ["glob", { pattern: "*", path: "src" }, {}, [{ kind: "read", target: "/p/src" }]],
    ["webfetch", { url: "https://example.com" }, {}, [{ kind: "network", target: "https://example.com" }]],
    ["context7_search", { query: "x" }, {}, ["undeclared"]],
  ])("declare what a call of %s with %j touches", (permission, input, metadata, expected) => {
    expect(opencodeAccess({ permission, metadata }, input, "/p")).toEqual(expected);
  });
});
