import { untilAborted } from "../core/until-aborted.ts";
import type { Clock } from "../pipeline/clock.ts";
import type { UiRequest } from "../protocol/messages.ts";
import type { UIContext } from "./toolbox.ts";

/** What waits for a person. All else only shows something, and nobody waits for that. */
const DIALOGS = new Set(["select", "confirm", "input", "editor"]);

/** The call that a dialog belongs to. */
interface DialogCall {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The user interface that tool files reach, while one is attached. */
export class UiCalls {
  readonly #calls = new Map<string, DialogCall>();
  #context: UIContext | undefined;

  attach(context: UIContext | undefined): void {
    this.#context = context;
  }

  get isAttached(): boolean {
    return this.#context !== undefined;
  }

  /** Lets the dialogs of hooks that look at this call belong to it too. Answers with what ends that. */
  follow(callID: string, call: DialogCall): () => void {
    this.#calls.set(callID, call);
    return () => void this.#calls.delete(callID);
  }

  /**
   * Calls one of its methods. A dialog stops the clock of its call, and is told by a signal in its options when nobody
   * needs the answer any more. Never rejects: one that fails is one that nobody answered.
   */
  call(request: UiRequest, call: DialogCall | undefined = this.#calls.get(request.callID ?? "")): Promise<unknown> {
    if (!call || !DIALOGS.has(request.method)) return this.#call(request);
    const { clock, signal } = call;
    const [title, subject, options] = request.args;
    const args = [title, subject, { ...(options as object | null | undefined), signal }];
    return clock.pausedFor(() => untilAborted(signal, () => this.#call({ ...request, args })));
  }

  async #call({ method, args }: UiRequest): Promise<unknown> {
    const context = this.#context;
    if (!context || method in Object.prototype) return undefined;
    try {
      const called = context[method];
      if (typeof called !== "function") return undefined;
      const value: unknown = await called.apply(context, args);
      return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
    } catch {
      return undefined;
    }
  }
}
