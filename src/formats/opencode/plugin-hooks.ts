import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../core/error.ts";
import { textOf } from "../../core/result.ts";
import type { CallHooks, HookedCall, HookedResult } from "../contributions.ts";

/** The hooks around calls that a plugin may return. Both change what they are given in place. */
export interface OpenCodeHooks {
  "tool.execute.before"?(input: object, output: { args: unknown }): unknown;
  "tool.execute.after"?(input: object, output: After): unknown;
}

interface After {
  title: string;
  output: string;
  metadata: unknown;
}

/** They as hooks for the calls of all tools; undefined where the plugin has none. */
export function toCallHooks(plugin: OpenCodeHooks): CallHooks | undefined {
  const { "tool.execute.before": before, "tool.execute.after": after } = plugin;
  if (!before && !after) return undefined;
  return {
    ...(before ? { before: (call) => runBefore(plugin, call) } : {}),
    ...(after ? { after: (call, result) => runAfter(plugin, call, result) } : {}),
  };
}

async function runBefore(
  plugin: OpenCodeHooks,
  call: HookedCall,
): Promise<{ input: unknown } | { refuse: string } | undefined> {
  const output = { args: structuredClone(call.input) };
  try {
    await plugin["tool.execute.before"]?.(about(call), output);
  } catch (thrown) {
    return { refuse: messageOf(thrown) };
  }
  return isDeepStrictEqual(output.args, call.input) ? undefined : { input: output.args };
}

/** OpenCode does not call it for a call that failed. */
async function runAfter(
  plugin: OpenCodeHooks,
  call: HookedCall,
  result: HookedResult,
): Promise<Partial<HookedResult> | undefined> {
  if (result.isError) return undefined;
  const given = afterOf(result);
  const output = structuredClone(given);
  await plugin["tool.execute.after"]?.({ ...about(call), args: call.input }, output);
  const rest = result.content.filter(({ type }) => type !== "text");
  return {
    ...(output.output === given.output ? {} : { content: [{ type: "text", text: String(output.output) }, ...rest] }),
    ...(output.title === given.title ? {} : { title: String(output.title) }),
    ...(isDeepStrictEqual(output.metadata, given.metadata) ? {} : { data: output.metadata }),
  };
}

function about({ tool, session, callID }: HookedCall): { tool: string; sessionID: string; callID: string } {
  return { tool, sessionID: session.id, callID };
}

function afterOf({ title = "", content, data = {} }: HookedResult): After {
  return { title, output: textOf(content), metadata: data };
}
