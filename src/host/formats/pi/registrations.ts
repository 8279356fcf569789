import type { CommandOptions, ExtensionContext } from "../../../authoring/pi/extension-types.ts";
import { COMMAND_NAME, MAX_COMMAND_DESCRIPTION } from "../../../core/file-command.ts";
import type { Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { ExportProblem, FileCommand } from "../contributions.ts";
import { type ExportContext, toProblem } from "../export-context.ts";
import { createCommandContext } from "./command-context.ts";
import { toTool } from "./definition-to-tool.ts";
import { type ContextOptions, createContext } from "./extension-context.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import type { PiEvent } from "./session-events.ts";

export type EventHandler = (event: Readonly<Record<string, unknown>>, context: ExtensionContext) => unknown;

/** The tools, commands and handlers that a file has registered. It may register more at any time. */
export class Registrations {
  readonly #at: ExportContext;
  readonly #runtime: PiRuntime;
  readonly #tools = new Map<string, Tool>();
  /** By tool name: a file may register the same invalid tool in each session. */
  readonly #problems = new Map<string, ExportProblem>();
  readonly #handlers = new Map<string, EventHandler[]>();
  readonly #commands = new Map<string, FileCommand>();
  readonly #ignored = new Map<string, Set<string>>();
  #adding: Promise<void> = Promise.resolve();

  constructor(at: ExportContext, runtime: PiRuntime) {
    this.#at = at;
    this.#runtime = runtime;
  }

  /** A tool replaces an earlier one with the same name. It is listed once `settled` resolves. */
  addTool(definition: unknown): void {
    this.#adding = this.#adding.then(() => this.#add(definition));
  }

  /** A command replaces an earlier one with the same name. */
  addCommand(given: unknown, options: unknown): void {
    const name = String(given).replace(/^\//, "");
    const { description, handler } = (isObject(options) ? options : {}) as Partial<CommandOptions>;
    if (!COMMAND_NAME.test(name) || typeof handler !== "function") {
      return void this.#problems.set(`/${name}`, badCommand(name, typeof handler === "function", this.#at));
    }
    const runtime = this.#runtime;
    this.#problems.delete(`/${name}`);
    this.#commands.set(name, {
      name,
      ...(typeof description === "string" ? { description: description.slice(0, MAX_COMMAND_DESCRIPTION) } : {}),
      run: async (args, at) => {
        const context = createCommandContext(runtime, at);
        await runtime.inDirectory(at.directory, () => handler.call(options, args, context));
        await this.settled();
      },
    });
  }

  on(event: string, handler: EventHandler): () => void {
    this.#handlers.set(event, [...this.handlers(event), handler]);
    return () =>
      void this.#handlers.set(
        event,
        this.handlers(event).filter((one) => one !== handler),
      );
  }

  /** Calls the handlers of an event one after another. An error of a handler is logged. */
  async emit(event: PiEvent, options: ContextOptions): Promise<void> {
    for (const handler of this.handlers(event.type)) {
      try {
        await this.#runtime.inDirectory(options.directory, () => handler(event, createContext(this.#runtime, options)));
      } catch (error) {
        this.#runtime.logFailure(`its handler of "${event.type}"`, error);
      }
    }
  }

  /** Records a registration that has no effect in Toolwright. */
  ignore(member: string, what: unknown): void {
    this.#ignored.set(member, (this.#ignored.get(member) ?? new Set()).add(nameOf(what)));
  }

  /** Resolves when all tools that were added so far are listed. */
  settled(): Promise<void> {
    return this.#adding;
  }

  handlers(event: string): readonly EventHandler[] {
    return this.#handlers.get(event) ?? [];
  }

  listensTo(...events: readonly string[]): boolean {
    return events.some((event) => this.handlers(event).length > 0);
  }

  get tools(): Tool[] {
    return [...this.#tools.values()];
  }

  get commands(): FileCommand[] {
    return [...this.#commands.values()];
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
    return [this.#tools, this.#problems, this.#handlers, this.#commands, this.#ignored].every(({ size }) => size === 0);
  }

  async #add(definition: unknown): Promise<void> {
    const fields = isObject(definition) ? definition : {};
    const name = typeof fields.name === "string" ? fields.name : this.#at.name;
    try {
      const tool = await toTool(fields, { providedAs: "registered", at: this.#at, runtime: this.#runtime });
      this.#tools.set(tool.name, { ...tool, run: (...call) => tool.run(...call).finally(() => this.settled()) });
      this.#problems.delete(name);
    } catch (thrown) {
      this.#problems.set(name, toProblem(thrown, { ...this.#at, name }));
    }
  }
}

function badCommand(name: string, hasHandler: boolean, { file, exportName }: ExportContext): ExportProblem {
  const shown = JSON.stringify(name.slice(0, 100));
  const message = hasHandler
    ? `${shown} is not a name for a command. Use up to 64 letters, digits, "_", "-", "." and ":".`
    : `The command ${shown} has no handler. Add async handler(args, ctx) { … }.`;
  return { file: file.path, exportName, code: "bad_definition", message };
}

/** The first argument of a register function: a name, or an object with one. */
function nameOf(what: unknown): string {
  if (typeof what === "string") return what;
  const { id, name } = isObject(what) ? what : {};
  return String(id ?? name ?? "unnamed");
}
