import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { agentProject } from "../../support/agents/agent-project.ts";
import { CLAUDE_CODE } from "../../support/agents/claude-code.ts";
import { CODEX } from "../../support/agents/codex.ts";
import { installedAgent } from "../../support/agents/installed-agent.ts";
import { LAST_WORDS, prepareAgent } from "../../support/agents/prepared-agent.ts";
import { endRest } from "../../support/agents/run-agent.ts";
import { ensureBuilt } from "../../support/cli.ts";

/** The agents may take a minute, and our own commands come before them. */
const PATIENCE_MS = 90_000;

/** Comes back when two agents are in it at once. */
const MEET = `import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export default {
  description: "Waits for another agent.",
  async execute(_, { directory, agent, abort }) {
    writeFileSync(join(directory, \`\${agent}.here\`), "");
    for (;;) {
      const here = readdirSync(directory).filter((name) => name.endsWith(".here"));
      if (here.length === 2) return \`HostResponse: \${here.sort().join(", ")}\`;
      await sleep(20, undefined, { signal: abort });
    }
  },
};
`;

const missing = (await installedAgent("claude-code")) ?? (await installedAgent("codex"));

describe.skipIf(missing)(`[M4] two agents in one project${missing ? ` (${missing})` : ""}`, () => {
  beforeAll(ensureBuilt);

  it(
    "call the same tools at the same time, and neither notices the other",
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
        expect(each.stdout).toContain(LAST_WORDS);
      }
      expect(await endRest(at.home)).toEqual([]);
      const met = { tool: "meet", input: {}, words: "HostResponse: claude-code.here, codex-mcp-client.here" };
      const noted = { tool: "note", input: { text: "Käse" }, words: "Added 2 times: Käse" };
      for (const [index, { heard }] of ready.entries()) {
        const { steady = (text: string) => text, tells } = agents[index] as typeof CODEX;
        const told = heard.at(-1)?.answers.map((answer) => ({ ...answer, text: steady(answer.text) }));
        expect(told).toEqual([tells(met), tells(noted)]);
      }
      expect(at.notes()).toBe("Käse\n".repeat(4));
    },
    PATIENCE_MS,
  );
});
