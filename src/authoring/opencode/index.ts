import { tool } from "../tool-function.ts";

export { tool };

/** A plugin of OpenCode 2. Toolwright calls `setup` with its own context. */
export interface PluginDefinition {
  readonly id: string;
  setup(context: unknown): unknown;
}

/** Returns its argument, as in OpenCode. */
export function define<Definition>(plugin: Definition): Definition {
  return plugin;
}

/** `Plugin.define` of OpenCode 2. */
export const Plugin: { readonly define: typeof define } = { define };

/** An error of a tool of OpenCode 2: the model reads its message. */
class ToolFailure extends globalThis.Error {
  override readonly name: string = "Tool.Error";
  readonly _tag: string = "Tool.Error";
  readonly error?: unknown;
  readonly metadata?: unknown;

  constructor(
    given: string | { readonly message?: string; readonly error?: unknown; readonly metadata?: unknown } = "",
  ) {
    const { message = "", error, metadata } = typeof given === "string" ? { message: given } : given;
    super(message, error === undefined ? undefined : { cause: error });
    if (error !== undefined) this.error = error;
    if (metadata !== undefined) this.metadata = metadata;
  }
}

export { ToolFailure as Error };

/** A schema of OpenCode 2 whose `make` returns its argument. */
type Brand = Readonly<Record<string, unknown>>;

/** In OpenCode 2 these hold schemas. Here, every member returns its argument: `Agent.ID.make("build")` is `"build"`. */
function schemas(): Brand {
  const same = (value: unknown): unknown => value;
  const member: Brand = new Proxy(same, {
    get: (target, key) =>
      key === "then" || typeof key === "symbol" ? undefined : (Reflect.get(target, key) ?? member),
  }) as unknown as Brand;
  return member;
}

export const Agent: Brand = schemas();
export const CallID: Brand = schemas();
export const Command: Brand = schemas();
export const Connection: Brand = schemas();
export const Credential: Brand = schemas();
export const Integration: Brand = schemas();
export const Location: Brand = schemas();
export const Mcp: Brand = schemas();
export const Model: Brand = schemas();
export const PersistentPty: Brand = schemas();
export const Provider: Brand = schemas();
export const Reference: Brand = schemas();
export const Rpc: Brand = schemas();
export const Session: Brand = schemas();
export const Skill: Brand = schemas();
export const Vcs: Brand = schemas();
export const WebSearch: Brand = schemas();
/** The errors and schemas of tools. */
export const Tool: { readonly Error: typeof ToolFailure; readonly CallID: Brand; define<T>(definition: T): T } = {
  Error: ToolFailure,
  CallID,
  define,
};
