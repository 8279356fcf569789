import type { ToolContext } from "../../../core/tool.ts";

/**
 * Asks the user before a call if the author of the tool requires it. `needsApproval` is a boolean, or a function that
 * returns one. Its error fails the call.
 */
export async function askIfNeeded(
  needsApproval: unknown,
  call: { readonly tool: string; readonly input: unknown; readonly context: ToolContext },
  args: readonly unknown[],
): Promise<void> {
  const needed: unknown = typeof needsApproval === "function" ? await needsApproval(...args) : needsApproval;
  if (!needed) return;
  await call.context.ask({ permission: call.tool, patterns: ["*"], always: ["*"], metadata: { input: call.input } });
}
