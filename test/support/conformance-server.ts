import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolbox, type ToolContext } from "../../src/index.ts";
import {
  clientApprover,
  createProtocol,
  type McpClient,
  OpenCalls,
  type Protocol,
} from "../../src/surfaces/mcp/index.ts";
import { PROMPTS, RESOURCES } from "./conformance-content.ts";
import { conformanceTools } from "./conformance-tools.ts";
import { serveHttp } from "./mcp-http.ts";

/**
 * The tools, resources and prompts that the conformance suite requires, built with the public API and served over HTTP.
 * Started as a program, it prints its address and runs until it is killed.
 */
export async function conformanceServer(): Promise<{ url: string; protocol: Protocol; close(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), "toolwright-conformance-"));
  const env = { PATH: process.env.PATH, HOME: home, TOOLWRIGHT_HOME: join(home, ".toolwright") };
  const calls = new OpenCalls();
  const clientOf = ({ callID }: ToolContext): McpClient => calls.clientOf(callID) as McpClient;
  let changes = 0;
  const toolbox = await createToolbox({
    cwd: home,
    env,
    onlyGiven: true,
    toolsPaths: [home],
    approve: clientApprover(calls),
    tools: conformanceTools(clientOf, async () => {
      changes += 1;
      const text = `export default { description: "Came ${changes}.", execute: () => "" };\n`;
      writeFileSync(join(home, "came_later.mjs"), text);
      await toolbox.reload();
    }),
  });
  const protocol = createProtocol(toolbox, { calls, prompts: PROMPTS, resources: RESOURCES });
  const { url, close } = await serveHttp(protocol);
  return {
    url,
    protocol,
    close: async () => {
      await close();
      await protocol.close();
      await toolbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

if (import.meta.main) {
  const { url, close } = await conformanceServer();
  process.stdout.write(`${url}\n`);
  process.on("SIGTERM", () => void close());
}
