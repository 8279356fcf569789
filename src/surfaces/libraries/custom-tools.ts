import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import type { Update } from "../../core/events.ts";
import type { Content, ToolResult } from "../../core/result.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { defined } from "../../platform/values/defined.ts";
import type { Environment } from "../../settings/defaults.ts";
import type { Toolbox, ToolboxOptions, UIContext } from "../../toolbox/toolbox.ts";

/** A result in the format of the pi agents. */
export interface CustomToolResult {
  readonly content: readonly Content[];
  readonly details?: unknown;
}

/** A tool of a file, to be called by a program. It runs in a host process. */
export interface LoadedCustomTool {
  readonly path: string;
  readonly resolvedPath: string;
  readonly tool: {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    /** Rejects with a `ToolError` when the call fails. */
    execute(
      toolCallId: string,
      params: unknown,
      onUpdate?: (partial: CustomToolResult) => void,
      context?: { readonly sessionID?: string },
      signal?: AbortSignal,
    ): Promise<CustomToolResult>;
  };
}

/** Loaded tools. Close it to end their host processes. */
export interface LoadedCustomTools extends AsyncDisposable {
  readonly tools: readonly LoadedCustomTool[];
  readonly errors: readonly { readonly path: string; readonly error: string }[];
  setUIContext(ui: UIContext, hasUI?: boolean): void;
  close(): Promise<void>;
}

export interface LoadOptions {
  readonly env?: Environment;
  /** Trusts the project until the tools are closed. */
  readonly trust?: boolean;
}

/** Opens a toolbox, and returns its tools in the format of the pi agents. */
export async function loadTools(options: ToolboxOptions, builtIns: readonly string[]): Promise<LoadedCustomTools> {
  const { openToolbox } = await import("../../toolbox/open-toolbox.ts");
  const toolbox = await openToolbox({ ...options, builtins: false });
  const enabled = toolbox.list().filter((tool) => tool.enabled);
  return {
    tools: enabled.filter(({ name }) => !builtIns.includes(name)).map((tool) => toLoaded(tool, toolbox)),
    errors: [
      ...toolbox.problems().map(({ file, line, message }) => ({
        path: file,
        error: line === undefined ? message : `line ${line}: ${message}`,
      })),
      ...toolbox.status.blocked.flatMap(({ files, fix }) =>
        files.map((path) => ({
          path,
          error: `The project of this file is not trusted. Set "trust" in the options to load it this time, or run: ${fix}`,
        })),
      ),
      ...enabled
        .filter(({ name }) => builtIns.includes(name))
        .map(({ name, file }) => ({ path: file, error: `The name "${name}" is taken by a built-in tool. Rename it.` })),
    ],
    setUIContext: (ui, hasUI = true) => toolbox.setUIContext(hasUI ? ui : undefined),
    close: () => toolbox.close(),
    [Symbol.asyncDispose]: () => toolbox.close(),
  };
}

function toLoaded(info: ToolInfo, toolbox: Toolbox): LoadedCustomTool {
  const { name, description, inputSchema, file, hints } = info;
  const execute: LoadedCustomTool["tool"]["execute"] = async (callID, input, onUpdate, context, signal) => {
    const { sessionID } = context ?? {};
    const run = toolbox.call({ name, input, callID, ...defined({ sessionID, signal: signal ?? undefined }) });
    for await (const event of run) if (event.type === "tool.update") onUpdate?.(toPartial(event));
    return toCustomResult(await run.result);
  };
  const tool = { name, label: hints.title ?? name, description, parameters: inputSchema, execute };
  return { path: file, resolvedPath: file, tool };
}

function toPartial({ title, metadata }: Update): CustomToolResult {
  const { output, ...details } = metadata ?? {};
  const text = typeof output === "string" ? output : (title ?? "");
  return { content: text === "" ? [] : [{ type: "text", text }], details };
}

function toCustomResult(result: ToolResult): CustomToolResult {
  if (!result.ok) throw result.error;
  return { content: result.content, ...(result.data === undefined ? {} : { details: result.data }) };
}
