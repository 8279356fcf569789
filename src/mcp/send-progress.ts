import type { Update } from "../core/events.ts";
import type { Run } from "../pipeline/call.ts";
import type { Round } from "./round.ts";

/**
 * Tells a client how a call goes, for as long as it asks to be told. `progress` and `total` of the metadata count as such; a
 * tool that gives none is counted by its reports. Each report waits for the one before it to be sent.
 */
export async function reportProgress(run: Run, round: () => Round): Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  for await (const event of run) {
    if (event.type !== "tool.update") continue;
    const { mcpReq } = round();
    const progressToken = mcpReq._meta?.progressToken;
    const progress = stepOf(event, last);
    if (progressToken === undefined || progress === undefined) continue;
    last = progress;
    const params = { progressToken, progress, ...totalOf(event), ...messageOf(event) };
    // A client that is gone aborts the call by itself.
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  }
}

/** Progress must grow from one report to the next: one that does not is not sent. */
function stepOf({ metadata }: Update, last: number): number | undefined {
  const said = numberIn(metadata?.progress);
  if (said !== undefined) return said > last ? said : undefined;
  return Number.isFinite(last) ? last + 1 : 1;
}

function totalOf({ metadata }: Update): { total?: number } {
  const total = numberIn(metadata?.total);
  return total === undefined ? {} : { total };
}

/** The title, and the last line of what has been printed so far. */
function messageOf({ title = "", metadata }: Update): { message?: string } {
  const { output, message } = metadata ?? {};
  const printed = typeof output === "string" ? (output.trimEnd().split("\n").at(-1) ?? "") : "";
  const said = typeof message === "string" ? message : printed;
  const text = [title, said].filter((each) => each !== "").join(": ");
  return text === "" ? {} : { message: text };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
