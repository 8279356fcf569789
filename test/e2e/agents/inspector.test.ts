import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { agentProject } from "../../support/agents/agent-project.ts";
import { DESCRIPTIONS, SCHEMAS } from "../../support/agents/agent-tools.ts";
import { installedAgent, programOf } from "../../support/agents/installed-agent.ts";
import { type AgentRun, runAgent } from "../../support/agents/run-agent.ts";
import { ensureBuilt, json } from "../../support/cli.ts";

/** Three runs of up to a minute each. */
const TIMEOUT_MS = 200_000;

const missing = await installedAgent("inspector");

describe.skipIf(missing)(`[M4] the Inspector's command line${missing ? ` (${missing})` : ""}`, () => {
  beforeAll(ensureBuilt);

  it.each(["legacy", "modern"])("calls tools of the server that install configured (%s)", inEra, TIMEOUT_MS);
});

async function inEra(era: string): Promise<void> {
  const at = await agentProject();
  onTestFinished(at.remove);
  await at.toolwright("install", "cursor", "--yes");
  const server = ["--config", join(at.home, ".cursor/mcp.json"), "--server", "toolwright", "--protocol-era", era];
  const ask = (...method: readonly string[]): Promise<AgentRun> =>
    runAgent(at, programOf("inspector", "mcp-inspector"), ["--cli", ...server, "--method", ...method], {
      MCP_INSPECTOR_SECRET_STORE: "memory",
    });

  const listed = await ask("tools/list");
  const _meta = { "anthropic/alwaysLoad": true };
  expect(listed, listed.stderr).toMatchObject({ code: 0, left: [] });
  expect(json(listed)).toEqual({
    tools: [
      { name: "find", description: DESCRIPTIONS.find, inputSchema: SCHEMAS.find, _meta },
      { name: "note", description: DESCRIPTIONS.note, inputSchema: SCHEMAS.note, _meta },
      { name: "print", description: DESCRIPTIONS.print, inputSchema: SCHEMAS.print, _meta },
    ],
  });

  const noted = await ask("tools/call", "--tool-name", "note", "--tool-arg", "text=Käse");
  expect(noted, noted.stderr).toMatchObject({ code: 0, left: [] });
  expect(json(noted)).toMatchObject({ content: [{ type: "text", text: "Added 2 times: Käse" }] });
  expect(at.notes()).toBe("Käse\nKäse\n");

  const printed = await ask("tools/call", "--tool-name", "print");
  // The exit code of the Inspector for a failed tool.
  expect(printed, printed.stderr).toMatchObject({ code: 5, left: [] });
  const why = "The printer is out of paper: fill it up, then print again.";
  expect(json(printed)).toMatchObject({ content: [{ type: "text", text: why }], isError: true });
}
