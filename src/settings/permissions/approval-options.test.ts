import { describe, expect, it } from "vitest";
import type { Access, AskRequest } from "../../core/tool.ts";
import { type ApprovalOptions, approvalOptions, proposedMatches, requestedAccess } from "./approval-options.ts";
import { type DecideRequest, decide } from "./decide.ts";
import type { Rule } from "./rule.ts";

const ROOT = "/work/app";
const write: Access = { kind: "write", target: "/work/app/a*b.ts" };
const read: Access = { kind: "read", target: "/work/app/c.ts" };

function toRequest(access: DecideRequest["access"], more: Partial<DecideRequest> = {}): DecideRequest {
  return { user: { rules: [], mode: "default" }, tool: "t", agent: "", access, root: ROOT, ...more };
}

const rules = (...list: Rule[]): Partial<DecideRequest> => ({ user: { rules: list, mode: "default" } });

describe("[P3] the rules that an approval may add", () => {
  it.each<[string, DecideRequest, ApprovalOptions]>([
    [
      "just what is open, and no wildcard in it",
      toRequest([read, write]),
      {
        choices: ["once", "session", "always"],
        rules: [{ tool: "t", match: "/work/app/a[*]b.ts", action: "allow" }],
      },
    ],
    [
      "a command",
      toRequest([{ kind: "execute", target: "rm *" }]),
      { choices: ["once", "session", "always"], rules: [{ tool: "t", match: "rm [*]", action: "allow" }] },
    ],
    [
      "an address, without the password in it",
      toRequest([{ kind: "network", target: "HTTP://me:secret@Localhost/a?b", named: true }]),
      {
        choices: ["once", "session", "always"],
        rules: [{ tool: "t", match: "http://localhost/a[?]b", action: "allow" }],
      },
    ],
    [
      "undeclared",
      toRequest(["undeclared"]),
      { choices: ["once", "session", "always"], rules: [{ tool: "t", match: "undeclared", action: "allow" }] },
    ],
    [
      "only for the agent, and those it acts for",
      toRequest(["undeclared"], { agent: "helper", parents: ["build"] }),
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
      toRequest([], rules({ tool: "t", action: "ask" })),
      { choices: ["once"], rules: [] },
    ],
    [
      "not always, where the project asks",
      toRequest([write], { project: { rules: [{ tool: "t", action: "ask" }] } }),
      { choices: ["once", "session"], rules: [{ tool: "t", match: "/work/app/a[*]b.ts", action: "allow" }] },
    ],
    [
      "not always, where that would undo what the user denies to others",
      toRequest([write], rules({ tool: "t", agent: "explore", action: "deny" })),
      { choices: ["once", "session"], rules: [{ tool: "t", match: "/work/app/a[*]b.ts", action: "allow" }] },
    ],
    [
      "a command that no rule can name",
      toRequest([{ kind: "execute", target: "undeclared" }]),
      { choices: ["once"], rules: [] },
    ],
  ])("[P3] %s", (_, request, offer) => {
    expect(approvalOptions(request)).toEqual(offer);
  });

  it('[P3] no "always" if there are too many rules to read', () => {
    const many = Array.from({ length: 21 }, (_, at): Access => ({ kind: "execute", target: `run ${at}` }));
    expect(approvalOptions(toRequest(many)).choices).toEqual(["once", "session"]);
    expect(approvalOptions(toRequest(many.slice(1))).choices).toEqual(["once", "session", "always"]);
  });

  it('[P3] no "always" if a rule for a folder would override a denial inside it', () => {
    const folder = toRequest([write], rules({ tool: "*", match: "**/*.pem", action: "deny" }));
    expect(approvalOptions(folder, { isFolder: () => true }).choices).toEqual(["once", "session"]);
    expect(approvalOptions(folder, { isFolder: () => false }).choices).toEqual(["once", "session", "always"]);
    expect(approvalOptions(toRequest([write]), { isFolder: () => true }).choices).toEqual([
      "once",
      "session",
      "always",
    ]);
  });

  it("[P3] the added rules allow the same access, and no other", () => {
    const { rules: granted } = approvalOptions(toRequest([write], { agent: "build" }));
    const again = (more: Partial<DecideRequest>): string =>
      decide(toRequest([write], { agent: "build", granted, ...more })).action;
    expect(again({})).toBe("allow");
    expect(decide(toRequest([write], { agent: "build", granted })).reason).toBe(
      'The tool "t" writing "/work/app/a*b.ts" is allowed: a person has approved it for this session.',
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

describe("[P3] a permission that a tool requests itself", () => {
  const request: AskRequest = { permission: "deploy", patterns: ["prod", "a*b"] };
  const decided = (...list: Rule[]): string => decide(toRequest(requestedAccess(request), rules(...list))).action;

  it("[P3] is asked about in every mode, even if general rules allow everything", () => {
    for (const mode of ["default", "acceptEdits", "plan", "bypass"] as const) {
      const general: Rule[] = [
        { tool: "*", action: "allow" },
        { tool: "*", match: "*", action: "allow" },
      ];
      expect(decide(toRequest(requestedAccess(request), { user: { rules: general, mode } })).action).toBe("ask");
    }
  });

  it('[P3] is decided by a rule with the prefix "ask:", which decides no other access', () => {
    expect(decided({ tool: "t", match: "ask:deploy:*", action: "allow" })).toBe("allow");
    expect(decided({ tool: "t", match: "ask:deploy:prod", action: "allow" })).toBe("ask");
    expect(decided({ tool: "t", match: "ask:*", action: "deny" })).toBe("deny");
    const touched = toRequest([{ kind: "execute", target: "deploy:prod" }]);
    expect(decide({ ...touched, ...rules({ tool: "t", match: "ask:deploy:*", action: "allow" }) }).action).toBe(
      "implicit-ask",
    );
  });

  it("[P3] is approved with the rules that the tool proposes, otherwise with exactly what was requested", () => {
    const asked = toRequest(requestedAccess(request));
    expect(approvalOptions(asked, { proposed: proposedMatches({ ...request, always: ["*"] }) }).rules).toEqual([
      { tool: "t", match: "ask:deploy:*", action: "allow" },
    ]);
    expect(approvalOptions(asked, { proposed: proposedMatches(request) }).rules).toEqual([
      { tool: "t", match: "ask:deploy:prod", action: "allow" },
      { tool: "t", match: "ask:deploy:a[*]b", action: "allow" },
    ]);
    // The proposed rule does not cover the request.
    expect(approvalOptions(asked, { proposed: proposedMatches({ ...request, always: ["other"] }) })).toEqual({
      choices: ["once"],
      rules: [],
    });
    // The proposed rule covers more than the request, and part of that is denied.
    const denied = rules({ tool: "t", match: "ask:deploy:moon", action: "deny" });
    const wide = proposedMatches({ ...request, always: ["*"] });
    expect(approvalOptions({ ...asked, ...denied }, { proposed: wide }).choices).toEqual(["once", "session"]);
    const bare = { permission: "deploy", patterns: [] };
    expect(approvalOptions(toRequest(requestedAccess(bare))).rules).toEqual([
      { tool: "t", match: "ask:deploy:", action: "allow" },
    ]);
  });
});
