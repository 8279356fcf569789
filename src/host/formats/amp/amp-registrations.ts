import { COMMAND_NAME, MAX_COMMAND_DESCRIPTION } from "../../../core/file-command.ts";
import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { Listeners } from "../../../platform/values/listeners.ts";
import { buildTool, readDeclaredInput } from "../build-tool.ts";
import type { ExportProblem, FileCommand } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { plainResult } from "../frameworks/result-parts.ts";

export type AmpHandler = (event: object, context: object) => unknown;

/** `amp.registerTool()`, `amp.on()` and `amp.registerCommand()` return one. */
interface Subscription {
  unsubscribe(): void;
}

/** What a plugin of Amp has registered. It may register more at any time. */
export class AmpRegistrations {
  readonly #at: ExportContext;
  readonly #contextFor: (sessionID: string) => object;
  readonly #tools = new Map<string, Tool>();
  readonly #problems = new Map<string, ExportProblem>();
  readonly #handlers = new Map<string, Set<AmpHandler>>();
  readonly #commands = new Map<string, FileCommand>();
  readonly #disposers: (() => unknown)[] = [];
  readonly #changes = new Listeners();
  #adding: Promise<void> = Promise.resolve();

  constructor(at: ExportContext, contextFor: (sessionID: string) => object) {
    this.#at = at;
    this.#contextFor = contextFor;
  }

  /** A tool replaces an earlier one with the same name. It is listed once `settled` resolves. */
  addTool(definition: unknown): Subscription {
    this.#change(() => this.#add(definition));
    const remove = (): void => void this.#tools.delete(isObject(definition) ? String(definition.name) : "");
    return { unsubscribe: () => this.#change(remove) };
  }

  addHandler(event: string, handler: AmpHandler): Subscription {
    const handlers = this.#handlers.get(event) ?? new Set<AmpHandler>();
    this.#handlers.set(event, handlers.add(handler));
    this.#changes.emit(undefined);
    return { unsubscribe: () => void handlers.delete(handler) };
  }

  addCommand(id: unknown, options: unknown, handler: unknown): Subscription & { setAvailability(): void } {
    const name = String(id);
    const { description, title } = isObject(options) ? options : {};
    const text = description ?? title;
    if (COMMAND_NAME.test(name) && typeof handler === "function") {
      this.#commands.set(name, {
        name,
        ...(typeof text === "string" ? { description: text.slice(0, MAX_COMMAND_DESCRIPTION) } : {}),
        run: async (_args, { session }) => void (await handler(this.#contextFor(session.id))),
      });
      this.#changes.emit(undefined);
    }
    return { unsubscribe: () => void this.#commands.delete(name), setAvailability: () => {} };
  }

  addDisposer(dispose: unknown): void {
    if (typeof dispose === "function") this.#disposers.push(() => dispose());
  }

  /** Calls what the plugin wants to be called when it is unloaded, the newest first. `failed` gets errors. Never rejects. */
  async dispose(failed: (error: unknown) => void): Promise<void> {
    for (const dispose of this.#disposers.splice(0).reverse()) {
      try {
        await dispose();
      } catch (error) {
        failed(error);
      }
    }
  }

  /** Calls the listener after each registration. */
  onChange(listener: () => void): void {
    this.#changes.listen(listener);
  }

  /** Resolves when all tools that were added so far are listed. */
  settled(): Promise<void> {
    return this.#adding;
  }

  handlers(event: string): readonly AmpHandler[] {
    return [...(this.#handlers.get(event) ?? [])];
  }

  get events(): string[] {
    return [...this.#handlers.keys()];
  }

  get tools(): Tool[] {
    return [...this.#tools.values()];
  }

  get problems(): ExportProblem[] {
    return [...this.#problems.values()];
  }

  get commands(): FileCommand[] {
    return [...this.#commands.values()];
  }

  /** Changes of tools happen one after another. */
  #change(work: () => Promise<void> | void): void {
    this.#adding = this.#adding.then(work).then(() => this.#changes.emit(undefined));
  }

  async #add(definition: unknown): Promise<void> {
    let at: ExportContext = this.#at;
    try {
      const fields = isObject(definition) ? definition : {};
      const name = typeof fields.name === "string" ? fields.name : at.name;
      at = { ...at, name };
      this.#tools.set(name, await readAmpTool(fields, at, (call) => this.#contextFor(call.sessionID)));
      this.#problems.delete(name);
    } catch (thrown) {
      this.#problems.set(at.name, toProblem(thrown, at));
    }
  }
}

async function readAmpTool(
  definition: Readonly<Record<string, unknown>>,
  at: ExportContext,
  contextFor: (call: ToolContext) => object,
): Promise<Tool> {
  const { name, title, description, execute } = definition;
  if (typeof name !== "string" || typeof execute !== "function") {
    throw new ExportError(
      "bad_definition",
      `A tool of amp.registerTool() has no ${typeof name === "string" ? "function execute" : "name"}. Write amp.registerTool({ name: "…", description: "…", inputSchema: { … }, async execute(input, ctx) { … } }).`,
      typeof name === "string" ? name : undefined,
    );
  }
  return buildTool(
    {
      format: "amp-plugin",
      ownName: name,
      description,
      input: await readDeclaredInput(definition, ["inputSchema"], name),
      hints: typeof title === "string" ? { title } : {},
      run: async (input, call) => {
        const returned: unknown = await execute.call(definition, input, { ...call, ...contextFor(call) });
        return isBlocks(returned) ? { content: returned } : plainResult(returned);
      },
    },
    { ...at, member: name },
  );
}

function isBlocks(returned: unknown): returned is readonly unknown[] {
  if (!Array.isArray(returned) || returned.length === 0) return false;
  return returned.every((part) => isObject(part) && (part.type === "text" || part.type === "image"));
}
