import { untilAborted } from "../core/until-aborted.ts";
import type { Clock } from "../pipeline/clock.ts";
import type { UiRequest } from "../protocol/messages.ts";
import type { UIContext } from "./toolbox.ts";

/** Methods that wait for a person. All others only show something. */
const DIALOGS = new Set(["select", "confirm", "input", "editor"]);

/** The call that a dialog belongs to. */
interface DialogCall {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Passes the user-interface calls of tool files to the attached user interface. */
export class UiRequests {
  readonly #calls = new Map<string, DialogCall>();
  #context: UIContext | undefined;

  attach(context: UIContext | undefined): void {
    this.#context = context;
  }

  get isAttached(): boolean {
    return this.#context !== undefined;
  }

  /** Makes dialogs that hooks open during this call stop its clock. Returns a function that ends this. */
  follow(callID: string, call: DialogCall): () => void {
    this.#calls.set(callID, call);
    return () => void this.#calls.delete(callID);
  }

  /**
   * Calls a method of the user interface. A dialog stops the clock of its call, and receives the call's abort signal in
   * its options. Never rejects: a method that fails counts as a dialog without an answer.
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
