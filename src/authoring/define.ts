import type { Access, Hints, Limits, ToolAudience } from "../core/tool.ts";
import type { ArgsOf, ToolArgs } from "./args.ts";
import type { ToolOutput } from "./output.ts";
import type { ToolContext } from "./tool-function.ts";

/** A tool with an id and an async definition. */
export interface DefinedTool<A extends ToolArgs = ToolArgs> {
  readonly id: string;
  init(context: DefineInit): Promise<DefinedBy<A>>;
}

/** The argument of `init`. */
export interface DefineInit {
  readonly agent?: unknown;
  readonly directory: string;
  readonly worktree: string;
  readonly workspace: string;
}

/** The return value of `execute`. */
export interface DefineResult {
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly attachments?: readonly unknown[];
}

/** The definition of a tool. Without a description, the text of `<id>.txt` in the folder of the file is used. */
export interface DefinedBy<A extends ToolArgs = ToolArgs> extends ToolAudience {
  readonly description?: string;
  readonly parameters?: A;
  /** The schema of `metadata` in the results: field schemas, or one schema. Without it, `metadata` is not checked. */
  readonly output?: ToolOutput;
  execute(args: ArgsOf<A>, context: ToolContext): DefineResult | Promise<DefineResult>;
  /** Returns the message for an invalid input. Receives the error of the schema library. */
  formatValidationError?(error: unknown): string;
  /** The files, commands and URLs that a call with these arguments accesses. Without it, a call is "undeclared". */
  access?(args: ArgsOf<A>, at: { cwd: string }): readonly Access[];
  readonly limits?: Limits;
  readonly hints?: Hints;
}

/** The types of `Tool.define`. */
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
