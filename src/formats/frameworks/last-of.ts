import type { CallContext } from "../../core/tool.ts";

/** What a tool returned; of an async iterable, which shows its progress that way, the last value. */
export async function lastOf(returned: unknown, context: Pick<CallContext, "partial">): Promise<unknown> {
  if (!isAsyncIterable(returned)) return returned;
  let last: unknown;
  for await (const value of returned) {
    last = value;
    context.partial(value);
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
