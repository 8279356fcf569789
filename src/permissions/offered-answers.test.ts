import { describe, expect, it } from "vitest";
import type { Access, AskRequest } from "../core/tool.ts";
import { type DecideRequest, decide } from "./decide.ts";
import { isOfferedTo } from "./offered.ts";
import { askedFor, type Offer, offerFor, proposedBy } from "./offered-answers.ts";
import type { Rule } from "./rule.ts";

const ROOT = "/work/app";
const write: Access = { kind: "write", target: "/work/app/a*b.ts" };
const read: Access = { kind: "read", target: "/work/app/c.ts" };

function standing(access: DecideRequest["access"], more: Partial<DecideRequest> = {}): DecideRequest {
  return { user: { rules: [], mode: "default" }, tool: "t", agent: "", access, root: ROOT, ...more };
}

const rules = (...list: Rule[]): Partial<DecideRequest> => ({ user: { rules: list, mode: "default" } });

describe("[P3] what a yes may be remembered as", () => {
  it.each<[string, DecideRequest, Offer]>([
    [
      "just what is open, and no wildcard in it",
      standing([read, write]),
      {
        choices: ["once", "session", "always"],
        rules: [{ tool: "t", match: "/work/app/a[*]b.ts", action: "allow" }],
      },
    ],
    [
      "a command",
      standing([{ kind: "execute", target: "rm *" }]),
      { choices: ["once", "session", "always"], rules: [{ tool: "t", match: "rm [*]", action: "allow" }] },
    ],
    [
      "an address, without the password in it",
      standing([{ kind: "network", target: "HTTP://me:secret@Localhost/a?b", named: true }]),
      {
        choices: ["once", "session", "always"],
        rules: [{ tool: "t", match: "http://localhost/a[?]b", action: "allow" }],
      },
    ],
    [
      "undeclared",
      standing(["undeclared"]),
      { choices: ["once", "session", "always"], rules: [{ tool: "t", match: "undeclared", action: "allow" }] },
    ],
    [
      "only for the agent, and those it acts for",
      standing(["undeclared"], { agent: "helper", parents: ["build"] }),
      {
        choices: ["once", "session", "always"],
        rules: [
          { tool: "t", match: "undeclared", agent: "helper", action: "allow" },
          { tool: "t", match: "undeclared", agent: "build", action: "allow" },
        ],
      },
    ],
    [
      "nothing that could be named",
      standing([], rules({ tool: "t", action: "ask" })),
      { choices: ["once"], rules: [] },
    ],
    [
      "not always, where the project asks",
      standing([write], { project: { rules: [{ tool: "t", action: "ask" }] } }),
      { choices: ["once", "session"], rules: [{ tool: "t", match: "/work/app/a[*]b.ts", action: "allow" }] },
    ],
    [
      "not always, where that would undo what the user denies to others",
      standing([write], rules({ tool: "t", agent: "explore", action: "deny" })),
      { choices: ["once", "session"], rules: [{ tool: "t", match: "/work/app/a[*]b.ts", action: "allow" }] },
    ],
    [
      "a command that no rule can name",
      standing([{ kind: "execute", target: "undeclared" }]),
      { choices: ["once"], rules: [] },
    ],
  ])("[P3] %s", (_, request, offer) => {
    expect(offerFor(request)).toEqual(offer);
  });

  it("[P3] not always, where nobody would read all of it", () => {
    const many = Array.from({ length: 21 }, (_, at): Access => ({ kind: "execute", target: `run ${at}` }));
    expect(offerFor(standing(many)).choices).toEqual(["once", "session"]);
    expect(offerFor(standing(many.slice(1))).choices).toEqual(["once", "session", "always"]);
  });

  it("[P3] not always, where a rule about a folder would undo what is denied in it", () => {
    const folder = standing([write], rules({ tool: "*", match: "**/*.pem", action: "deny" }));
    expect(offerFor(folder, { isFolder: () => true }).choices).toEqual(["once", "session"]);
    expect(offerFor(folder, { isFolder: () => false }).choices).toEqual(["once", "session", "always"]);
    expect(offerFor(standing([write]), { isFolder: () => true }).choices).toEqual(["once", "session", "always"]);
  });

  it("[P3] what is remembered answers the same, and nothing else", () => {
    const { rules: granted } = offerFor(standing([write], { agent: "build" }));
    const again = (more: Partial<DecideRequest>): string =>
      decide(standing([write], { agent: "build", granted, ...more })).action;
    expect(again({})).toBe("allow");
    expect(decide(standing([write], { agent: "build", granted })).reason).toBe(
      'The tool "t" writing "/work/app/a*b.ts" is allowed: a person has said yes to it for this session.',
    );
    expect(again(rules({ tool: "*", action: "ask" }))).toBe("allow");
    expect(again({ project: { rules: [{ tool: "*", action: "ask" }] } })).toBe("allow");
    expect(again(rules({ tool: "*", action: "deny" }))).toBe("deny");
    expect(again({ user: { rules: [], mode: "plan" } })).toBe("deny");
    expect(again({ access: [{ kind: "write", target: "/work/app/aXb.ts" }] })).toBe("implicit-ask");
    expect(again({ agent: "other" })).toBe("implicit-ask");
    expect(again({ tool: "u" })).toBe("implicit-ask");
    expect(again({ parents: ["above"] })).toBe("implicit-ask");
  });
});

