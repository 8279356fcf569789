import { homedir } from "node:os";
import { resolve } from "node:path";
import { ToolError } from "../../core/error.ts";
import { type Content, textOf } from "../../core/result.ts";
import type { InnerCallOptions, InnerResult } from "../../core/tool.ts";
import { type CallingTool, callingTool } from "./calling-tool.ts";

/** A result of a tool of pi. */
export interface PiResult {
  content: Content[];
  details: Readonly<Record<string, unknown>> | undefined;
}

type OnUpdate = (partial: PiResult) => void;

/** The members of a context of pi that its built-in tools use. */
interface PiToolContext {
  readonly cwd?: string;
}

/** A built-in tool of pi. */
export interface PiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly promptSnippet: string;
  readonly promptGuidelines: readonly string[];
  readonly parameters: object;
  prepareArguments?(args: unknown): unknown;
  execute(
    toolCallId: string,
    params: Readonly<Record<string, never>>,
    signal?: AbortSignal,
    onUpdate?: OnUpdate,
    ctx?: PiToolContext,
  ): Promise<PiResult>;
  renderCall(args: unknown, theme?: unknown): object;
  renderResult(result: PiResult, options?: { readonly expanded?: boolean }): object;
}

/** One execution of a built-in tool of pi. */
export interface Execution {
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: OnUpdate | undefined;
  /** The directory that relative paths refer to. */
  readonly cwd: string;
  /** Runs the built-in tool of Toolwright. Rejects if it fails. */
  run(tool: string, input: unknown, options?: Pick<InnerCallOptions, "onUpdate">): Promise<Ran>;
  /** The working directory of the call. */
  readonly directory: string;
}

/** The result of a built-in tool of Toolwright that has not failed. */
export type Ran = InnerResult & { readonly ok: true };

/** The definition of a built-in tool of pi: without what all of them have in common. */
interface PiToolParts<P>
  extends Pick<PiTool, "name" | "description" | "promptSnippet" | "parameters" | "prepareArguments"> {
  /** The argument to show in the line of a call. */
  readonly shown: keyof P & string;
  execute(params: P, execution: Execution): Promise<PiResult>;
}

const WRAPS = Symbol.for("toolwright.wraps-pi-tool");

/** The built-in tool of pi whose parameters a tool has. */
export function wrappedPiTool({ parameters }: { readonly parameters?: unknown }): string | undefined {
  if (typeof parameters !== "object" || parameters === null) return undefined;
  return (parameters as { [WRAPS]?: string })[WRAPS];
}

/** `cwd` is the directory that the file passed to the factory. */
export function piTool<P>(cwd: string | undefined, parts: PiToolParts<P>): PiTool {
  const { name, shown, prepareArguments } = parts;
  // Not enumerable, so that it is no part of the schema.
  const parameters = Object.defineProperty(parts.parameters, WRAPS, { value: name });
  return {
    name,
    label: name,
    description: parts.description,
    promptSnippet: parts.promptSnippet,
    promptGuidelines: [],
    parameters,
    ...(prepareArguments ? { prepareArguments } : {}),
    execute: async (_toolCallId, params, signal, onUpdate, ctx) =>
      parts.execute(params as P, execution(name, { cwd, signal, onUpdate, ctx })),
    renderCall: (args) => lines([`${name} ${String(Object(args)[shown] ?? "")}`.trimEnd()]),
    renderResult: ({ content }, options) => lines(resultLines(textOf(content), options?.expanded ?? false)),
  };
}

function execution(
  name: string,
  at: {
    cwd: string | undefined;
    signal: AbortSignal | undefined;
    onUpdate: OnUpdate | undefined;
    ctx: PiToolContext | undefined;
  },
): Execution {
  const { signal, onUpdate } = at;
  let found: CallingTool | undefined;
  const call = (): CallingTool => {
    found ??= callingTool(name);
    return found;
  };
  return {
    signal,
    onUpdate,
    get directory() {
      return call().directory;
    },
    get cwd() {
      // A file that passes its own working directory means that of the session.
      return at.ctx?.cwd ?? (at.cwd === undefined || at.cwd === process.cwd() ? call().directory : at.cwd);
    },
    run: async (tool, input, options) => {
      const result = await call().callBuiltin(tool, input, { signal, onUpdate: guarded(options?.onUpdate) });
      if (result.ok) return result;
      throw new ToolError(result.code, result.message);
    },
  };
}

/** An error of the author's update function must not end the host process. */
function guarded(onUpdate: InnerCallOptions["onUpdate"]): InnerCallOptions["onUpdate"] {
  if (!onUpdate) return undefined;
  return (update) => {
    try {
      onUpdate(update);
    } catch (error) {
      console.error("An update function of a tool failed:", error);
    }
  };
}

/** A path from a model, as pi resolves it. */
export function resolvePiPath(path: string, cwd: string): string {
  return resolve(
    cwd,
    path.replace(/^@/, "").replace(/^~(?=$|[\\/])/, () => homedir()),
  );
}

/** A path for a built-in tool: as written, if it is relative to the directory of the call. */
export function pathFor(path: string, { cwd, directory }: Execution): string {
  const written = path.replace(/^@/, "");
  return cwd === directory ? written : resolvePiPath(path, cwd);
}

export function textResult(value: string, details?: PiResult["details"]): PiResult {
  return { content: [{ type: "text", text: value }], details };
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Error("Operation aborted");
}

const COLLAPSED_LINES = 10;

function resultLines(shown: string, expanded: boolean): string[] {
  const all = shown.split("\n");
  const more = all.length - COLLAPSED_LINES;
  return expanded || more <= 0 ? all : [...all.slice(0, COLLAPSED_LINES), `... (${more} more lines)`];
}

/** A component of a terminal UI. */
function lines(shown: string[]): object {
  return { render: () => shown, invalidate: () => {} };
}
