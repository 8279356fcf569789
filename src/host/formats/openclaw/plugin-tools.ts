import type { CallContext, Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { setBounded } from "../../../platform/values/set-bounded.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { buildTool, readDeclaredInput } from "../build-tool.ts";
import type { ExportProblem } from "../contributions.ts";
import { ExportError, toProblem } from "../export-context.ts";
import { identityOf, type PluginMoment, type PluginState } from "./plugin-state.ts";

type Definition = Readonly<Record<string, unknown>>;

/** Returns the tools for an agent and its session. */
type Factory = (context: object) => unknown;

/** The definitions of tools for a call. The same session gets the same ones. */
type DefinitionsAt = (call: CallContext) => Promise<readonly Definition[]>;

/** The tools that a plugin registers. It may register more at any time. */
export class PluginTools {
  readonly #state: PluginState;
  readonly #tools = new Map<string, Tool>();
  readonly #problems = new Map<string, ExportProblem>();
  #adding: Promise<void> = Promise.resolve();

  constructor(state: PluginState) {
    this.#state = state;
  }

  /** `registerTool`. The tools are listed once `settled` resolves. */
  add(given: unknown, options: unknown): void {
    const names = namesIn(options);
    this.#adding = this.#adding.then(() => this.#add(given, names)).then(this.#state.changed);
  }

  settled(): Promise<void> {
    return this.#adding;
  }

  get tools(): Tool[] {
    return [...this.#tools.values()];
  }

  get problems(): ExportProblem[] {
    return [...this.#problems.values()];
  }

  async #add(given: unknown, names: readonly string[]): Promise<void> {
    const { at } = this.#state;
    const name = names[0] ?? at.name;
    try {
      const factory = factoryOf(given);
      const definitions = definitionsIn(factory ? await factory(toolContext(undefined, this.#state)) : given, name);
      const current = factory && perSession(factory, this.#state, name);
      for (const definition of definitions) await this.#addOne(definition, { name, current });
      this.#noteMissing(names, definitions);
    } catch (thrown) {
      this.#problems.set(name, toProblem(thrown, { ...at, name }));
    }
  }

  async #addOne(
    definition: Definition,
    { name, current }: { name: string; current: DefinitionsAt | undefined },
  ): Promise<void> {
    const { at } = this.#state;
    let own = name;
    try {
      if (typeof definition.name === "string") own = definition.name;
      const tool = await toTool(definition, { name: own, current, state: this.#state });
      if (this.#tools.has(own)) throw new ExportError("name_taken", nameTaken(own), own);
      this.#tools.set(own, tool);
    } catch (thrown) {
      this.#problems.set(own, toProblem(thrown, { ...at, name: own }));
    }
  }

  /** A factory may offer a tool to some agents only. */
  #noteMissing(names: readonly string[], definitions: readonly Definition[]): void {
    // A single name may differ from that of the tool.
    const expected = names.length === 1 && definitions.length > 0 ? [] : names;
    const found = new Set(definitions.map((each) => tryOrUndefined(() => each.name)));
    for (const name of expected.filter((each) => !found.has(each))) {
      this.#state.ignore(`Its function for the tool "${name}" returned no tool here.`);
    }
  }
}

function namesIn(options: unknown): string[] {
  const { name, names } = isObject(options) ? options : {};
  const listed: unknown[] = Array.isArray(names) ? names : [];
  return [...new Set([name, ...listed].filter((each) => typeof each === "string"))];
}

function factoryOf(given: unknown): Factory | undefined {
  if (typeof given === "function") return given as Factory;
  if (!isObject(given) || typeof given.create !== "function" || "execute" in given) return undefined;
  return (context) => (given.create as Factory)(context);
}

/** A factory returns a tool, a list of tools, or nothing. */
function definitionsIn(returned: unknown, name: string): Definition[] {
  const list = Array.isArray(returned) ? returned.flat() : [returned];
  return list
    .filter((each) => each !== undefined && each !== null && each !== false)
    .map((each: unknown) => {
      if (isObject(each)) return each;
      throw new ExportError("bad_definition", `"${name}" is not a tool. ${EXAMPLE}`, name);
    });
}

const EXAMPLE = 'Write { name: "…", description: "…", parameters: { … }, async execute(toolCallId, params) { … } }.';

function nameTaken(name: string): string {
  return `The plugin registers two tools called "${name}". Rename one of them. Until then the first is served.`;
}

/** A tool that takes its arguments first, as in other systems, has "handler" or "run" in place of "execute". */
const INPUT_FIRST = ["handler", "run"];

async function toTool(
  definition: Definition,
  { name, current, state }: { name: string; current: DefinitionsAt | undefined; state: PluginState },
): Promise<Tool> {
  if (callable(definition) === undefined) {
    throw new ExportError("bad_definition", `"${name}" has no execute function. ${EXAMPLE}`, name);
  }
  const { description, label } = definition;
  return buildTool(
    {
      format: "openclaw-plugin",
      ownName: name,
      description,
      input: await readDeclaredInput(definition, ["parameters", "inputSchema", "input_schema", "schema"], name),
      hints: typeof label === "string" && label !== "" ? { title: label } : {},
      run: async (input, _context, call) => {
        const definitions = current ? await current(call) : [definition];
        const used = current ? definitions.find((each) => each.name === definition.name) : definition;
        if (!used) throw new Error(`The plugin "${state.settings.id}" does not offer "${name}" in this session.`);
        return runTool(used, input, call);
      },
    },
    { ...state.at, member: name },
  );
}

function callable(definition: Definition): string | undefined {
  return ["execute", ...INPUT_FIRST].find((key) => typeof definition[key] === "function");
}

function runTool(definition: Definition, input: unknown, call: CallContext): unknown {
  const { callID, abort: signal } = call.author;
  const onUpdate = (partial: unknown): void => call.partial(partial);
  const key = callable(definition) ?? "execute";
  const execute = definition[key] as (this: unknown, ...args: unknown[]) => unknown;
  if (INPUT_FIRST.includes(key)) return execute.call(definition, input, { toolCallId: callID, signal, onUpdate });
  return execute.call(definition, callID, input, signal, onUpdate);
}

const MAX_SESSIONS = 100;

/** The tools of a factory, made once for each agent and session. */
function perSession(factory: Factory, state: PluginState, name: string): DefinitionsAt {
  const made = new Map<string, Promise<readonly Definition[]>>();
  return (call) => {
    const { session, author } = call;
    const key = JSON.stringify([session.id, author.agent, author.directory]);
    const known = made.get(key);
    if (known) return known;
    const moment = { session, directory: author.directory, agent: author.agent };
    const making = (async () => definitionsIn(await factory(toolContext(moment, state)), name))();
    making.catch(() => made.delete(key));
    setBounded(made, key, making, MAX_SESSIONS);
    return making;
  };
}

/** The argument of a factory. The person at this computer is the owner. */
function toolContext(moment: PluginMoment | undefined, { at, settings }: PluginState): object {
  const workspaceDir = moment?.directory ?? at.host.cwd;
  return {
    ...identityOf(moment),
    config: settings.config,
    runtimeConfig: settings.config,
    getRuntimeConfig: () => settings.config,
    workspaceDir,
    agentDir: workspaceDir,
    messageChannel: "toolwright",
    senderIsOwner: true,
    sandboxed: false,
  };
}
