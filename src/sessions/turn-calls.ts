import type { AgentCall, AgentRun } from "../core/coding-agent.ts";
import type { CurrentTurn } from "./local-session.ts";

/** Makes a call of the agent in the running turn. After the abort or the end of the turn, the call is aborted at once. */
export function callInTurn(
  turn: CurrentTurn | undefined,
  request: AgentCall,
  call: (request: AgentCall) => AgentRun,
): AgentRun {
  if (!turn || turn.signal.aborted) return call({ ...request, signal: AbortSignal.abort() });
  const run = call(withFreeID(request, turn.calls));
  turn.calls.add(run);
  void run.result.then(() => turn.calls.delete(run));
  return run;
}

/** Without an id that a running call has: its events could not be told from those of the other. The call then gets a new id. */
function withFreeID({ callID, ...request }: AgentCall, running: ReadonlySet<AgentRun>): AgentCall {
  const isTaken = callID === undefined || [...running].some((run) => run.callID === callID);
  return isTaken ? request : { ...request, callID };
}

/** Ends the calls for which the agent has not waited. Resolves when their results are recorded. */
export async function endCalls(calls: ReadonlySet<AgentRun>): Promise<void> {
  const open = [...calls];
  for (const run of open) run.abort();
  await Promise.all(open.map(({ result }) => result));
}
