import type { FormatHost } from "../contributions.ts";
import type { HookCallback, SetupHooks } from "./setup-hooks.ts";
import type { PluginTools, Registration } from "./tool-editor.ts";

/** The parts of a plugin's context that have an effect in Toolwright. */
export interface SetupState {
  readonly host: FormatHost;
  readonly options: Readonly<Record<string, unknown>>;
  readonly tools: PluginTools;
  readonly hooks: SetupHooks;
  /** Aborted when the plugin is unloaded. */
  readonly unloaded: AbortSignal;
  /** Records a feature without effect. */
  ignore(sentence: string): void;
  /** Called after each change to the hooks. */
  changed(): void;
}

/**
 * The argument of `setup`. The server of OpenCode 2 is not running: parts of the context that change it are accepted and
 * recorded, lists are empty, and requests reject.
 */
export function createSetupContext(state: SetupState): object {
  const { host, options, tools } = state;
  const known: Record<string, unknown> = {
    app: { name: "opencode", version: "2.0.0" },
    location: {
      directory: host.cwd,
      project: { id: host.worktree, directory: host.worktree, canonical: host.worktree },
    },
    options,
    storage: memoryStorage(),
    tool: {
      transform: (callback: (editor: object) => unknown) => tools.transform(callback),
      reload: () => tools.reload(),
      list: async () => tools.list(),
      hook: async (event: string, callback: HookCallback) => addHook(event, callback, state),
    },
  };
  return new Proxy(known, {
    get: (target, key) =>
      typeof key === "symbol" || key === "then" || key in target ? target[key as string] : member([key], state),
  });
}

function addHook(event: string, callback: HookCallback, state: SetupState): Registration {
  const callbacks = state.hooks.of(event);
  if (!callbacks) return withoutEffect(`ctx.tool.hook("${event}")`, state);
  const given: HookCallback = (call) => callback(call);
  callbacks.add(given);
  state.changed();
  return {
    dispose: async () => {
      callbacks.delete(given);
      state.changed();
    },
  };
}

function withoutEffect(call: string, state: SetupState): Registration & { readonly events: object } {
  state.ignore(`${call} has no effect: it changes OpenCode, not its tools.`);
  return { dispose: async () => {}, events: { emit: async () => {} } };
}

/** A member of a part that Toolwright does not have, such as `ctx.session.prompt`. */
function member(path: readonly string[], state: SetupState): object {
  return new Proxy(() => {}, {
    get: (_, key) => (typeof key === "symbol" || key === "then" ? undefined : member([...path, key], state)),
    apply: (_target, _this, given: unknown[]) => callMember(path, given, state),
  });
}

function callMember(path: readonly string[], [first]: readonly unknown[], state: SetupState): unknown {
  const call = `ctx.${path.join(".")}`;
  switch (path.at(-1)) {
    case "transform":
    case "register":
      return Promise.resolve(withoutEffect(`${call}()`, state));
    case "hook":
      return Promise.resolve(withoutEffect(`${call}(${JSON.stringify(first)})`, state));
    case "on":
      return () => {};
    case "reload":
      return Promise.resolve();
    case "list":
      return Promise.resolve([]);
    case "subscribe":
      state.ignore(`${call}() yields nothing: only OpenCode has these events.`);
      return noEvents(signalIn(first), state.unloaded);
    case "rpc":
      return member([...path, "client"], state);
    default:
      return Promise.reject(
        new Error(
          `${call}() is not available: Toolwright does not run the OpenCode server. Tools and tool hooks of the plugin work without it.`,
        ),
      );
  }
}

function signalIn(options: unknown): AbortSignal | undefined {
  const { signal } = (options ?? {}) as { signal?: AbortSignal };
  return signal;
}

/** Ends when the plugin stops listening or is unloaded, not before: some plugins subscribe again when it ends. */
async function* noEvents(signal: AbortSignal | undefined, unloaded: AbortSignal): AsyncGenerator<never> {
  const ended = signal ? AbortSignal.any([signal, unloaded]) : unloaded;
  if (!ended.aborted) await new Promise((resolve) => ended.addEventListener("abort", resolve, { once: true }));
}

/** Values of one plugin. They are lost when its process ends. */
function memoryStorage(): object {
  const values = new Map<string, string>();
  const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
  return {
    get: async (key: string) => parsed(values.get(key)),
    set: async (key: string, value: unknown) => {
      const text = JSON.stringify(value);
      if (text === undefined) values.delete(key);
      else values.set(key, text);
    },
    remove: async (key: string) => void values.delete(key),
    scan: async ({ prefix = "" }: { prefix?: string } = {}) => ({
      entries: [...values].flatMap(([key, text]) => (key.startsWith(prefix) ? [{ key, value: parsed(text) }] : [])),
    }),
  };
}
