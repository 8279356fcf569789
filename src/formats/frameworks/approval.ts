import type { CallContext } from "../../core/tool.ts";

/**
 * Asks a person where the author of a tool wants one asked before each call. `needs` is true or false, or answers it
 * for a call; one that throws refuses.
 */
export async function askIfNeeded(
  needs: unknown,
  call: { readonly tool: string; readonly input: unknown; readonly context: CallContext },
  args: readonly unknown[],
): Promise<void> {
  const needed: unknown = typeof needs === "function" ? await needs(...args) : needs;
  if (!needed) return;
  await call.context.ask({ permission: call.tool, patterns: ["*"], always: ["*"], metadata: { input: call.input } });
}
