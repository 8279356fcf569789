import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../test/support/temporary.ts";
import { type LoadedSettings, loadSettings } from "./load-settings.ts";

interface Files {
  readonly user?: unknown;
  readonly project?: unknown;
  readonly trusted?: boolean;
}

function load({ user, project, trusted = true }: Files): LoadedSettings & { userFile: string; projectFile: string } {
  const root = temporary();
  const userFile = join(root, "home/settings.json");
  const projectFile = join(root, "project/.toolwright/settings.json");
  if (user !== undefined) put(userFile, typeof user === "string" ? user : JSON.stringify(user, null, 2));
  if (project !== undefined) put(projectFile, typeof project === "string" ? project : JSON.stringify(project, null, 2));
  const places = { projectRoot: join(root, "project"), toolwrightHome: join(root, "home") };
  return { ...loadSettings({ ...places, home: "/h", trusted }), userFile, projectFile };
}

function messages({ warnings }: LoadedSettings): string[] {
  return warnings.map(({ line, message }) => `${line}: ${message}`);
}

describe("loadSettings", () => {
  it("[K1] returns the defaults if there is no file", () => {
    expect(load({})).toMatchObject({
      warnings: [],
      ignored: [],
      settings: {
        tools: { paths: [], disabled: [], override: [], pinned: [] },
        limits: { timeoutMs: 120_000, importMs: 10_000, maxLines: 2000, maxBytes: 50_000, memoryMb: 512 },
        toolLimits: {},
        runtime: "node",
        isolation: "shared",
        mode: { user: "default" },
        permissions: { user: [], project: [] },
        hooks: { before: [], after: [] },
        mcp: { import: false },
        agents: { programs: {}, idleMs: 300_000, maxTaskTokens: 5_000_000, maxTurns: 32 },
        subagents: {},
        secrets: [],
        search: {},
        trust: { parents: [] },
        outputs: { keepDays: 7, maxMb: 1024 },
        sessions: { keepDays: 90, maxMb: 1024 },
      },
    });
  });

  it("[K] reads comments, trailing commas and a byte order mark", () => {
    const loaded = load({ user: '\uFEFF{\n  // for big builds\n  "limits": { "timeoutMs": 5, /* ms */ },\n}\n' });
    expect(loaded.warnings).toEqual([]);
    expect(loaded.settings.limits.timeoutMs).toBe(5);
    expect(load({ user: "" }).warnings).toEqual([]);
    expect(load({ user: "// nothing yet\n" }).warnings).toEqual([]);
  });

  it("[K1] scalars of the project win, its lists are appended, limits of a tool are merged", () => {
    const { settings, userFile, projectFile } = load({
      user: {
        tools: { paths: ["~/mine"], disabled: ["a", "b"], pinned: ["p"] },
        limits: { timeoutMs: 1, maxLines: 10 },
        toolLimits: { lint: { timeoutMs: 1, keep: "tail" }, constructor: { maxLines: 3 } },
        runtime: "bun",
        secrets: ["ONE"],
        hooks: { before: [{ tool: "*", command: "user" }] },
        mcp: { import: true },
      },
      project: {
        tools: { paths: ["./ours"], disabled: ["b", "c"] },
        limits: { timeoutMs: 2 },
        toolLimits: { lint: { timeoutMs: 2 } },
        runtime: "node",
        secrets: ["TWO"],
        hooks: { before: [{ tool: "*", command: "project" }] },
        mcp: { import: ["github"] },
      },
    });
    expect(settings.tools).toEqual({
      paths: [
        { path: "./ours", from: `"tools.paths" in ${projectFile}` },
        { path: "~/mine", from: `"tools.paths" in ${userFile}` },
      ],
      disabled: ["a", "b", "c"],
      disabledByUser: ["a", "b"],
      override: [],
      pinned: ["p"],
    });
    expect(settings.limits).toMatchObject({ timeoutMs: 2, maxLines: 10, maxBytes: 50_000 });
    expect(settings.toolLimits.lint).toEqual({ timeoutMs: 2, keep: "tail" });
    expect(settings.toolLimits.constructor).toEqual({ maxLines: 3 });
    expect(settings.toolLimits.toString).toBeUndefined();
    expect(settings.runtime).toBe("node");
    expect(settings.secrets).toEqual(["ONE", "TWO"]);
    expect(settings.hooks.before.map(({ command }) => command)).toEqual(["user", "project"]);
    expect(settings.mcp).toEqual({ import: ["github"] });
  });

  it("[P3] keeps rules and mode of user and project separate", () => {
    const deny = { tool: "bash", match: "rm *", action: "deny" };
    const allow = { tool: "*", agent: "claude", action: "allow" };
    const { settings } = load({
      user: { mode: "plan", permissions: [deny] },
      project: { mode: "bypass", permissions: [allow] },
    });
    expect(settings.permissions).toEqual({ user: [deny], project: [allow] });
    expect(settings.mode).toEqual({ user: "plan", project: "bypass" });
  });

  it("[P3] knows Claude Code's name of a mode, and stores ours", () => {
    const { settings } = load({ user: { mode: "bypassPermissions" }, project: { mode: "bypassPermissions" } });
    expect(settings.mode).toEqual({ user: "bypass", project: "bypass" });
  });

  it("[D7] an untrusted project cannot run code, allow more or remove stored data", () => {
    const project = {
      tools: { paths: ["./ours"], disabled: ["x"] },
      hooks: { before: [{ tool: "*", command: "touch pwned" }] },
      mode: "bypass",
      permissions: [{ tool: "*", action: "allow" }],
      mcp: { import: true },
      runtime: "bun",
      isolation: "none",
      outputs: { keepDays: 0 },
      sessions: { keepDays: 0 },
      limits: { timeoutMs: 3 },
    };
    const { settings, ignored } = load({ project, trusted: false });
    expect(settings).toMatchObject({
      tools: { paths: [], disabled: ["x"] },
      hooks: { before: [] },
      mode: { user: "default" },
      permissions: { project: [] },
      mcp: { import: false },
      runtime: "node",
      isolation: "shared",
      outputs: { keepDays: 7 },
      sessions: { keepDays: 90 },
      limits: { timeoutMs: 3 },
    });
    expect(settings.mode.project).toBeUndefined();
    expect(ignored).toEqual([
      "hooks",
      "mode",
      "permissions",
      "mcp",
      "runtime",
      "outputs",
      "sessions",
      "tools.paths",
      "isolation",
    ]);
  });

  it("[D7] an untrusted project may set stricter isolation", () => {
    const loaded = load({ user: { isolation: "none" }, project: { isolation: "file" }, trusted: false });
    expect(loaded.settings.isolation).toBe("file");
    expect(loaded.ignored).toEqual([]);
  });

  it("[D7] passes the user's trust.parents to the check whether the project is trusted", () => {
    const root = temporary();
    put(join(root, "home/settings.json"), '{ "trust": { "parents": ["/ci"] } }');
    put(join(root, "project/.toolwright/settings.json"), '{ "runtime": "bun", "trust": { "parents": ["/"] } }');
    const asked: (readonly string[])[] = [];
    const { settings } = loadSettings({
      projectRoot: join(root, "project"),
      toolwrightHome: join(root, "home"),
      home: root,
      trusted: (parents) => asked.push(parents) > 0,
    });
    expect(asked).toEqual([["/ci"]]);
    expect(settings).toMatchObject({ runtime: "bun", trust: { parents: ["/ci"] } });
  });

  it("[D7] a project cannot trust itself", () => {
    const loaded = load({ project: { trust: { parents: ["/"] } } });
    expect(loaded.settings.trust.parents).toEqual([]);
    expect(loaded.warnings).toEqual([
      {
        file: loaded.projectFile,
        message: `"trust" has an effect only in ${loaded.userFile}: a project cannot trust itself. It is ignored.`,
      },
    ]);
  });

  it("[K1] agents and sub-agents of the user: `~` is expanded in folders and programs, not in arguments", () => {
    const { settings, warnings } = load({
      user: {
        agents: {
          default: "codex",
          modules: "~/agents",
          programs: { codex: ["~/bin/codex-acp", "~/x"], mine: ["my-agent", "acp"], constructor: ["/opt/c"] },
          idleMs: 5,
        },
        subagents: {
          review: {
            agent: "langchain",
            model: "openai:m",
            prompt: "Be strict.",
            tools: ["read", "g*"],
            description: "Reviews a change.",
          },
        },
      },
    });
    expect(warnings).toEqual([]);
    expect({ ...settings.agents, programs: { ...settings.agents.programs } }).toEqual({
      default: "codex",
      modules: join("/h", "agents"),
      programs: { codex: [join("/h", "bin/codex-acp"), "~/x"], mine: ["my-agent", "acp"], constructor: ["/opt/c"] },
      idleMs: 5,
      maxTaskTokens: 5_000_000,
      maxTurns: 32,
    });
    expect(settings.subagents.review).toMatchObject({ agent: "langchain", tools: ["read", "g*"] });
    expect(settings.agents.programs.toString).toBeUndefined();
    expect(settings.subagents.toString).toBeUndefined();
  });

  it.each([true, false])("[K1] agents and sub-agents of a project are ignored: trusted %s", (trusted) => {
    const project = {
      agents: { modules: "/evil", programs: { codex: ["/evil/run"] }, default: "codex", idleMs: 1 },
      subagents: { general: { agent: "codex", description: "x" } },
    };
    const loaded = load({ user: { agents: { default: "claude" } }, project, trusted });
    expect(loaded.settings.agents).toMatchObject({ default: "claude", programs: {}, idleMs: 300_000 });
    expect(loaded.settings.agents.modules).toBeUndefined();
    expect(loaded.settings.subagents.general).toBeUndefined();
    expect(loaded.ignored).toEqual([]);
    expect(loaded.warnings).toEqual([
      {
        file: loaded.projectFile,
        message: `"agents" has an effect only in ${loaded.userFile}: a project cannot choose the programs that run as agents. It is ignored.`,
      },
      {
        file: loaded.projectFile,
        message: `"subagents" has an effect only in ${loaded.userFile}: a project cannot choose the agents that tasks are delegated to. It is ignored.`,
      },
    ]);
  });

  it("[K] returns the defaults if the home folder is not a folder", () => {
    expect(
      loadSettings({ projectRoot: "/dev/null", toolwrightHome: "/dev/null", home: "/dev/null", trusted: true })
        .warnings,
    ).toEqual([]);
  });

  it("[K] the user's file is not read again as the project's if the project is the home folder", () => {
    const home = temporary();
    put(join(home, ".toolwright/settings.json"), '{ "permissions": [{ "tool": "bash", "action": "deny" }] }');
    symlinkSync(join(home, ".toolwright"), join(home, "linked"));
    for (const toolwrightHome of [join(home, ".toolwright"), join(home, "linked")]) {
      const { settings } = loadSettings({ projectRoot: home, toolwrightHome, home, trusted: true });
      expect(settings.permissions).toMatchObject({ user: [{ tool: "bash" }], project: [] });
    }
  });
});

