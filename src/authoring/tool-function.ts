import { z } from "zod";
import type { Access, Hints, Limits, ToolAudience, ToolContext, ToolReturn } from "../core/tool.ts";
import type { ArgsOf, ToolArgs } from "./args.ts";
import type { ReturnedFor, ToolOutput } from "./output.ts";

export type { ToolContext } from "../core/tool.ts";
export type { ArgsOf, FieldOf, ToolArgs } from "./args.ts";
export type { ReturnedFor, ToolOutput } from "./output.ts";

/** The argument of `tool()`. */
export interface ToolDefinition<
  A extends ToolArgs = ToolArgs,
  R extends ToolReturn = ToolReturn,
  O extends ToolOutput = ToolOutput,
> extends Omit<ToolAudience, "delegates"> {
  /** What the tool does and when to use it. A model reads this. */
  readonly description: string;
  /** Field schemas of the arguments, or one schema of an object. Without it, the tool has no arguments. */
  readonly args?: A;
  /**
   * The schema of the data for programs: field schemas, or one schema. The return value of `execute` is checked against it,
   * and clients receive it as structured content. Without it, nothing is checked.
   */
  readonly output?: O;
  /**
   * Does the work. Return a string, `{ title?, output, metadata?, attachments? }`, `{ content, details?, isError? }`, or
   * any value, which the model reads as JSON. Throw to fail the call.
   */
  execute(args: ArgsOf<A>, context: ToolContext): R | Promise<R>;
  /** The files, commands and URLs that a call with these arguments accesses. Without it, a call is "undeclared". */
  access?(args: ArgsOf<A>, at: { cwd: string }): readonly Access[];
  readonly limits?: Limits;
  readonly hints?: Hints;
}

/** `tool()`, and Zod as `tool.schema`. */
export interface ToolFunction {
  <
    const A extends ToolArgs = Record<never, never>,
    const O extends ToolOutput = ToolOutput,
    R extends ReturnedFor<O> = ReturnedFor<O>,
  >(
    definition: ToolDefinition<A, R, O>,
  ): ToolDefinition<A, R, O>;
  readonly schema: typeof z;
}

/** Returns its argument. It only adds types. */
export const tool: ToolFunction = Object.assign(
  <A extends ToolArgs, R, O extends ToolOutput>(definition: ToolDefinition<A, R, O>): ToolDefinition<A, R, O> =>
    definition,
  { schema: z },
);
