import { z } from "zod";
import type { Access, ToolContext as CallContext, Hints, Limits, ToolReturn } from "../core/tool.ts";
import type { ArgsOf, ToolArgs } from "./args.ts";
import type { ReturnedFor, ToolOutput } from "./output.ts";

export type { ArgsOf, FieldOf, ToolArgs } from "./args.ts";
export type { ReturnedFor, ToolOutput } from "./output.ts";

/** What a tool knows of the call it is in. */
export interface ToolContext extends CallContext {
  /** The session's messages, as the agent that calls has them; none where it does not tell. */
  readonly messages: readonly unknown[];
}

/** A tool as its author writes it. */
export interface ToolDefinition<
  A extends ToolArgs = ToolArgs,
  R extends ToolReturn = ToolReturn,
  O extends ToolOutput = ToolOutput,
> {
  /** What the tool does and when to use it. A model reads this. */
  readonly description: string;
  /** The fields of the arguments, or one schema for all of them. Left out: the tool takes none. */
  readonly args?: A;
  /**
   * The data that programs are given: fields, or one schema. What `execute` returns is checked against it, and clients that
   * take structured content get it. Left out: nothing is checked.
   */
  readonly output?: O;
  /**
   * Does the work. Return a string, `{ title?, output, metadata?, attachments? }`, `{ content, details?, isError? }`, or
   * any value, which is given to the model as JSON. Throw to fail the call.
   */
  execute(args: ArgsOf<A>, context: ToolContext): R | Promise<R>;
  /** What a call with these arguments touches. Without it, a call counts as "undeclared". */
  access?(args: ArgsOf<A>, at: { cwd: string }): readonly Access[];
  readonly limits?: Limits;
  readonly hints?: Hints;
  /** False for a tool that is not to be offered to the agents which other agents hand work to. */
  readonly subagents?: boolean;
  /** The providers and models that it is for, as wildcards: `anthropic`, `openai/gpt-*`. All where it says nothing. */
  readonly providers?: readonly string[];
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

/** Gives back the definition it is given: it is there for the types. */
export const tool: ToolFunction = Object.assign(
  <A extends ToolArgs, R, O extends ToolOutput>(definition: ToolDefinition<A, R, O>): ToolDefinition<A, R, O> =>
    definition,
  { schema: z },
);
