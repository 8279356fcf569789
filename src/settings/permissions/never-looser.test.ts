import { describe, expect, it } from "vitest";
import { random } from "../../../test/support/random.ts";
import type { Access } from "../../core/tool.ts";
import { approvalOptions } from "./approval-options.ts";
import { type DecideRequest, type DecisionAction, decide, decideEach } from "./decide.ts";
import type { Mode, Rule } from "./rule.ts";

const STRICTNESS: readonly DecisionAction[] = ["allow", "implicit-ask", "ask", "deny"];
const ROUNDS = 4_000;

const PATHS = ["/work/app/src/a.ts", "/work/app/b.ts", "/etc/passwd", "/work/app-secret/x", "/work/app/a*b"];
const COMMANDS = ["git push", "git status", "rm -rf /", "a ? b"];
const ADDRESSES = ["https://example.com/a", "http://127.0.0.1:3000/", "http://10.0.0.1/b?c"];
const MATCHES = ["*", "**", "src/**", "/etc", "/**", "git *", "rm*", "https://*", "http://127.0.0.1:*/*", "undeclared"];
const AGENTS = ["", "build", "plan", "explore"];

class Cases {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)] as T;
  }

  chance(of: number): boolean {
    return this.#next() < of;
  }

  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: Math.floor(this.#next() * (most + 1)) }, make);
  }

  rule(): Rule {
    return {
      tool: this.one(["*", "t", "t*", "other"]),
      ...(this.chance(0.7) ? { match: this.one(MATCHES) } : {}),
      ...(this.chance(0.3) ? { agent: this.one(["build", "*", "p*"]) } : {}),
      action: this.one(["allow", "ask", "deny"]),
    };
  }

  access(): Access {
    if (this.chance(0.1)) return "undeclared";
    const kind = this.one(["read", "write", "execute", "network"] as const);
    const target = this.one(kind === "execute" ? COMMANDS : kind === "network" ? ADDRESSES : PATHS);
    return { kind, target, ...(this.chance(0.4) ? { named: true } : {}) };
  }

  mode(): Mode {
    return this.one(["default", "acceptEdits", "plan", "bypass"]);
  }

  request(): DecideRequest {
    return {
      user: { rules: this.some(4, () => this.rule()), mode: this.mode() },
      tool: "t",
      agent: this.one(AGENTS),
      access: this.some(3, () => this.access()),
      root: "/work/app",
    };
  }
}

const strictness = (request: DecideRequest): number => STRICTNESS.indexOf(decide(request).action);

describe("[P3] [X1] for random rules", () => {
  it("[P3] a project's rules and mode never allow more", () => {
    const cases = new Cases(1);
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = cases.request();
      const mode = cases.chance(0.5) ? { mode: cases.mode() } : {};
      const project = { rules: cases.some(4, () => cases.rule()), ...mode };
      const shown = JSON.stringify({ ...request, project });
      expect(strictness({ ...request, project }), shown).toBeGreaterThanOrEqual(strictness(request));
    }
  });

  it("[P3] acting for other agents never allows more, and their order does not matter", () => {
    const cases = new Cases(2);
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = cases.request();
      const parents = cases.some(3, () => cases.one(AGENTS));
      const chained = strictness({ ...request, parents });
      expect(chained, JSON.stringify({ ...request, parents })).toBeGreaterThanOrEqual(strictness(request));
      expect(strictness({ ...request, parents: parents.toReversed() })).toBe(chained);
    }
  });

  it("[P3] an access that must be named is never decided less strictly", () => {
    const cases = new Cases(3);
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = cases.request();
      const plain = request.access.map((each) => (each === "undeclared" ? each : { ...each, named: false }));
      expect(strictness(request), JSON.stringify(request)).toBeGreaterThanOrEqual(
        strictness({ ...request, access: plain }),
      );
    }
  });

  it("[P3] the rules of an approval allow the same call, and override no denial", () => {
    const cases = new Cases(4);
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = { ...cases.request(), parents: cases.some(1, () => cases.one(AGENTS)) };
      const { choices, rules } = approvalOptions(request);
      const shown = JSON.stringify({ request, rules });
      const { user } = request;
      const written = { ...request, user: { ...user, rules: [...user.rules, ...rules] } };
      if (choices.includes("session")) expect(decide({ ...request, granted: rules }).action, shown).toBe("allow");
      if (choices.includes("always")) expect(decide(written).action, shown).toBe("allow");
      // Another call of the same session may have any access.
      const other = { ...request, access: [cases.access()] };
      if (decide(other).action === "deny") expect(decide({ ...other, granted: rules }).action, shown).toBe("deny");
    }
  });

  it("[P3] the decision on a call is the strictest of those on its accesses", () => {
    const cases = new Cases(5);
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = cases.request();
      const each = decideEach(request).map(({ action }) => STRICTNESS.indexOf(action));
      expect(strictness(request)).toBe(Math.max(...each));
    }
  });
});
