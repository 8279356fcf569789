import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../../core/error.ts";
import { textOf } from "../../../core/result.ts";
import type { CallHooks, HookedCall, ShapedResult } from "../contributions.ts";

/** The call hooks of a plugin. Both change their second argument in place. */
export interface OpenCodeHooks {
  "tool.execute.before"?(input: object, output: { args: unknown }): unknown;
  "tool.execute.after"?(input: object, output: After): unknown;
}

interface After {
  title: string;
  output: string;
  metadata: unknown;
}

/** Undefined if the plugin has no call hooks. */
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
    await plugin["tool.execute.before"]?.(callIds(call), output);
  } catch (thrown) {
    return { refuse: messageOf(thrown) };
  }
  return isDeepStrictEqual(output.args, call.input) ? undefined : { input: output.args };
}

/** As in OpenCode, not called for a failed call. */
async function runAfter(
  plugin: OpenCodeHooks,
  call: HookedCall,
  result: ShapedResult,
): Promise<Partial<ShapedResult> | undefined> {
  if (result.isError) return undefined;
  const original = afterOf(result);
  const output = structuredClone(original);
  await plugin["tool.execute.after"]?.({ ...callIds(call), args: call.input }, output);
  const rest = result.content.filter(({ type }) => type !== "text");
  return {
    ...(output.output === original.output ? {} : { content: [{ type: "text", text: String(output.output) }, ...rest] }),
    ...(output.title === original.title ? {} : { title: String(output.title) }),
    ...(isDeepStrictEqual(output.metadata, original.metadata) ? {} : { data: output.metadata }),
  };
}

function callIds({ tool, session, callID }: HookedCall): { tool: string; sessionID: string; callID: string } {
  return { tool, sessionID: session.id, callID };
}

function afterOf({ title = "", content, data = {} }: ShapedResult): After {
  return { title, output: textOf(content), metadata: data };
}
