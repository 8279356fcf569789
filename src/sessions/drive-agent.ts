import { AgentError } from "../core/agent-error.ts";
import type { AgentEvent, AgentSession } from "../core/coding-agent.ts";
import type { Content } from "../core/result.ts";
import { LoopShare } from "../platform/waiting/loop-share.ts";

/** How long an agent may take to end its turn after it was aborted. */
const ABORT_MS = 5_000;
/** Between two requests to abort: an agent may ignore one that it gets before it has begun with the prompt. */
const REPEAT_MS = 500;

interface DrivenTurn {
  readonly agent: string;
  readonly session: AgentSession;
  readonly prompt: readonly Content[];
  readonly record: (event: AgentEvent) => Promise<void>;
  /** Aborts the turn when it fires. */
  readonly signal: AbortSignal;
  /** Whether the agent waits for a call or an answer. */
  readonly isWaiting: () => boolean;
  /** How long the agent may send nothing while it does not wait. */
  readonly idleMs: number;
}

/**
 * Runs one turn of an agent and records its events. Resolves to false if the agent's session cannot be used again, because it did
 * not react to the abort. Rejects if the turn failed, or if the agent has sent nothing for too long.
 */
export async function driveAgent(turn: DrivenTurn): Promise<boolean> {
  const { agent, session, prompt, record, signal, isWaiting, idleMs } = turn;
  const gaveUp = Promise.withResolvers<false>();
  let isOver = false;
  let activeAt = performance.now();
  let patience: NodeJS.Timeout | undefined;
  let repeated: NodeJS.Timeout | undefined;
  const consume = async (): Promise<true> => {
    // An agent may have all events at hand.
    const share = new LoopShare();
    for await (const event of session.send(prompt)) {
      if (isOver) break;
      await record(event);
      activeAt = performance.now();
      await share.pause();
    }
    return true;
  };
  const requestAbort = (): void => void session.abort().catch(() => {});
  const abort = (): void => {
    requestAbort();
    repeated = setInterval(requestAbort, REPEAT_MS);
    patience = setTimeout(() => gaveUp.resolve(false), ABORT_MS);
  };
  const check = setInterval(
    () => {
      if (isWaiting()) activeAt = performance.now();
      else if (performance.now() - activeAt >= idleMs) gaveUp.reject(noAnswer(agent, idleMs));
    },
    Math.min(1_000, Math.max(10, idleMs / 4)),
  );
  signal.addEventListener("abort", abort, { once: true });
  try {
    if (signal.aborted) return true;
    return await Promise.race([consume(), gaveUp.promise]);
  } catch (error) {
    // An agent may report its own abort as an error.
    if (signal.aborted) return false;
    throw error;
  } finally {
    isOver = true;
    clearInterval(check);
    clearTimeout(patience);
    clearInterval(repeated);
    signal.removeEventListener("abort", abort);
  }
}

function noAnswer(agent: string, idleMs: number): AgentError {
  const time = idleMs < 1_000 ? `${idleMs} ms` : `${Math.round(idleMs / 1_000)} s`;
  return new AgentError(
    "no_answer",
    `${agent} has sent nothing for ${time}: its model or the network does not answer. Check the connection and try again. To wait longer, set "agents": { "idleMs": ${idleMs * 2} } in your settings.`,
  );
}
