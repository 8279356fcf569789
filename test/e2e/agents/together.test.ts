import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { agentProject } from "../../support/agents/agent-project.ts";
import { CLAUDE_CODE } from "../../support/agents/claude-code.ts";
import { CODEX } from "../../support/agents/codex.ts";
import { installedAgent } from "../../support/agents/installed-agent.ts";
import { FINAL_MESSAGE, prepareAgent } from "../../support/agents/prepared-agent.ts";
import { endRest } from "../../support/agents/run-agent.ts";
import { ensureBuilt } from "../../support/cli.ts";

/** A minute for the agents, plus the commands before them. */
const TIMEOUT_MS = 90_000;

/** A tool that returns when two agents call it at the same time. */
const MEET = `import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export default {
  description: "Waits for another agent.",
  async execute(_, { directory, agent, abort }) {
    writeFileSync(join(directory, \`\${agent}.here\`), "");
    for (;;) {
      const here = readdirSync(directory).filter((name) => name.endsWith(".here"));
      if (here.length === 2) return \`Both are here: \${here.sort().join(", ")}\`;
      await sleep(20, undefined, { signal: abort });
    }
  },
};
`;

const missing = (await installedAgent("claude-code")) ?? (await installedAgent("codex"));

describe.skipIf(missing)(`[M4] two agents in one project${missing ? ` (${missing})` : ""}`, () => {
  beforeAll(ensureBuilt);

  it(
    "call the same tools at the same time without affecting each other",
    async () => {
      const at = await agentProject({ "meet.ts": MEET });
      onTestFinished(at.remove);
      const calls = [
        ["meet", {}],
        ["note", { text: "Käse" }],
      ] as const;
      const agents = [CLAUDE_CODE, CODEX];
      const ready = await Promise.all(agents.map((agent) => prepareAgent(agent, at, { calls })));
      for (const { close } of ready) onTestFinished(close);

      const ended = await Promise.all(ready.map(({ start }) => start().ended));
      for (const each of ended) {
        expect(each, each.stderr).toMatchObject({ code: 0 });
        expect(each.stdout).toContain(FINAL_MESSAGE);
      }
      expect(await endRest(at.home)).toEqual([]);
      const met = { tool: "meet", input: {}, words: "Both are here: claude-code.here, codex-mcp-client.here" };
      const noted = { tool: "note", input: { text: "Käse" }, words: "Added 2 times: Käse" };
      for (const [index, { heard }] of ready.entries()) {
        const { normalize = (text: string) => text, resultFor } = agents[index] as typeof CODEX;
        const told = heard.at(-1)?.answers.map((answer) => ({ ...answer, text: normalize(answer.text) }));
        expect(told).toEqual([resultFor(met), resultFor(noted)]);
      }
      expect(at.notes()).toBe("Käse\n".repeat(4));
    },
    TIMEOUT_MS,
  );
});
