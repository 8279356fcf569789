import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import type { Prompts } from "./prompts.ts";
import type { Resources } from "./resources.ts";

/** The most that one answer may hold. */
const MOST = 100;

/** What the argument of a prompt, or the variable of an address, may be. */
export async function complete(
  { ref, argument }: CompleteRequest["params"],
  { prompts, resources }: { prompts: Prompts; resources: Resources },
): Promise<CompleteResult> {
  const source = ref.type === "ref/prompt" ? prompts.find(ref.name) : resources.template(ref.uri);
  const values = (await source?.complete?.(argument.name, argument.value)) ?? [];
  return { completion: { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST } };
}
