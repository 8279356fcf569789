import type { AgentSessionOptions, PermitAnswer } from "../../../core/coding-agent.ts";
import { messageOf } from "../../../core/error.ts";
import { within } from "../../../platform/waiting/within.ts";
import { opencodeAccess } from "./opencode-access.ts";
import type { OpencodeClient, OpencodePart, OpencodePermission } from "./opencode-sdk.ts";

/** How long a request waits for the event with the input of its call. */
const INPUT_MS = 1_000;

interface KnownCall {
  readonly tool: string;
  readonly input: unknown;
}

const TURN_OVER: PermitAnswer = { allowed: false, reason: "The turn of this call is over." };

/** Without an answer, OpenCode would wait forever. */
function unreadable(error: unknown): PermitAnswer {
  return { allowed: false, reason: `The permission could not be decided: ${messageOf(error)}` };
}

/** Answers the permission requests of OpenCode, for the calls of its own tools in a session and in those of its sub-agents. */
export class OpencodePermissions {
  readonly #options: AgentSessionOptions;
  readonly #client: OpencodeClient;
  readonly #calls = new Map<string, KnownCall>();
  readonly #waiting = new Map<string, () => void>();

  constructor(options: AgentSessionOptions, client: OpencodeClient) {
    this.#options = options;
    this.#client = client;
  }

  /** The input of a call comes before or after its permission request. */
  noteCall(part: OpencodePart): void {
    if (part.type !== "tool") return;
    const { callID, tool, state } = part;
    if (state.status === "completed" || state.status === "error") this.#calls.delete(callID);
    if (state.status !== "running") return;
    this.#calls.set(callID, { tool, input: state.input });
    this.#waiting.get(callID)?.();
  }

  /** Never rejects. `signal` fires when the answer is no longer needed; without it, no turn runs, and the answer is no. */
  async answer(request: OpencodePermission, signal: AbortSignal | undefined): Promise<void> {
    const { id: requestID } = request;
    const answer = signal ? await this.#decide(request, signal).catch(unreadable) : TURN_OVER;
    if (signal?.aborted) return;
    const reply = answer.allowed
      ? ({ requestID, reply: "once" } as const)
      : ({ requestID, reply: "reject", message: answer.reason.toWellFormed() } as const);
    // A request that OpenCode no longer has needs no answer.
    await this.#client.permission.reply(reply).catch(() => {});
  }

  async #decide(request: OpencodePermission, signal: AbortSignal): Promise<PermitAnswer> {
    const { id, permission } = request;
    const callID = request.tool?.callID ?? id;
    const { tool = permission, input = request.metadata } = (await this.#known(callID)) ?? {};
    const access = opencodeAccess(request, input, this.#options.directory);
    return this.#options.permit({ callID, tool, input, access, signal });
  }

  async #known(callID: string): Promise<KnownCall | undefined> {
    if (!this.#calls.has(callID)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.set(callID, resolve);
      await within(INPUT_MS, promise);
      this.#waiting.delete(callID);
    }
    return this.#calls.get(callID);
  }
}
