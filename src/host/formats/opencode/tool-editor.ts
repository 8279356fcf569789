import { messageOf } from "../../../core/error.ts";
import type { Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { ExportProblem } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { idOf, readSetupTool, type SetupTool } from "./setup-tool.ts";

/** Undoes a registration. */
export interface Registration {
  dispose(): Promise<void>;
}

type Transform = (editor: object) => unknown;

/** The tools that a plugin of OpenCode 2 adds. It may add and remove tools at any time. */
export class PluginTools {
  readonly #at: ExportContext;
  readonly #transforms = new Set<Transform>();
  readonly #onChange: () => void;
  /** Records a feature without effect. */
  readonly #ignore: (sentence: string) => void;
  #definitions = new Map<string, SetupTool>();
  #invalid: ExportProblem[] = [];
  #read = new Map<SetupTool, Tool | ExportProblem>();
  #reading: Promise<void> = Promise.resolve();

  constructor(at: ExportContext, onChange: () => void, ignore: (sentence: string) => void) {
    this.#at = at;
    this.#onChange = onChange;
    this.#ignore = ignore;
  }

  /** Calls a callback with the editor, now and after each reload. Rejects if it throws. */
  async transform(callback: Transform): Promise<Registration> {
    const given: Transform = (editor) => callback(editor);
    given(this.#editor());
    this.#transforms.add(given);
    await this.#refresh();
    return {
      dispose: async () => {
        if (this.#transforms.delete(given)) await this.reload();
      },
    };
  }

  /** Calls all callbacks again. */
  async reload(): Promise<void> {
    this.#definitions = new Map();
    this.#invalid = [];
    for (const transform of this.#transforms) {
      try {
        transform(this.#editor());
      } catch (error) {
        this.#at.host.log("warn", `${this.#at.file.path} failed while it added its tools again: ${messageOf(error)}`);
      }
    }
    await this.#refresh();
  }

  /** The definitions, as plugins see them. */
  list(): (SetupTool & { readonly id: string })[] {
    return [...this.#definitions].map(([id, definition]) => ({ ...definition, id }));
  }

  get tools(): Tool[] {
    return this.#results().filter((result) => "run" in result);
  }

  get problems(): ExportProblem[] {
    return [...this.#invalid, ...this.#results().filter((result) => "code" in result)];
  }

  #results(): (Tool | ExportProblem)[] {
    return [...this.#definitions.values()].flatMap((definition) => this.#read.get(definition) ?? []);
  }

  /** Reads new definitions. Schemas are read asynchronously. */
  #refresh(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      for (const [id, definition] of [...this.#definitions]) {
        if (this.#read.has(definition)) continue;
        const read = await readSetupTool(definition, { ...this.#at, name: id }).catch((error: unknown) =>
          toProblem(error, { ...this.#at, name: id }),
        );
        this.#read.set(definition, read);
      }
      const current = new Set(this.#definitions.values());
      for (const definition of this.#read.keys()) if (!current.has(definition)) this.#read.delete(definition);
      this.#onChange();
    });
    return this.#reading;
  }

  #editor(namespace?: string): object {
    return {
      list: () => this.list(),
      get: (id: string) => this.list().find((tool) => tool.id === id),
      add: (...given: unknown[]) => this.#add(given, namespace),
      namespace: (given: unknown) => this.#editor(isObject(given) ? String(given.name) : String(given)),
      update: (id: string, change: (tool: Record<string, unknown>) => void) => this.#update(id, change),
      remove: (id: string) => {
        if (!this.#definitions.delete(id)) this.#ignore(notOwn("remove", id));
      },
    };
  }

  /** `add(tool)`, and in betas `add(name, tool, options)` and `add({ name: tool }, options)`. */
  #add([first, second, third]: readonly unknown[], namespace: string | undefined): void {
    if (typeof first === "string") return this.#addOne({ ...fields(second), name: first }, fields(third), namespace);
    const given = fields(first);
    if (typeof given.execute === "function" || typeof given.name === "string")
      return this.#addOne(first, fields(second), namespace);
    for (const [name, tool] of Object.entries(given))
      this.#addOne({ name, ...fields(tool) }, fields(second), namespace);
  }

  #addOne(given: unknown, options: object, namespace: string | undefined): void {
    const tool = fields(given);
    const definition = {
      ...tool,
      // A method may use `this`.
      ...(typeof tool.execute === "function" ? { execute: tool.execute.bind(given) } : {}),
      options: { ...(namespace === undefined ? {} : { namespace }), ...fields(tool.options), ...options },
    } as unknown as SetupTool;
    if (typeof tool.name === "string" && typeof tool.execute === "function") {
      this.#definitions.set(idOf(definition), definition);
      return;
    }
    const name = typeof tool.name === "string" ? `"${tool.name}"` : "A tool";
    const missing = typeof tool.name === "string" ? "execute" : "name";
    const error = new ExportError("bad_definition", `${name} has no ${missing}. ${HOW_TO_ADD}`);
    this.#invalid.push(toProblem(error, this.#at));
  }

  #update(id: string, change: (tool: Record<string, unknown>) => void): void {
    const current = this.#definitions.get(id);
    if (!current) return this.#ignore(notOwn("update", id));
    const changed: Record<string, unknown> = { ...current, id, options: { ...current.options } };
    change(changed);
    const { namespace, group } = current.options ?? {};
    const options = { ...fields(changed.options), namespace, group };
    this.#definitions.set(id, { ...changed, name: current.name, options } as unknown as SetupTool);
  }
}

const HOW_TO_ADD =
  'Write tools.add({ name: "…", description: "…", input: { type: "object", properties: { … } }, execute: async (input) => ({ content: "…" }) }).';

function notOwn(method: "update" | "remove", id: string): string {
  return `tools.${method}("${id}") has no effect: a plugin can change only its own tools.`;
}

function fields(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
