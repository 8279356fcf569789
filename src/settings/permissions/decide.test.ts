import { describe, expect, it } from "vitest";
import type { Access } from "../../core/tool.ts";
import { isInside } from "../../platform/files/inside.ts";
import { type Decision, type DecisionAction, decide } from "./decide.ts";
import type { Mode, ProjectPolicy, Rule } from "./rule.ts";

const ROOT = "/work/app";
const MODES: readonly Mode[] = ["default", "acceptEdits", "plan", "bypass"];

const inside: Access = { kind: "read", target: "/work/app/src/a.ts" };
const outside: Access = { kind: "read", target: "/etc/hosts" };
const edit: Access = { kind: "write", target: "/work/app/src/a.ts" };
const editOutside: Access = { kind: "write", target: "/etc/hosts" };
const command: Access = { kind: "execute", target: "git push origin" };
const address: Access = { kind: "network", target: "https://example.com/a/b" };

interface Given {
  rules?: readonly Rule[];
  mode?: Mode;
  project?: ProjectPolicy;
  tool?: string;
  agent?: string;
}

function ask(access: Access | readonly Access[], given: Given = {}): Decision {
  const { rules = [], mode = "default", project, tool = "t", agent = "build" } = given;
  const list = Array.isArray(access) ? access : [access as Access];
  return decide({ user: { rules, mode }, ...(project ? { project } : {}), tool, agent, access: list, root: ROOT });
}

function action(access: Access | readonly Access[], given: Given = {}): DecisionAction {
  return ask(access, given).action;
}

describe("[P3] without a matching rule the mode decides", () => {
  it.each<[string, Access | readonly Access[], Record<Mode, DecisionAction>]>([
    ["a read inside", inside, { default: "allow", acceptEdits: "allow", plan: "allow", bypass: "allow" }],
    [
      "a read outside",
      outside,
      { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "implicit-ask", bypass: "allow" },
    ],
    ["a write inside", edit, { default: "implicit-ask", acceptEdits: "allow", plan: "deny", bypass: "allow" }],
    [
      "a write outside",
      editOutside,
      { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "deny", bypass: "allow" },
    ],
    [
      "a write to a file that runs by itself",
      [{ kind: "write", target: `${ROOT}/packages/a/.git/hooks/pre-commit` }],
      { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "deny", bypass: "allow" },
    ],
    [
      "a write to a file that names programs to start",
      [{ kind: "write", target: `${ROOT}/.MCP.json` }],
      { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "deny", bypass: "allow" },
    ],
    ["a command", command, { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "deny", bypass: "allow" }],
    ["an address", address, { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "deny", bypass: "allow" }],
    [
      "undeclared",
      "undeclared",
      { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "deny", bypass: "allow" },
    ],
    ["nothing", [], { default: "allow", acceptEdits: "allow", plan: "allow", bypass: "allow" }],
    [
      "a read inside and a command",
      [inside, command],
      { default: "implicit-ask", acceptEdits: "implicit-ask", plan: "deny", bypass: "allow" },
    ],
  ])("[P3] %s", (_, access, expected) => {
    for (const mode of MODES) expect(action(access, { mode }), mode).toBe(expected[mode]);
  });
});

