import type { Access, Hints, Limits, Metadata, ToolAudience } from "../core/tool.ts";
import { isObject } from "../platform/values/is-object.ts";
import type { ArgsOf, ToolArgs } from "./args.ts";
import type { ToolOutput } from "./output.ts";
import type { ToolContext } from "./tool-function.ts";

export type { Metadata } from "../core/tool.ts";

/** A tool with an id and an async definition. */
export interface DefinedTool<A extends ToolArgs = ToolArgs, M extends Metadata = Metadata> {
  readonly id: string;
  /** Returns the definition for an agent. Its `execute` checks the arguments. By default, the current directory counts. */
  init(context?: Partial<DefineInit>): Promise<InitialisedTool<A, M>>;
}

/** The agent for which a tool is defined. */
export interface DefineAgent {
  readonly name: string;
}

/** The argument of the function that defines a tool. */
export interface DefineInit {
  /** The agent whose model makes the calls. Undefined for the definition that is listed, and for calls without an agent. */
  readonly agent?: DefineAgent | undefined;
  readonly directory: string;
  readonly worktree: string;
  readonly workspace: string;
}

/** The return value of `execute`. */
export interface DefineResult<M extends Metadata = Metadata> {
  readonly title: string;
  readonly metadata: M;
  readonly output: string;
  readonly attachments?: readonly unknown[];
}

/** The definition of a tool. Without a description, the text of `<id>.txt` in the folder of the file is used. */
export interface DefinedBy<A extends ToolArgs = ToolArgs, M extends Metadata = Metadata> extends ToolAudience {
  readonly description?: string;
  readonly parameters?: A;
  /** The schema of `metadata` in the results: field schemas, or one schema. Without it, `metadata` is not checked. */
  readonly output?: ToolOutput;
  execute(args: ArgsOf<A>, context: ToolContext<M>): DefineResult<M> | Promise<DefineResult<M>>;
  /** Returns the message for an invalid input. Receives the error of the schema library. */
  formatValidationError?(error: unknown): string;
  /** The files, commands and URLs that a call with these arguments accesses. Without it, a call is "undeclared". */
  access?(args: ArgsOf<A>, at: { cwd: string }): readonly Access[];
  readonly limits?: Limits;
  readonly hints?: Hints;
}

/** A definition whose `execute` checks the arguments: it rejects with a `ToolError` "invalid_input", and runs nothing. */
export interface InitialisedTool<A extends ToolArgs = ToolArgs, M extends Metadata = Metadata>
  extends Omit<DefinedBy<A, M>, "execute"> {
  execute(args: ArgsOf<A>, context: ToolContext<M>): Promise<DefineResult<M>>;
}

/** `define(id, definition)`, or `define(id, async (init) => definition)`. */
export type Define = <const A extends ToolArgs = Record<never, never>, M extends Metadata = Metadata>(
  id: string,
  definition:
    | DefinedBy<A, NoInfer<M>>
    | ((context: DefineInit) => DefinedBy<A, NoInfer<M>> | Promise<DefinedBy<A, NoInfer<M>>>),
) => DefinedTool<A, M>;

/** Returns the parsed arguments. Rejects with a `ToolError` if they are invalid. */
export type CheckArguments = (definition: object, id: string, args: unknown) => Promise<unknown>;

/** On a tool and on an initialised definition: the definition as its author wrote it. Other copies of this package read it. */
const WRITTEN = Symbol.for("toolwright.definition");

/** Creates `Tool.define`. */
export function createDefine(check: CheckArguments): Define {
  return (id, definition) => {
    const init = async (given: Partial<DefineInit> = {}): Promise<never> => {
      const written: unknown = typeof definition === "function" ? await definition(complete(given)) : definition;
      return checked(written, id, check) as never;
    };
    return typeof definition === "function" ? { id, init } : withWritten({ id, init }, definition);
  };
}

/** The definition as its author wrote it, if `value` has it: that of a tool without a function, or of an initialised one. */
export function writtenDefinition(value: unknown): unknown {
  return isObject(value) ? (value as Readonly<Record<symbol, unknown>>)[WRITTEN] : undefined;
}

function complete({ agent, directory = process.cwd(), worktree, workspace }: Partial<DefineInit>): DefineInit {
  const root = worktree ?? workspace ?? directory;
  return { agent, directory, worktree: root, workspace: workspace ?? root };
}

/** A value that is no definition stays as it is. The reader of the file reports it. */
function checked(written: unknown, id: string, check: CheckArguments): unknown {
  if (!isObject(written) || typeof written.execute !== "function") return written;
  const { execute } = written;
  return withWritten(
    Object.assign(Object.create(Object.getPrototypeOf(written)), written, {
      execute: async (args: unknown, context: unknown) =>
        execute.call(written, await check(written, id, args), context),
    }),
    written,
  );
}

function withWritten<T extends object>(value: T, written: unknown): T {
  return Object.defineProperty(value, WRITTEN, { value: written });
}
