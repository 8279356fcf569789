import { afterAll, beforeAll, describe, it } from "vitest";
import { installedAgent } from "../agents/installed-agent.ts";
import type { AgentRow } from "./agent-row.ts";
import { AgentWorld } from "./agent-world.ts";
import { CASES, type CaseName, OF_EVERY_AGENT } from "./case-names.ts";
import { callCases } from "./cases/call-cases.ts";
import { failureCases } from "./cases/failure-cases.ts";
import { permissionCases } from "./cases/permission-cases.ts";
import { runningCases } from "./cases/running-cases.ts";
import { sessionCases } from "./cases/session-cases.ts";

const RUNS: Readonly<Record<CaseName, (world: AgentWorld) => Promise<void>>> = {
  ...callCases,
  ...runningCases,
  ...permissionCases,
  ...sessionCases,
  ...failureCases,
};

/** Several turns, each of which may take a minute on a loaded machine. */
const TIMEOUT_MS = 180_000;

/**
 * The suite for all coding agents: real SDKs and programs, with a scripted model on loopback. The cases of one agent share a
 * project and, where they can, a toolbox and a session.
 *
 * To add an agent, write a row (`AgentRow`) in `rows/`, a folder in `e2e/` with its packages in exact versions and a lock
 * file, and a file in `test/e2e/coding-agents/` that calls this function. A case that the vendor makes impossible is named in
 * `impossible` with the evidence, and in docs/agents.md: `node test/support/coding-agents/write-cells.ts` writes the table there.
 * Such a case has to fail, so that it is noticed when a new version makes it possible.
 *
 * `TEST_SUITE=e2e vitest run test/e2e/coding-agents/claude.test.ts -t "tells its model"` runs some cases of one agent; `KEEP=1`
 * keeps the project, `ALL=1` runs every case of agents that otherwise run those of `OF_EVERY_AGENT`. `node test/coding-agent-rounds.mjs claude 10` runs all cases ten times and prints a table.
 */
export async function describeCodingAgent(row: AgentRow): Promise<void> {
  const missing = row.folder === undefined ? undefined : await installedAgent(row.folder);

  describe.skipIf(missing)(`[${row.requirement}] ${row.name}${missing ? ` (${missing})` : ""}`, () => {
    let world: AgentWorld;

    beforeAll(async () => {
      world = await AgentWorld.create(row);
    });
    afterAll(() => world.remove());

    for (const name of casesOf(row)) {
      const evidence = row.impossible?.[name];
      const run = async ({ onTestFailed }: { onTestFailed: (listener: () => void) => void }): Promise<void> => {
        onTestFailed(() => world.leaveTalk());
        await RUNS[name](world);
      };
      if (evidence === undefined) it(CASES[name], run, TIMEOUT_MS);
      else it.fails(`${CASES[name]} (impossible: ${evidence})`, run, TIMEOUT_MS);
    }

    it("[G6] has a complete log of every session", () => world.checkLogs(), TIMEOUT_MS);

    it("[G7] leaves no process, server or temporary file behind", () => world.close(), TIMEOUT_MS);
  });
}

function casesOf(row: AgentRow): CaseName[] {
  const isWhole = row.allCases || process.env.ALL === "1";
  return (Object.keys(CASES) as CaseName[]).filter((name) => isWhole || OF_EVERY_AGENT.has(name));
}