describe("[P3] what a tool asks for by itself", () => {
  const request: AskRequest = { permission: "deploy", patterns: ["prod", "a*b"] };
  const decided = (...list: Rule[]): string => decide(standing(askedFor(request), rules(...list))).action;

  it("[P3] is put to a person in every mode, whatever is allowed in general", () => {
    for (const mode of ["default", "acceptEdits", "plan", "bypass"] as const) {
      const general: Rule[] = [
        { tool: "*", action: "allow" },
        { tool: "*", match: "*", action: "allow" },
      ];
      expect(decide(standing(askedFor(request), { user: { rules: general, mode } })).action).toBe("ask");
    }
  });

  it("[P3] a rule of its own answers it, and only that", () => {
    expect(decided({ tool: "t", match: "ask:deploy:*", action: "allow" })).toBe("allow");
    expect(decided({ tool: "t", match: "ask:deploy:prod", action: "allow" })).toBe("ask");
    expect(decided({ tool: "t", match: "ask:*", action: "deny" })).toBe("deny");
    const touched = standing([{ kind: "execute", target: "deploy:prod" }]);
    expect(decide({ ...touched, ...rules({ tool: "t", match: "ask:deploy:*", action: "allow" }) }).action).toBe(
      "implicit-ask",
    );
  });

  it("[P3] remembered is what it proposes, else just what it asked for", () => {
    const asked = standing(askedFor(request));
    expect(offerFor(asked, { proposed: proposedBy({ ...request, always: ["*"] }) }).rules).toEqual([
      { tool: "t", match: "ask:deploy:*", action: "allow" },
    ]);
    expect(offerFor(asked, { proposed: proposedBy(request) }).rules).toEqual([
      { tool: "t", match: "ask:deploy:prod", action: "allow" },
      { tool: "t", match: "ask:deploy:a[*]b", action: "allow" },
    ]);
    // What it proposes is of no use for what it asks.
    expect(offerFor(asked, { proposed: proposedBy({ ...request, always: ["other"] }) })).toEqual({
      choices: ["once"],
      rules: [],
    });
    // What it proposes is more than it asks, and part of that is denied.
    const denied = rules({ tool: "t", match: "ask:deploy:moon", action: "deny" });
    const wide = proposedBy({ ...request, always: ["*"] });
    expect(offerFor({ ...asked, ...denied }, { proposed: wide }).choices).toEqual(["once", "session"]);
    const bare = { permission: "deploy", patterns: [] };
    expect(offerFor(standing(askedFor(bare))).rules).toEqual([{ tool: "t", match: "ask:deploy:", action: "allow" }]);
  });
});

describe("[R2] tools for some providers and models", () => {
  it.each<[readonly string[] | undefined, string, boolean]>([
    [undefined, "anthropic", true],
    [[], "anthropic", false],
    [["anthropic"], "anthropic", true],
    [["anthropic"], "anthropic/claude-5", true],
    [["anthropic"], "openai", false],
    [["openai/gpt-*"], "openai/gpt-5", true],
    [["openai/gpt-*"], "openai/o5", false],
    [["openai/gpt-*"], "openai", false],
    [["*/gpt-*"], "azure/gpt-5", true],
    [["open*"], "openrouter/a/b", true],
    [["openrouter/a/*"], "openrouter/a/b", true],
  ])("[R2] %j for %s: %s", (providers, model, expected) => {
    expect(isOfferedTo(providers, model)).toBe(expected);
  });
});
