import { clientApprover } from "../../mcp/client-approver.ts";
import type { OpenCalls } from "../../mcp/open-calls.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import type { Invocation } from "./command.ts";
import { withoutToken } from "./http-options.ts";
import { WAIT_MS } from "./wait.ts";

/**
 * The tools for clients. Whoever asks is answered at once, and what has not been read when the tools are listed is announced
 * when it has. Clients have asked their users already; what rules and tools ask is put to the users through them.
 */
export async function openToServe({ globals, terminal }: Invocation, calls: OpenCalls): Promise<Toolbox> {
  const { startToolbox } = await import("../../toolbox/open-toolbox.ts");
  const { cwd, trust, toolsPaths } = globals;
  const env = withoutToken(terminal.env);
  const approve = clientApprover(calls);
  return startToolbox({ cwd, trust, toolsPaths, env, callerIsAsked: true, approve, waitMs: WAIT_MS });
}
