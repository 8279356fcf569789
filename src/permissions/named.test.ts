import { describe, expect, it } from "vitest";
import type { DeclaredAccess } from "../core/tool.ts";
import { type Decision, type DecisionAction, decide } from "./decide.ts";
import { namesIt } from "./names.ts";
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

/** What is decided in the modes default, acceptEdits, plan and bypass. */
function row(text: string): DecisionAction[] {
  const words = { a: "allow", i: "implicit-ask", "?": "ask", d: "deny" } as const;
  return [...text].map((letter) => words[letter as keyof typeof words]);
}

describe("[P3] [B8] [B13] where a general yes is not enough", () => {
  /** For each: no rule, a general allow, a general ask, a general deny, an allow that names it. */
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

  it("[B13] the project is every folder that counts as one", () => {
    const roots = [ROOT, "/etc"];
    expect(on("a read outside", "default", [], { roots }).action).toBe("allow");
    expect(on("a write outside", "bypass", [], { roots }).action).toBe("allow");
  });

  it("[P3] a project's rule names nothing for the user", () => {
    const project = { rules: [{ tool: "t", match: "/etc/**", action: "allow" }] as const };
    expect(on("a read outside", "default", [ALLOW], { project }).action).toBe("ask");
  });

  it.each<[Thing, string]>([
    [
      "a read outside",
      'The tool "t" reading "/etc/passwd" needs a person\'s yes: it is outside the project, and no rule names that place.',
    ],
    [
      "a write outside",
      'The tool "t" writing "/etc/passwd" needs a person\'s yes: it is outside the project, and no rule names that place.',
    ],
    [
      "a command",
      'The tool "t" running "git push" needs a person\'s yes: a general yes is not enough for it, and no rule names that command.',
    ],
    [
      "an address",
      'The tool "t" fetching "http://127.0.0.1:3000/a" needs a person\'s yes: a general yes is not enough for it, and no rule names that address.',
    ],
  ])("[P3] %s: the reason", (thing, reason) => {
    expect(on(thing, "bypass", [ALLOW])).toMatchObject({ ground: "unnamed", reason });
  });
});

describe("[B8] [B13] what names a thing", () => {
  it.each<[DeclaredAccess["kind"], string | undefined, boolean]>([
    ["read", undefined, false],
    ["read", "*", false],
    ["read", "/", false],
    ["read", "/**", false],
    ["read", "/*/**", false],
    ["read", "/**/*.*", false],
    ["read", "/etc", true],
    ["read", "/etc/**", true],
    ["read", "/**/*.pem", true],
    ["read", "../other", true],
    ["write", "/-", true],
    ["network", "*", false],
    ["network", "http*", false],
    ["network", "http://*", false],
    ["network", "http://*/*", false],
    ["network", "http://*:8080/*", false],
    ["network", "http://*/127.0.0.1/*", false],
    ["network", "http://*host/*", false],
    ["network", "http://localhost/*", true],
    ["network", "*://localhost:*/*", true],
    ["network", "http://*.internal/*", true],
    ["network", "http://127.0.0.1:3000/", true],
    ["network", "http://[::1]:3000/*", true],
    ["execute", "*", false],
    ["execute", "* *", false],
    ["execute", "git *", true],
  ])("[B8] %s %s: %s", (kind, match, expected) => {
    const rule: Rule = { tool: "t", ...(match === undefined ? {} : { match }), action: "allow" };
    expect(namesIt(rule, { kind, target: "x" }, { root: ROOT })).toBe(expected);
  });
});

describe("[X1] a star before the path of an address stays before it", () => {
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
