import type { AgentCall, AgentRun, SessionTools } from "../core/coding-agent.ts";
import type { AttachedAgent } from "./local-session.ts";

/** The tools of a session for an agent. A call belongs to the running turn; after its abort or end, a call is aborted at once. */
export function withinTurns(tools: SessionTools, current: AttachedAgent["current"]): SessionTools {
  return {
    list: () => tools.list(),
    onChange: (listener) => tools.onChange(listener),
    call: (request) => {
      const { turn } = current;
      if (!turn || turn.signal.aborted) return tools.call({ ...request, signal: AbortSignal.abort() });
      const run = tools.call(withFreeID(request, turn.calls));
      turn.calls.add(run);
      void run.result.then(() => turn.calls.delete(run));
      return run;
    },
  };
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
