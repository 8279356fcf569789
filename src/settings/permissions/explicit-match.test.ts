import { describe, expect, it } from "vitest";
import type { DeclaredAccess } from "../../core/tool.ts";
import { type Decision, type DecisionAction, decide } from "./decide.ts";
import { matchesExplicitly } from "./explicit-match.ts";
import type { Mode, Rule } from "./rule.ts";

const ROOT = "/work/app";
const MODES: readonly Mode[] = ["default", "acceptEdits", "plan", "bypass"];
const ALLOW: Rule = { tool: "*", action: "allow" };

const things = {
  "a read inside": { kind: "read", target: "/work/app/a.ts", named: true },
  "a read outside": { kind: "read", target: "/etc/passwd", named: true },
  "a write inside": { kind: "write", target: "/work/app/a.ts", named: true },
  "a write outside": { kind: "write", target: "/etc/passwd", named: true },
  "a command": { kind: "execute", target: "git push", named: true },
  "an address": { kind: "network", target: "http://127.0.0.1:3000/a", named: true },
} as const satisfies Record<string, DeclaredAccess>;
type Thing = keyof typeof things;

const naming: Record<Thing, string> = {
  "a read inside": "a.ts",
  "a read outside": "/etc/**",
  "a write inside": "a.ts",
  "a write outside": "/etc/passwd",
  "a command": "git *",
  "an address": "http://127.0.0.1:*/*",
};

function on(
  thing: Thing,
  mode: Mode,
  rules: readonly Rule[],
  more: Partial<Parameters<typeof decide>[0]> = {},
): Decision {
  const access = [things[thing]];
  return decide({ user: { rules, mode }, tool: "t", agent: "build", access, root: ROOT, ...more });
}

/** The decisions in the modes default, acceptEdits, plan and bypass. */
function row(text: string): DecisionAction[] {
  const words = { a: "allow", i: "implicit-ask", "?": "ask", d: "deny" } as const;
  return [...text].map((letter) => words[letter as keyof typeof words]);
}

describe("[P3] [B8] [B13] access that a general allow rule does not cover", () => {
  /** For each access: no rule, a general allow, a general ask, a general deny, an allow that names it. */
  it.each<[Thing, string, string, string, string, string]>([
    ["a read inside", "aaaa", "aaaa", "???a", "dddd", "aaaa"],
    ["a read outside", "????", "????", "????", "dddd", "aaaa"],
    ["a write inside", "iada", "aada", "??da", "dddd", "aada"],
    ["a write outside", "??d?", "??d?", "??d?", "dddd", "aada"],
    ["a command", "??d?", "??d?", "??d?", "dddd", "aada"],
    ["an address", "??d?", "??d?", "??d?", "dddd", "aada"],
  ])("[P3] %s", (thing, none, allow, ask, deny, named) => {
    const decided = (...rules: Rule[]): DecisionAction[] => MODES.map((mode) => on(thing, mode, rules).action);
    const all = { tool: "*" } as const;
    const by = { tool: "t", match: naming[thing] } as const;
    expect(decided(), "no rule").toEqual(row(none));
    expect(decided({ ...all, action: "allow" }), "allow").toEqual(row(allow));
    expect(decided({ ...all, match: "*", action: "allow" }), "allow *").toEqual(row(allow));
    expect(decided({ ...all, action: "ask" }), "ask").toEqual(row(ask));
    expect(decided({ ...all, action: "deny" }), "deny").toEqual(row(deny));
    expect(decided({ ...by, action: "allow" }), "named").toEqual(row(named));
    expect(decided({ ...by, action: "allow" }, { ...all, action: "allow" }), "named, then allow").toEqual(row(named));
    expect(decided({ ...by, action: "allow" }, { ...all, action: "ask" }), "named, then ask").toEqual(row(ask));
    expect(decided({ ...by, action: "allow" }, { ...all, action: "deny" }), "named, then deny").toEqual(row(deny));
    const took = [
      { ...by, action: "allow" },
      { ...all, action: "deny" },
      { ...all, action: "allow" },
    ] as const;
    expect(decided(...took), "named, taken back, then allow").toEqual(row(allow));
  });

  it("[B13] every root of the project is inside the project", () => {
    const roots = [ROOT, "/etc"];
    expect(on("a read outside", "default", [], { roots }).action).toBe("allow");
    expect(on("a write outside", "bypass", [], { roots }).action).toBe("allow");
  });

  it("[P3] an allow rule of the project does not replace a rule of the user", () => {
    const project = { rules: [{ tool: "t", match: "/etc/**", action: "allow" }] as const };
    expect(on("a read outside", "default", [ALLOW], { project }).action).toBe("ask");
  });

  it.each<[Thing, string]>([
    [
      "a read outside",
      'The tool "t" reading "/etc/passwd" needs a person\'s approval: it is outside the project, and no rule names that path.',
    ],
    [
      "a write outside",
      'The tool "t" writing "/etc/passwd" needs a person\'s approval: it is outside the project, and no rule names that path.',
    ],
    [
      "a command",
      'The tool "t" running "git push" needs a person\'s approval: a general rule is not enough, and no rule names that command.',
    ],
    [
      "an address",
      'The tool "t" fetching "http://127.0.0.1:3000/a" needs a person\'s approval: a general rule is not enough, and no rule names that address.',
    ],
  ])("[P3] %s: the reason", (thing, reason) => {
    expect(on(thing, "bypass", [ALLOW])).toMatchObject({ ground: "unnamed", reason });
  });
});