describe("warnings", () => {
  it("[K] an unknown key is reported with the nearest known one, and the other keys apply", () => {
    const loaded = load({
      project: { tols: { paths: ["x"] }, limits: { timeout: 5, maxLines: 7 }, memoryMb: 3, wibble: 1, $schema: "x" },
    });
    expect(messages(loaded)).toEqual([
      '2: Unknown setting "tols". Did you mean "tools"?',
      '8: Unknown setting "limits.timeout". Did you mean "limits.timeoutMs"?',
      '11: Unknown setting "memoryMb". Did you mean "limits.memoryMb"?',
      '12: Unknown setting "wibble". Known settings: $schema, tools, limits, toolLimits, runtime, isolation, mode, permissions, hooks, mcp, clients, agents, subagents, secrets, search, trust, outputs, sessions.',
    ]);
    expect(loaded.settings.limits.maxLines).toBe(7);
  });

  it("[K] a value of a wrong type is ignored, and the other values apply", () => {
    const loaded = load({
      user: {
        limits: { timeoutMs: "fast", importMs: 2_147_483_648, maxLines: 0, maxBytes: 1.5, memoryMb: 200 },
        runtime: "deno",
        tools: { disabled: ["a", 5], paths: "x" },
        mcp: { import: "all" },
        mode: null,
        hooks: [],
        toolLimits: { bash: { timeoutMs: 1e12, defaultMs: 1e12, mostMs: 2_147_483_648, commandBytes: 2_147_483_647 } },
      },
    });
    expect(messages(loaded)).toEqual([
      '3: "limits.timeoutMs" must be a whole number from 1 to 2147483647, not "fast". It is ignored.',
      '4: "limits.importMs" must be a whole number from 1 to 2147483647, not 2147483648. It is ignored.',
      '5: "limits.maxLines" must be a whole number of at least 1, not 0. It is ignored.',
      '6: "limits.maxBytes" must be a whole number of at least 1, not 1.5. It is ignored.',
      '9: "runtime" must be one of "node", "bun", not "deno". It is ignored.',
      '13: "tools.disabled[1]" must be a string, not 5. It is ignored.',
      '15: "tools.paths" must be a list of strings, not "x". It is ignored.',
      '18: "mcp.import" must be true or false or a list of strings, not "all". It is ignored.',
      '20: "mode" must be one of "default", "acceptEdits", "plan", "bypass", "bypassPermissions", not null. It is ignored.',
      '21: "hooks" must be an object, not an empty list. It is ignored.',
      // Node would fire a timer with a longer delay at once.
      ...["timeoutMs", "defaultMs"].map(
        (key, index) =>
          `${24 + index}: "toolLimits.bash.${key}" must be a whole number from 1 to 2147483647, not 1000000000000. It is ignored.`,
      ),
      '26: "toolLimits.bash.mostMs" must be a whole number from 1 to 2147483647, not 2147483648. It is ignored.',
    ]);
    expect(loaded.settings).toMatchObject({ limits: { memoryMb: 200 }, tools: { disabled: ["a"], paths: [] } });
    expect(loaded.settings.toolLimits).toEqual({ bash: { own: { commandBytes: 2_147_483_647 } } });
  });

  it("[K1] hooks are shell commands or argument lists, each with its file; the user's run around the project's", () => {
    const { settings, warnings } = load({
      user: { hooks: { before: [{ tool: "*", command: "u" }], after: [{ tool: "*", command: "u", timeoutMs: 5 }] } },
      project: { hooks: { before: [{ tool: "*", command: ["p", "q"] }], after: [{ tool: "*", command: "p" }] } },
    });
    expect(warnings).toEqual([]);
    expect(settings.hooks.before).toMatchObject([{ command: "u" }, { command: ["p", "q"] }]);
    expect(settings.hooks.after).toMatchObject([{ command: "p" }, { command: "u", timeoutMs: 5 }]);
    expect(settings.hooks.before.map(({ from }) => from)).toEqual([
      expect.stringMatching(/home.*settings\.json$/),
      expect.stringMatching(/\.toolwright.settings\.json$/),
    ]);
    const wrong = load({ user: { hooks: { before: [{ tool: "*", command: 5 }] } } });
    expect(wrong.warnings.map(({ message }) => message)).toEqual([
      '"hooks.before[0].command" must be a string or a list of strings, not 5. "hooks.before[0]" is ignored.',
    ]);
  });

  it.each([
    ["the user's file", { user: { search: { threshold: 5 } } }, 1],
    ["the project's file", { project: { search: { threshold: 5 } } }, 1],
    ["an untrusted project's file", { project: { search: { threshold: 5 } }, trusted: false }, 1],
    ["both files", { user: { search: {} }, project: { search: { threshold: 5 } } }, 2],
    ["an empty object", { user: { search: {} } }, 1],
    ["no file", { user: { hooks: {} }, project: {} }, 0],
  ])("[K1] a setting without effect in this version is reported once per file: %s", (_case, files, times) => {
    const { warnings } = load(files);
    expect(new Set(warnings.map(({ file }) => file)).size).toBe(times);
    const expected = { line: 2, message: '"search" has no effect in this version yet. It is ignored.' };
    expect(warnings).toMatchObject(Array(times).fill(expected));
  });

  it("[P3] an invalid rule is ignored as a whole: without its misspelt match it would allow more", () => {
    const good = { tool: "grep", action: "allow" };
    const loaded = load({
      user: {
        permissions: [
          { tool: "bash", mach: "ls *", action: "allow" },
          { tool: "bash" },
          { tool: 1, action: "deny" },
          good,
        ],
      },
    });
    expect(messages(loaded)).toEqual([
      '5: Unknown setting "permissions[0].mach". Did you mean "permissions[0].match"? "permissions[0]" is ignored.',
      '8: "permissions[1]" needs "action". It is ignored.',
      '12: "permissions[2].tool" must be a string, not 1. "permissions[2]" is ignored.',
    ]);
    expect(loaded.settings.permissions.user).toEqual([good]);
  });

  it("[K1] a wrong setting of an agent or sub-agent is ignored, and the other ones apply", () => {
    const loaded = load({
      user: {
        agents: {
          defalt: "claude",
          modules: "./agents",
          programs: {
            a: "codex-acp --x",
            b: [],
            c: ["./bin/c"],
            d: [""],
            e: ["e"],
            f: [5, "x"],
          },
          idleMs: 0,
        },
        subagents: {
          x: { agent: "claude" },
          y: { agnt: "claude", description: "Y." },
          z: { agent: "claude", description: "Z." },
        },
      },
    });
    expect(messages(loaded)).toEqual([
      '3: Unknown setting "agents.defalt". Did you mean "agents.default"?',
      '6: "agents.programs.a" must be a non-empty list of strings, not "codex-acp --x". It is ignored.',
      '7: "agents.programs.b" must be a non-empty list of strings, not an empty list. It is ignored.',
      '18: "agents.programs.f[0]" must be a string, not 5. "agents.programs.f" is ignored.',
      '22: "agents.idleMs" must be a whole number from 1 to 2147483647, not 0. It is ignored.',
      '25: "subagents.x" needs "description". It is ignored.',
      '28: "subagents.y" needs "agent". It is ignored.',
      '29: Unknown setting "subagents.y.agnt". Did you mean "subagents.y.agent"? "subagents.y" is ignored.',
      '4: "agents.modules" must be a path that is absolute or begins with "~", not "./agents". It is ignored.',
      '8: The program of "agents.programs.c" must be a name on PATH, or a path that is absolute or begins with "~", not "./bin/c". It is ignored.',
      '11: The program of "agents.programs.d" must be a name on PATH, or a path that is absolute or begins with "~", not "". It is ignored.',
    ]);
    expect({ ...loaded.settings.agents.programs }).toEqual({ e: ["e"] });
    expect(loaded.settings.agents).toMatchObject({ idleMs: 300_000 });
    expect(Object.keys(loaded.settings.subagents)).toEqual(["z"]);
  });

  it("[K] a file that is not JSON is reported with its line; it can deny, but not allow", () => {
    const rules = '[{ "tool": "a", "action": "allow" }, { "tool": "b", "action": "deny" }]';
    const loaded = load({
      user: `{\n  "permissions": ${rules}\n  "mode": "bypass",\n  "limits": { "maxLines": 4 },\n  "agents": { "programs": { "a": ["b"] } },\n  "subagents": { "s": { "agent": "a", "description": "d" } }\n}`,
    });
    expect(messages(loaded)).toEqual([
      "3: This is not valid JSON (comma expected). Settings that could be read apply, except those that allow calls or choose agents.",
    ]);
    expect(loaded.settings).toMatchObject({
      permissions: { user: [{ tool: "b" }] },
      mode: { user: "default" },
      limits: { maxLines: 4 },
      agents: { programs: {} },
      subagents: {},
    });
    expect(loaded.settings.agents.programs.a).toBeUndefined();
    expect(loaded.settings.subagents.s).toBeUndefined();
  });

  it("[K] a readable file that is not an object is a warning", () => {
    expect(messages(load({ user: "[]" }))).toEqual([
      '1: "settings" must be an object, not an empty list. It is ignored.',
    ]);
    const root = temporary();
    mkdirSync(join(root, "settings.json"));
    const { warnings } = loadSettings({
      projectRoot: join(root, "project"),
      toolwrightHome: root,
      home: root,
      trusted: true,
    });
    expect(warnings).toEqual([
      { file: join(root, "settings.json"), message: "It is not read: it is not a regular file. Replace it by one." },
    ]);
  });

  it("[X1] hostile settings neither pollute prototypes, nor take long, nor write to the terminal", () => {
    const loaded = load({
      project: '{ "__proto__": { "x": 1 }, "toolLimits": { "__proto__": { "maxLines": 1 } }, "\\u001b[2J": 1 }',
    });
    expect(messages(loaded)[1]).toMatch(/^1: Unknown setting "\\u001b\[2J"\. Known settings: /);
    expect(Object.hasOwn(Object.prototype, "maxLines")).toBe(false);
    expect(({} as { x?: number }).x).toBeUndefined();

    const deep = load({ project: `/**/${"[".repeat(400_000)}` });
    expect(deep.warnings).toHaveLength(1);

    const many = load({ project: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1])) });
    expect(many.warnings).toHaveLength(21);
    expect(many.warnings[20]?.message).toBe("4980 more warnings are not shown.");

    expect(load({ project: " ".repeat(1_000_001) }).warnings[0]?.message).toBe(
      "It is not read: it is larger than 1000000 bytes. Make it smaller.",
    );
  });
});
