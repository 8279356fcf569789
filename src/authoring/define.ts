import type { Access, Hints, Limits } from "../core/tool.ts";
import type { ArgsOf, ToolArgs } from "./args.ts";
import type { ToolOutput } from "./output.ts";
import type { ToolContext } from "./tool-function.ts";

/** A tool with an id of its own, whose definition may take time to make. */
export interface DefinedTool<A extends ToolArgs = ToolArgs> {
  readonly id: string;
  init(context: DefineInit): Promise<DefinedBy<A>>;
}

/** What a definition is made from. */
export interface DefineInit {
  readonly agent?: unknown;
  readonly directory: string;
  readonly worktree: string;
  readonly workspace: string;
}

/** What its `execute` returns. */
export interface DefineResult {
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly attachments?: readonly unknown[];
}

/** A definition: without a description, the text of `<id>.txt` beside the file is taken. */
export interface DefinedBy<A extends ToolArgs = ToolArgs> {
  readonly description?: string;
  readonly parameters?: A;
  /** What `metadata` holds in its results: fields, or one schema. Left out: nothing is checked. */
  readonly output?: ToolOutput;
  execute(args: ArgsOf<A>, context: ToolContext): DefineResult | Promise<DefineResult>;
  /** Words for an input that was refused; given the error of the schema's library. */
  formatValidationError?(error: unknown): string;
  /** What a call with these arguments touches. Without it, a call counts as "undeclared". */
  access?(args: ArgsOf<A>, at: { cwd: string }): readonly Access[];
  readonly limits?: Limits;
  readonly hints?: Hints;
  /** False for a tool that is not to be offered to the agents which other agents hand work to. */
  readonly subagents?: boolean;
  /** The providers and models that it is for, as wildcards: `anthropic`, `openai/gpt-*`. All where it says nothing. */
  readonly providers?: readonly string[];
}

/** The types that go with `Tool.define`. */
export declare namespace Tool {
  type Context = ToolContext;
  type InitContext = DefineInit;
  type Result = DefineResult;
  type Definition<A extends ToolArgs = ToolArgs> = DefinedBy<A>;
  type Info<A extends ToolArgs = ToolArgs> = DefinedTool<A>;
}

/** `Tool.define(id, definition)`, or `Tool.define(id, async (init) => definition)`. */
export const Tool: {
  define<const A extends ToolArgs = Record<never, never>>(
    id: string,
    definition: DefinedBy<A> | ((context: DefineInit) => DefinedBy<A> | Promise<DefinedBy<A>>),
  ): DefinedTool<A>;
} = {
  define: (id, definition) => ({
    id,
    init: async (context) => (typeof definition === "function" ? definition(context) : definition),
  }),
};
