import type { UiRequest } from "./host/protocol.ts";
import type { UIContext } from "./toolbox.ts";

/** The user interface that tool files reach, while one is attached. */
export class UiCalls {
  #context: UIContext | undefined;

  attach(context: UIContext | undefined): void {
    this.#context = context;
  }

  get isAttached(): boolean {
    return this.#context !== undefined;
  }

  /** Calls one of its methods. Never rejects: a dialog that fails is one that nobody answered. */
  async call({ method, args }: UiRequest): Promise<unknown> {
    const context = this.#context;
    if (!context || method in Object.prototype) return undefined;
    const called = context[method];
    if (typeof called !== "function") return undefined;
    try {
      const value: unknown = await called.apply(context, args);
      return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
    } catch {
      return undefined;
    }
  }
}
