// The tools of our in-process server. `licenceServer` goes into the options of query().
import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const KNOWN: Record<string, { osi: boolean; copyleft: boolean }> = {
  MIT: { osi: true, copyleft: false },
  "Apache-2.0": { osi: true, copyleft: false },
  "GPL-3.0-only": { osi: true, copyleft: true },
};

const text = (value: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(value) }] });

export const licenceFacts = tool(
  "licence_facts",
  "What is known about a licence, by its SPDX identifier",
  { id: z.string().describe("Such as MIT") },
  async ({ id }) => {
    const facts = KNOWN[id];
    if (!facts) return { ...text(`unknown licence ${id}`), isError: true };
    return text({ id, ...facts });
  },
  { annotations: { readOnlyHint: true, idempotentHint: true } },
);

export const licenceFits = tool(
  "licence_fits",
  "Whether code under a licence may go into a closed product",
  { ids: z.array(z.string()).min(1) },
  async ({ ids }) => text(ids.every((id) => KNOWN[id]?.copyleft === false)),
);

export const licenceServer = createSdkMcpServer({
  name: "licences",
  version: "1.0.0",
  tools: [licenceFacts, licenceFits],
});
