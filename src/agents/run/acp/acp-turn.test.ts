import { expect, it } from "vitest";
import type { AgentEvent } from "../../../core/coding-agent.ts";
import { AnnouncedCalls } from "../announced-calls.ts";
import { otherProgram } from "./acp-programs.ts";
import type { SessionUpdate } from "./acp-sdk.ts";
import { AcpTurn } from "./acp-turn.ts";

interface Update {
  readonly status?: string;
  readonly error?: unknown;
}

/** The session events of these updates of compaction, and of the end of the turn. */
function compactions(updates: readonly Update[]): unknown[] {
  const events: AgentEvent[] = [];
  const turn = new AcpTurn({
    agent: "codex",
    program: otherProgram,
    ourNames: () => undefined,
    announced: new AnnouncedCalls(1),
    emit: (...more) => events.push(...more),
    isCommand: false,
  });
  for (const update of updates) turn.update({ sessionUpdate: "compaction_update", ...update } as SessionUpdate);
  turn.finish();
  return events.map((event) => (event.type === "session.event" ? event.event : event));
}

const START = { reason: "auto_compaction_start", trigger: "threshold" };
const END = { reason: "auto_compaction_end", aborted: false, willRetry: false };
const begins = { status: "in_progress" };

it.each<[string, readonly Update[], readonly unknown[]]>([
  ["completes", [begins, { status: "completed" }], [START, END]],
  ["is told twice", [begins, begins, { status: "completed" }, { status: "completed" }], [START, END]],
  ["fails", [begins, { status: "failed" }], [START, { ...END, aborted: true }]],
  [
    "fails with an error",
    [begins, { status: "failed", error: { message: "Too long" } }],
    [START, { ...END, aborted: true, errorMessage: "Too long" }],
  ],
  ["is open at the end of the turn", [begins], [START, { ...END, aborted: true }]],
  ["ends without a start", [{ status: "completed" }], []],
  ["has no known status", [{}, { status: "other" }], []],
])("[G9] [A5] a compaction that %s", (_, updates, expected) => {
  expect(compactions(updates)).toEqual(expected);
});