describe("[P3] with a matching rule", () => {
  it.each<[Rule["action"], Record<Mode, DecisionAction>]>([
    ["allow", { default: "allow", acceptEdits: "allow", plan: "deny", bypass: "allow" }],
    ["ask", { default: "ask", acceptEdits: "ask", plan: "deny", bypass: "allow" }],
    ["deny", { default: "deny", acceptEdits: "deny", plan: "deny", bypass: "deny" }],
  ])("[P3] %s on a command, in every mode", (verdict, expected) => {
    for (const mode of MODES) {
      expect(action(command, { mode, rules: [{ tool: "t", action: verdict }] }), mode).toBe(expected[mode]);
    }
  });

  it("[P3] plan mode applies rules for reads", () => {
    expect(action(outside, { mode: "plan", rules: [{ tool: "*", match: "/etc/**", action: "allow" }] })).toBe("allow");
    expect(action(inside, { mode: "plan", rules: [{ tool: "*", action: "ask" }] })).toBe("ask");
  });

  it("[P3] the last match wins", () => {
    const rules: Rule[] = [
      { tool: "*", action: "deny" },
      { tool: "t", match: "git *", action: "allow" },
      { tool: "t", match: "git push *", action: "ask" },
      { tool: "other", action: "deny" },
    ];
    expect(action(command, { rules })).toBe("ask");
    expect(action({ kind: "execute", target: "git status" }, { rules })).toBe("allow");
    expect(action({ kind: "execute", target: "ls" }, { rules })).toBe("deny");
    expect(action(command, { rules: rules.toReversed() })).toBe("deny");
  });

  it.each<[string, Rule, Given, boolean]>([
    ["the tool's name", { tool: "t", action: "deny" }, {}, true],
    ["another tool", { tool: "tt", action: "deny" }, {}, false],
    ["a wildcard in the tool", { tool: "git_*", action: "deny" }, { tool: "git_log" }, true],
    ["the agent", { tool: "*", agent: "build", action: "deny" }, {}, true],
    ["another agent", { tool: "*", agent: "plan", action: "deny" }, {}, false],
    ["a wildcard in the agent", { tool: "*", agent: "bu*", action: "deny" }, {}, true],
  ])("[P3] %s", (_, rule, given, matches) => {
    expect(action(inside, { ...given, rules: [rule] })).toBe(matches ? "deny" : "allow");
  });

  it.each<[string, Access, boolean]>([
    ["/work/app/src/a.ts", inside, true],
    ["src/a.ts", inside, true],
    ["./src", inside, true],
    ["src/", inside, true],
    ["sr", inside, false],
    ["src/*", inside, true],
    ["*", inside, true],
    ["*", outside, true],
    ["*", command, true],
    ["**", inside, true],
    ["**", outside, false],
    ["*.ts", inside, false],
    ["**/*.ts", inside, true],
    ["/work/*/src/?.ts", inside, true],
    ["/work/*", inside, false],
    ["/work/app/../app/src/**", inside, true],
    ["/etc", { kind: "read", target: "/etc-secret/x" }, false],
    ["/etc", { kind: "read", target: "/etc/x/y" }, true],
    ["/work/app/**", { kind: "read", target: "/work/app/../../etc/passwd" }, false],
    ["/etc/*", { kind: "read", target: "/work/app/../../etc/passwd" }, true],
    ["git *", command, true],
    ["git push origin", command, true],
    ["git", command, false],
    ["https://example.com/*", address, true],
    ["https://example.com/a/b", address, true],
    ["https://example.com", address, false],
    ["https://example.com", { kind: "network", target: "https://example.com" }, true],
    ["https://EXAMPLE.com/*", address, true],
    ["https://example.com/*", { kind: "network", target: "HTTPS://x:y@Example.com:443/z/../a" }, true],
    ["https://example.com/*", { kind: "network", target: "https://example.com@evil.test/" }, false],
    ["http://*", address, false],
    ["undeclared", { kind: "execute", target: "undeclared" }, false],
    ["undeclared", { kind: "read", target: "/work/app/undeclared" }, false],
    ["./undeclared", { kind: "read", target: "/work/app/undeclared" }, true],
  ])("[P3] match %j on %j: %s", (match, access, matches) => {
    expect(action(access, { rules: [{ tool: "t", match, action: "deny" }] }) === "deny").toBe(matches);
  });

  it('[P3] "undeclared" is matched only by its literal name or a rule without match', () => {
    const denied = (rule: Partial<Rule>): boolean =>
      action("undeclared", { rules: [{ tool: "t", action: "deny", ...rule }] }) === "deny";
    expect(denied({})).toBe(true);
    expect(denied({ match: "undeclared" })).toBe(true);
    expect(denied({ match: "*" })).toBe(false);
    expect(denied({ match: "**" })).toBe(false);
    expect(denied({ match: "un*" })).toBe(false);
  });

  it("[P3] only rules without match apply to a call without access", () => {
    expect(action([], { rules: [{ tool: "t", action: "deny" }] })).toBe("deny");
    expect(action([], { rules: [{ tool: "t", match: "*", action: "deny" }] })).toBe("allow");
  });

  it("[P3] for several accesses, the strictest decision counts, with its rule", () => {
    const rules: Rule[] = [
      { tool: "t", match: "git *", action: "allow" },
      { tool: "t", match: "/etc/**", action: "ask" },
    ];
    const decision = ask([inside, command, outside], { rules });
    expect(decision.action).toBe("ask");
    expect(decision.access).toBe(outside);
    expect(decision.rule).toEqual({ tool: "t", match: "/etc/**", action: "ask", from: "user", index: 1 });
    expect(action([command, { kind: "execute", target: "rm -rf /" }], { rules })).toBe("implicit-ask");
  });
});

