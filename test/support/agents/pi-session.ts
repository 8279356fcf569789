import { createInterface } from "node:readline";
import type { Agent } from "./agent.ts";
import { type PreparedAgent, type Scene, withAgent } from "./prepared-agent.ts";
import { endRest } from "./run-agent.ts";

/** An event or request that pi prints in its RPC mode. */
export interface PiEvent {
  readonly type: string;
  readonly id?: string;
  readonly method?: string;
  readonly title?: string;
  readonly options?: readonly string[];
  readonly isError?: boolean;
  readonly partialResult?: { readonly content: readonly { readonly text?: string }[] };
  readonly result?: { readonly content: readonly { readonly text?: string }[] };
}

/** pi, controlled by messages instead of a terminal. Its dialogs are events. */
export interface PiSession extends PreparedAgent {
  send(message: object): void;
  /** The next event that fits. Rejects if pi ends. */
  next(fits: (event: PiEvent) => boolean): Promise<PiEvent>;
  /** Sends a prompt and waits for the end of the answer. */
  prompt(): Promise<void>;
}

/** Runs pi in RPC mode, and ends it after `act`. */
export function withPiSession(
  agent: Agent,
  scene: Scene,
  args: readonly string[],
  act: (session: PiSession) => Promise<void>,
): Promise<void> {
  return withAgent(agent, scene, async (ready) => {
    const { child, ended } = ready.talk(["--mode", "rpc", ...args]);
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    const send = (message: object): void => void child.stdin?.write(`${JSON.stringify(message)}\n`);
    const next: PiSession["next"] = async (fits) => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`pi has ended: ${(await ended).stderr}`);
        const event = JSON.parse(value) as PiEvent;
        if (fits(event)) return event;
      }
    };
    const prompt = async (): Promise<void> => {
      send({ type: "prompt", message: "Note the cheese." });
      await next(({ type }) => type === "agent_end");
    };
    try {
      await act({ ...ready, send, next, prompt });
    } finally {
      child.stdin?.end();
      child.kill();
      await endRest(ready.at.home);
    }
  });
}
