import type { Run } from "../../calls/call.ts";
import type { Update } from "../../core/events.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Sends `notifications/progress` for a call, while the current request has a progress token. A tool reports `progress` and
 * `total` in its metadata; otherwise its updates are counted. Each notification waits until the previous one is sent.
 */
export async function reportProgress(run: Run, context: () => RequestContext): Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  for await (const event of run) {
    if (event.type !== "tool.update") continue;
    const { mcpReq } = context();
    const progressToken = mcpReq._meta?.progressToken;
    const progress = progressOf(event, last);
    if (progressToken === undefined || progress === undefined) continue;
    last = progress;
    const params = { progressToken, progress, ...totalOf(event), ...messageOf(event) };
    // A failed send means that the client is gone, which aborts the call.
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  }
}

/** The protocol requires that progress increases: undefined where it does not. */
function progressOf({ metadata }: Update, last: number): number | undefined {
  const reported = numberOf(metadata?.progress);
  if (reported !== undefined) return reported > last ? reported : undefined;
  return Number.isFinite(last) ? last + 1 : 1;
}

function totalOf({ metadata }: Update): { total?: number } {
  const total = numberOf(metadata?.total);
  return total === undefined ? {} : { total };
}

/** The title, and the last line of the output so far. */
function messageOf({ title = "", metadata }: Update): { message?: string } {
  const { output, message } = metadata ?? {};
  const lastLine = typeof output === "string" ? (output.trimEnd().split("\n").at(-1) ?? "") : "";
  const detail = typeof message === "string" ? message : lastLine;
  const text = [title, detail].filter((each) => each !== "").join(": ");
  return text === "" ? {} : { message: text };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
