import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { agentProject } from "../../support/agents/agent-project.ts";
import { DESCRIPTIONS, SCHEMAS } from "../../support/agents/agent-tools.ts";
import { installedAgent, programOf } from "../../support/agents/installed-agent.ts";
import { type AgentRun, runAgent } from "../../support/agents/run-agent.ts";
import { ensureBuilt, json } from "../../support/cli.ts";

/** Three runs of up to a minute each. */
const TIMEOUT_MS = 200_000;

const missing = await installedAgent("mcporter");

describe.skipIf(missing)(`[M4] mcporter${missing ? ` (${missing})` : ""}`, () => {
  beforeAll(ensureBuilt);

  it(
    "lists and calls tools of the server that install configured for Cursor",
    async () => {
      const at = await agentProject();
      onTestFinished(at.remove);
      // mcporter starts the server in the folder of the configuration, so --cwd names the project.
      await at.toolwright("install", "cursor", "--yes", "--", "--cwd", at.project);
      const mcporter = (...args: readonly string[]): Promise<AgentRun> =>
        runAgent(at, programOf("mcporter", "mcporter"), args);

      const listed = await mcporter("list", "toolwright", "--json");
      expect(listed, listed.stderr).toMatchObject({ code: 0, left: [] });
      expect(json(listed)).toMatchObject({
        status: "ok",
        tools: [
          { name: "find", description: DESCRIPTIONS.find, inputSchema: SCHEMAS.find },
          { name: "note", description: DESCRIPTIONS.note, inputSchema: SCHEMAS.note },
          { name: "print", description: DESCRIPTIONS.print, inputSchema: SCHEMAS.print },
        ],
      });

      const noted = await mcporter("call", "toolwright.note", "text=Käse");
      expect(noted, noted.stderr).toMatchObject({ code: 0, stdout: "Added 2 times: Käse\n", left: [] });
      expect(at.notes()).toBe("Käse\nKäse\n");

      const printed = await mcporter("call", "toolwright.print");
      const why = "The printer is out of paper: fill it up, then print again.\n";
      expect(printed, printed.stderr).toMatchObject({ code: 1, stdout: why, left: [] });
    },
    TIMEOUT_MS,
  );
});
