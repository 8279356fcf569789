import type { Toolbox, ToolboxOptions } from "../../toolbox/toolbox.ts";
import { clientApprover } from "../mcp/client-approver.ts";
import type { OpenCalls } from "../mcp/open-calls.ts";
import type { Invocation } from "./args/command.ts";
import { withoutToken } from "./http-options.ts";
import { WAIT_MS } from "./wait.ts";

/**
 * Opens the toolbox of a server. It lists tools at once, and announces those of files that load later. Clients have already
 * asked their users about a call; questions of rules and tools go to the users through the clients.
 */
export async function openToServe(
  { globals, terminal }: Invocation,
  calls: OpenCalls,
  more: Pick<ToolboxOptions, "sessions" | "agents"> = {},
): Promise<Toolbox> {
  const { startToolbox } = await import("../../toolbox/open-toolbox.ts");
  const { cwd, trust, toolsPaths } = globals;
  const env = withoutToken(terminal.env);
  const approve = clientApprover(calls);
  return startToolbox({ cwd, trust, toolsPaths, env, callerIsAsked: true, approve, waitMs: WAIT_MS, ...more });
}