describe("[B8] [B13] patterns that count as naming a target", () => {
  it.each<[DeclaredAccess["kind"], string | undefined, boolean]>([
    ["read", undefined, false],
    ["read", "*", false],
    ["read", "/", false],
    ["read", "/**", false],
    ["read", "/*/**", false],
    ["read", "/**/*.*", false],
    ["read", "/*", false],
    ["read", "/?*", false],
    ["read", "/**/.*", false],
    ["read", "../../../../**", false],
    ["read", "~/**", true],
    ["read", "/etc", true],
    ["read", "/etc/**", true],
    ["read", "/**/*.pem", true],
    ["read", "../other", true],
    ["write", "/-", true],
    ["execute", "*", false],
    ["execute", "* *", false],
    ["execute", "git *", true],
  ])("[B8] %s %s: %s", (kind, match, expected) => {
    const rule: Rule = { tool: "t", ...(match === undefined ? {} : { match }), action: "allow" };
    expect(matchesExplicitly(rule, { kind, target: "x" }, { root: ROOT, home: "/home/me" })).toBe(expected);
  });
});

describe("[B8] [X1] patterns that count as naming a private address", () => {
  const local = "http://127.0.0.1:3000/a";
  const localhost = "http://localhost:3000/a";
  const rebound = "http://rebind.evil.com:3000/a";
  const sixth = "http://[::1]:3000/a";
  const mapped = "http://[::ffff:127.0.0.1]:3000/a";

  it.each<[string, string]>([
    ["http://127.0.0.1:3000/a", local],
    ["http://127.0.0.1:3000/*", local],
    ["http://127.0.0.1:*/*", local],
    ["*://127.0.0.1:*/*", local],
    ["http*://127.0.0.1:3000/*", local],
    ["http://127.0.0.1:300?/*", local],
    ["http://localhost:*/*", localhost],
    ["HTTP://LocalHost:*/*", localhost],
    ["http://localhost.:*/*", localhost],
    ["http://localhost/*", "http://localhost/"],
    ["http://rebind.evil.com:*/*", rebound],
    ["http://rebind.evil.com:3000/a", rebound],
    ["http://[::1]:*/*", sixth],
    ["http://[::ffff:7f00:1]:*/*", mapped],
    ["http://b\u00fccher.internal/*", "http://xn--bcher-kva.internal/"],
    ["http://xn--bcher-kva.internal/*", "http://b\u00fccher.internal/"],
  ])("[B8] %s names %s", (match, target) => {
    expect(decided(match, target)).toBe("allow");
  });

  it.each<[string, string]>([
    ["*", local],
    ["http*", local],
    ["http://*", local],
    ["http://*/*", local],
    ["http://*:3000/*", local],
    ["http://*/127.0.0.1/*", "http://10.0.0.1/127.0.0.1/a"],
    ["http://*.com:*/*", rebound],
    ["http://*.evil.com:*/*", rebound],
    ["http://rebind.*.com:*/*", rebound],
    ["http://rebind.evil.c?m:*/*", rebound],
    ["http://rebind.evil.com*", rebound],
    ["*rebind.evil.com*", rebound],
    ["*rebind.evil.com:3000/*", rebound],
    ["*://*rebind.evil.com:*/*", rebound],
    ["http*rebind.evil.com:*/*", rebound],
    ["*localhost*", localhost],
    ["http://localhost*", localhost],
    ["http://localhost*", "http://localhost.evil.com/"],
    ["http://*host:*/*", localhost],
    ["http://127.0.0.1*", local],
    ["http://127.0.0.1*", "http://127.0.0.1.evil.com/"],
    ["http://127.0.0.*:*/*", local],
    ["http://127.*:*/*", local],
    ["http://localhost@*/*", localhost],
    ["http://localhost@evil.com/*", "http://evil.com/"],
    ["http://localhost:*@evil.com/*", "http://evil.com/"],
    ["http://[::*]:*/*", sixth],
    ["http://127.0.0.1:*/*", mapped],
    ["http://127.0.0.1:*/*", localhost],
    ["http://localhost:*/*", local],
    ["http://2130706433:*/*", local],
    ["http://0x7f.1:*/*", local],
    ["http://*.internal/*", "http://db.internal/"],
  ])("[X1] %s does not name %s", (match, target) => {
    expect(decided(match, target)).toBe("ask");
  });

  function decided(match: string, target: string): DecisionAction {
    const rules: Rule[] = [{ tool: "t", match, action: "allow" }];
    const access = [{ kind: "network", target, named: true }] as const;
    return decide({ user: { rules, mode: "bypass" }, tool: "t", agent: "", access, root: ROOT }).action;
  }

  it("[B8] a rule with a wildcard in its host still allows a public address", () => {
    const rules: Rule[] = [{ tool: "t", match: "https://*.example.com/*", action: "allow" }];
    const access = [{ kind: "network", target: "https://docs.example.com/a" }] as const;
    const { action } = decide({ user: { rules, mode: "default" }, tool: "t", agent: "", access, root: ROOT });
    expect(action).toBe("allow");
  });
});

describe("[X1] a star before the path of a URL matches no part of the path", () => {
  it.each<[string, string, boolean]>([
    ["https://*.example.com/*", "https://a.example.com/b/c", true],
    ["https://*.example.com/*", "https://evil.test/x.example.com/", false],
    ["https://*.example.com/*", "https://evil.test/?a.example.com/", false],
    ["https://*", "https://a.example.com/b/c", true],
    ["*example.com/*", "https://a.example.com/b", true],
    ["HTTPS://*.Example.com/B*", "https://a.example.com/B1", true],
    ["https://*.example.com/B*", "https://a.example.com/b1", false],
  ])("[X1] %s %s: %s", (match, target, expected) => {
    const rules: Rule[] = [{ tool: "t", match, action: "deny" }];
    const access = [{ kind: "network", target }] as const;
    const { action } = decide({ user: { rules, mode: "default" }, tool: "t", agent: "", access, root: ROOT });
    expect(action === "deny").toBe(expected);
  });
});
