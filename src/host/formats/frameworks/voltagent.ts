import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { buildTool, readAdvisoryOutput, readDeclaredInput } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { askIfNeeded } from "./approval.ts";
import { fromModelOutput } from "./model-output.ts";
import { lastYielded, plainResult, structuredResult } from "./result-parts.ts";
import { sessionValues } from "./session-values.ts";

/** The return value of `createTool()` of VoltAgent. */
interface VoltAgentTool {
  readonly name: string;
  readonly description?: unknown;
  readonly parameters?: unknown;
  readonly outputSchema?: unknown;
  readonly needsApproval?: unknown;
  readonly hooks?: {
    onStart?(event: object): unknown;
    onEnd?(event: object): unknown;
  };
  execute?(input: unknown, options: unknown): unknown;
  toModelOutput?(result: { readonly output: unknown }): unknown;
}

export async function readVoltAgentTool(definition: VoltAgentTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition;
  if (typeof definition.execute !== "function") {
    throw new ExportError(
      "bad_definition",
      `"${name}" has no execute function, so only a client of VoltAgent could run it. Add async execute(args, options) { … }.`,
      name,
    );
  }
  const output = await readAdvisoryOutput(definition.outputSchema);
  return buildTool(
    {
      format: "voltagent",
      ownName: name,
      description,
      input: await readDeclaredInput(definition, ["parameters"], name),
      output,
      run: async (input, context, call) => {
        const options = optionsOf(name, context, at);
        await askIfNeeded(definition.needsApproval, { tool: name, input, context }, [input, options]);
        const returned = await withHooks(definition, { input, options }, async () =>
          lastYielded(await definition.execute?.(input, options), call),
        );
        const shown = definition.toModelOutput
          ? fromModelOutput(await definition.toModelOutput({ output: returned }))
          : undefined;
        if (output !== undefined) return structuredResult(returned, isObject(shown) ? shown : undefined);
        return shown ?? plainResult(returned);
      },
      authorFunction: definition.execute,
    },
    at,
  );
}

/** `onEnd` may replace the output. It also gets the error of a call. */
async function withHooks(
  definition: VoltAgentTool,
  { input, options }: { readonly input: unknown; readonly options: object },
  work: () => Promise<unknown>,
): Promise<unknown> {
  const event = { tool: definition, args: input, options };
  await definition.hooks?.onStart?.(event);
  let output: unknown;
  try {
    output = await work();
  } catch (error) {
    await definition.hooks?.onEnd?.({ ...event, error });
    throw error;
  }
  const changed: unknown = await definition.hooks?.onEnd?.({ ...event, output });
  return isObject(changed) && "output" in changed ? changed.output : output;
}

/** The second argument of `execute` in VoltAgent, in addition to the context of every tool. */
function optionsOf(name: string, context: ToolContext, { host }: ExportContext): object {
  const { callID, sessionID, messages, abort } = context;
  const log =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: unknown, data?: unknown): void =>
      host.log(level, String(message), data);
  return {
    ...context,
    operationId: callID,
    conversationId: sessionID,
    context: contextOf(sessionValues(host, "voltagent", sessionID)),
    isActive: true,
    logger: { trace: log("debug"), debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    abortController: { signal: abort, abort: () => {} },
    toolContext: { name, callId: callID, messages, abortSignal: abort },
  };
}

/** The map that the calls of one conversation share. */
function contextOf(values: Record<string, unknown>): unknown {
  values.context ??= new Map<unknown, unknown>();
  return values.context;
}
