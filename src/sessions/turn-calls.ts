import type { AgentRun, SessionTools } from "../core/coding-agent.ts";
import type { AttachedAgent } from "./local-session.ts";

/** The tools of a session for an agent. A call belongs to the running turn; after its abort or end, a call is aborted at once. */
export function withinTurns(tools: SessionTools, current: AttachedAgent["current"]): SessionTools {
  return {
    list: () => tools.list(),
    onChange: (listener) => tools.onChange(listener),
    call: (request) => {
      const { turn } = current;
      if (!turn || turn.signal.aborted) return tools.call({ ...request, signal: AbortSignal.abort() });
      const run = tools.call(request);
      turn.calls.add(run);
      void run.result.then(() => turn.calls.delete(run));
      return run;
    },
  };
}

/** Ends the calls for which the agent has not waited. Resolves when their results are recorded. */
export async function endCalls(calls: ReadonlySet<AgentRun>): Promise<void> {
  const open = [...calls];
  for (const run of open) run.abort();
  await Promise.all(open.map(({ result }) => result));
}