describe("[P3] a project can only restrict", () => {
  const rule = (verdict: Rule["action"]): Rule[] => [{ tool: "t", action: verdict }];
  const actions = ["none", "allow", "ask", "deny"] as const;
  const strictness: DecisionAction[] = ["allow", "implicit-ask", "ask", "deny"];

  it.each(actions.flatMap((user) => actions.map((project) => [user, project] as const)))(
    "[P3] user %s, project %s",
    (user, project) => {
      const given = user === "none" ? [] : rule(user);
      const alone = action(command, { rules: given });
      const both = action(command, {
        rules: given,
        project: { rules: project === "none" ? [] : rule(project) },
      });
      const own = project === "none" ? "allow" : project;
      expect(both).toBe(strictness.indexOf(own) > strictness.indexOf(alone) ? own : alone);
    },
  );

  it("[P3] the last match wins within each list, not across both", () => {
    const decision = ask(command, { rules: rule("deny"), project: { rules: rule("allow") } });
    expect(decision.action).toBe("deny");
    expect(decision.rule?.from).toBe("user");
    expect(ask(command, { rules: rule("allow"), project: { rules: rule("ask") } }).rule?.from).toBe("project");
  });

  it.each<[Mode, Mode | undefined, DecisionAction]>([
    ["default", "bypass", "implicit-ask"],
    ["default", "acceptEdits", "implicit-ask"],
    ["acceptEdits", "bypass", "allow"],
    ["acceptEdits", undefined, "allow"],
    ["acceptEdits", "default", "implicit-ask"],
    ["bypass", undefined, "allow"],
    ["bypass", "default", "implicit-ask"],
    ["bypass", "plan", "deny"],
    ["plan", "bypass", "deny"],
  ])("[P3] user's mode %s, project's %s: a write is %s", (mode, projects, expected) => {
    expect(action(edit, { mode, project: { rules: [], ...(projects ? { mode: projects } : {}) } })).toBe(expected);
  });

  it("[P3] a project's deny applies even in the user's bypass mode", () => {
    expect(action(edit, { mode: "bypass", project: { rules: rule("deny") } })).toBe("deny");
    expect(action(edit, { mode: "bypass", project: { rules: rule("ask") } })).toBe("allow");
  });
});

