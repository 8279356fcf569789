import type { ExtensionContext } from "../../authoring/pi/extension-types.ts";
import { isOwnTool } from "../../authoring/pi/pi-builtin-tools.ts";
import type { Tool } from "../../core/tool.ts";
import { type ExportAt, toProblem } from "../export-at.ts";
import type { ExportProblem } from "../module.ts";
import { type Definition, toTool } from "./definition-to-tool.ts";
import { createContext, type Moment } from "./extension-context.ts";
import type { Scope } from "./pi-runtime.ts";
import type { PiEvent } from "./session-events.ts";

export type Handler = (event: Readonly<Record<string, unknown>>, context: ExtensionContext) => unknown;

/** What one file has registered so far. It may go on registering as long as it runs. */
export class Registrations {
  readonly #at: ExportAt;
  readonly #scope: Scope;
  readonly #tools = new Map<string, Tool>();
  /** By the name of the tool: a file may register the same bad one with each session. */
  readonly #problems = new Map<string, ExportProblem>();
  readonly #handlers = new Map<string, Handler[]>();
  readonly #ignored = new Map<string, Set<string>>();
  #making: Promise<void> = Promise.resolve();

  constructor(at: ExportAt, scope: Scope) {
    this.#at = at;
    this.#scope = scope;
  }

  /** A later tool of the same name replaces the earlier. It is there once `settled`: after the call, or the event, that added it. */
  addTool(definition: unknown): void {
    this.#making = this.#making.then(() => this.#make(definition));
  }

  on(event: string, handler: Handler): () => void {
    this.#handlers.set(event, [...this.handlers(event), handler]);
    return () =>
      void this.#handlers.set(
        event,
        this.handlers(event).filter((one) => one !== handler),
      );
  }

  /** Calls the handlers of an event one after another. An error of a handler is logged. */
  async emit(event: PiEvent, moment: Moment): Promise<void> {
    for (const handler of this.handlers(event.type)) {
      try {
        await this.#scope.inDirectory(moment.directory, () => handler(event, createContext(this.#scope, moment)));
      } catch (error) {
        this.#scope.failed(`its handler of "${event.type}"`, error);
      }
    }
  }

  /** Notes what was registered and is never used here. */
  ignore(member: string, what: unknown): void {
    this.#ignored.set(member, (this.#ignored.get(member) ?? new Set()).add(nameOf(what)));
  }

  /** Resolves when the tools that were added so far can be seen. */
  settled(): Promise<void> {
    return this.#making;
  }

  handlers(event: string): readonly Handler[] {
    return this.#handlers.get(event) ?? [];
  }

  listensTo(...events: readonly string[]): boolean {
    return events.some((event) => this.handlers(event).length > 0);
  }

  get tools(): Tool[] {
    return [...this.#tools.values()];
  }

  get problems(): ExportProblem[] {
    return [...this.#problems.values()];
  }

  get events(): string[] {
    return [...this.#handlers.keys()];
  }

  get ignored(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#ignored;
  }

  get isEmpty(): boolean {
    return [this.#tools, this.#problems, this.#handlers, this.#ignored].every(({ size }) => size === 0);
  }

  async #make(definition: unknown): Promise<void> {
    const given = isDefinition(definition) ? definition : {};
    const name = typeof given.name === "string" ? given.name : this.#at.name;
    if (isOwnTool(given)) return this.ignore("registerTool", name);
    try {
      const tool = await toTool(given, { given: "registered", at: this.#at, scope: this.#scope });
      this.#tools.set(tool.name, { ...tool, run: (...call) => tool.run(...call).finally(() => this.settled()) });
      this.#problems.delete(name);
    } catch (thrown) {
      this.#problems.set(name, toProblem(thrown, { ...this.#at, name }));
    }
  }
}

function isDefinition(value: unknown): value is Definition {
  return typeof value === "object" && value !== null;
}

/** Mostly a name comes first; else it is in what is registered, if anywhere. */
function nameOf(what: unknown): string {
  if (typeof what === "string") return what;
  const { id, name } = isDefinition(what) ? what : {};
  return String(id ?? name ?? "unnamed");
}