describe("[P3] reasons", () => {
  it.each<[Access | readonly Access[], Given, string]>([
    [inside, {}, 'The tool "t" reading "/work/app/src/a.ts" is allowed: it is inside the project.'],
    [
      edit,
      { mode: "acceptEdits" },
      'The tool "t" writing "/work/app/src/a.ts" is allowed: it is inside the project, and the mode is acceptEdits.',
    ],
    [command, {}, 'The tool "t" running "git push origin" needs approval: no rule covers it.'],
    [
      address,
      { mode: "bypass" },
      'The tool "t" fetching "https://example.com/a/b" is allowed: the mode is bypass and no rule denies it.',
    ],
    ["undeclared", {}, 'The tool "t", which does not declare what it touches, needs approval: no rule covers it.'],
    [[], {}, 'The tool "t", which declares that it touches nothing, is allowed: no rule covers it.'],
    [
      edit,
      { mode: "plan" },
      'The tool "t" writing "/work/app/src/a.ts" is denied: in plan mode only declared reads run. Finish the plan, and ask the user to leave plan mode before carrying it out.',
    ],
    [
      command,
      { rules: [{ tool: "t", match: "git push *", action: "deny" }] },
      `The tool "t" running "git push origin" is denied by the user's rule {"tool":"t","match":"git push *","action":"deny"}. Do not retry it in another form. Find another way, or tell the user which rule denies it.`,
    ],
    [
      command,
      { project: { rules: [{ tool: "*", agent: "build", action: "ask" }] } },
      `The tool "t" running "git push origin" needs approval under the project's rule {"tool":"*","agent":"build","action":"ask"}.`,
    ],
    [
      "undeclared",
      { rules: [{ tool: "t", action: "allow" }] },
      `The tool "t", which does not declare what it touches, is allowed by the user's rule {"tool":"t","action":"allow"}.`,
    ],
  ])("[P3] %j %j", (access, given, reason) => {
    expect(ask(access, given).reason).toBe(reason);
  });

  it("[P3] a long command is shown by its two ends with the number of omitted characters; an approver sees more of it", () => {
    const target = `${"x".repeat(3000)}; rm -rf ~`;
    expect(ask({ kind: "execute", target: target.slice(2000) }).reason).toContain(JSON.stringify(target.slice(2000)));
    expect(ask({ kind: "execute", target }).reason).toBe(
      `The tool "t" running "${"x".repeat(1000)}" (1010 characters left out) "${"x".repeat(990)}; rm -rf ~" needs approval: no rule covers it.`,
    );
    expect(ask({ kind: "execute", target }, { mode: "plan" }).reason).toContain(
      `The tool "t" running "${"x".repeat(100)}" (2810 characters left out) "${"x".repeat(90)}; rm -rf ~" is denied`,
    );
  });
});

describe("[P3] inside a folder", () => {
  it.each<[string, string, boolean]>([
    ["/data", "/data", true],
    ["/data", "/data/", true],
    ["/data", "/data/a/b", true],
    ["/data/", "/data/a", true],
    ["/data", "/data-secret", false],
    ["/data", "/data/../etc", false],
    ["/data", "/data/..a", true],
    ["/data", "/", false],
    ["/", "/a", true],
    ["/data", "a", false],
    ["/data", "", false],
  ])("[P3] %s %s: %s", (folder, path, expected) => {
    expect(isInside(folder, path)).toBe(expected);
  });
});

describe("[P3] a command that a wildcard rule does not cover", () => {
  const rules: readonly Rule[] = [
    { tool: "*", match: "git *", action: "allow" },
    { tool: "other", match: "*", action: "allow" },
  ];
  const reasonOf = (target: string): string => ask({ kind: "execute", target }, { rules }).reason;

  it("is reported with the rule and with advice", () => {
    expect(reasonOf("git log | head")).toBe(
      'The tool "t" running "git log | head" needs approval: a wildcard that allows, as in the user\'s rule {"tool":"*","match":"git *","action":"allow"}, covers one command with plain arguments. Send one command without operators, redirections and substitutions, or ask the user.',
    );
  });

  it("is reported with the word of git that no wildcard covers", () => {
    expect(reasonOf("git log --output=a")).toBe(
      'The tool "t" running "git log --output=a" needs approval: a wildcard that allows, as in the user\'s rule {"tool":"*","match":"git *","action":"allow"}, does not cover "--output=a", with which git can run programs or write files. Leave it out, or ask the user.',
    );
  });

  it("is reported without rules for other commands and tools", () => {
    expect(reasonOf("npm test | head")).toBe(
      'The tool "t" running "npm test | head" needs approval: no rule covers it.',
    );
  });
});
