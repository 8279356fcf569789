import { whileCalling } from "../../../authoring/pi/calling-tool.ts";
import { wrappedPiTool } from "../../../authoring/pi/pi-tool.ts";
import { messageOf } from "../../../core/error.ts";
import type { Checked, Schema } from "../../../core/schema.ts";
import type { Format, Hints, Limits, Tool } from "../../../core/tool.ts";
import { buildTool, readDeclaredInput, type ToolParts } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { argumentOrder, type ProvidedAs } from "./argument-order.ts";
import { createContext } from "./extension-context.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import { createRender } from "./tool-renderer.ts";

/** A tool definition of pi or oh-my-pi. No field is checked yet. */
export type PiDefinition = Readonly<Record<string, unknown>>;

/** Throws an `ExportError` if the definition cannot be served. */
export async function toTool(
  definition: PiDefinition,
  { providedAs, at, runtime }: { providedAs: ProvidedAs; at: ExportContext; runtime: PiRuntime },
): Promise<Tool> {
  const { execute, name } = definition;
  if (typeof name !== "string" || name === "") {
    throw new ExportError("bad_definition", 'A tool has no name. Add name: "…". Models call the tool by its name.');
  }
  if (typeof execute !== "function") {
    throw new ExportError(
      "bad_definition",
      `"${name}" has no execute function. Add async execute(toolCallId, params, …) { … }.`,
    );
  }
  const updateFirst = argumentOrder(execute, providedAs, runtime.system) === "update-first";
  const run: ToolParts["run"] = async (input, { callID, directory, abort: signal }, call) => {
    const { session, callBuiltin } = call;
    const context = createContext(runtime, { session, directory, signal });
    const update = (partial: unknown): void => call.partial(partial);
    const rest = updateFirst ? [update, context, signal] : [signal, update, context];
    return runtime.inDirectory(directory, () =>
      whileCalling({ directory, callBuiltin }, () => execute.call(definition, callID, input, ...rest)),
    );
  };
  const parts = {
    format: FORMATS[providedAs],
    ownName: name,
    description: describe(definition),
    input: withPreparedArguments(await readDeclaredInput(definition, ["parameters"], name), definition),
    hints: hintsOf(definition),
    run,
    authorFunction: execute as (...args: never[]) => unknown,
  };
  return {
    ...buildTool(parts, { ...at, ...(providedAs === "exported" ? {} : { member: name }) }),
    limits: limitsOf(definition),
    ...createRender(definition, runtime),
    ...sessionListener(definition, name, runtime),
  };
}

/** A tool that wraps a shell tool may run for as long as the built-in tool `bash`. */
function limitsOf(definition: PiDefinition): Limits {
  return wrappedPiTool(definition) === "bash" ? { timeoutMs: 610_000 } : {};
}

const FORMATS: Readonly<Record<ProvidedAs, Format>> = {
  registered: "pi-extension",
  returned: "factory",
  exported: "factory",
};

/** Pi adds `promptGuidelines` to its system prompt. Toolwright has none, so they are appended to the description. */
function describe({ description, promptGuidelines }: PiDefinition): unknown {
  if (typeof description !== "string" || !Array.isArray(promptGuidelines) || promptGuidelines.length === 0) {
    return description;
  }
  return `${description}\n\nGuidelines:\n${promptGuidelines.map((line) => `- ${line}`).join("\n")}`;
}

function hintsOf({ label, approval }: PiDefinition): Hints {
  return {
    ...(typeof label === "string" && label !== "" ? { title: label } : {}),
    ...(approval === "read" ? { readOnly: true } : {}),
  };
}

/** Pi calls `prepareArguments` before it validates the arguments. */
function withPreparedArguments(schema: Schema, definition: PiDefinition): Schema {
  const { prepareArguments } = definition;
  if (typeof prepareArguments !== "function") return schema;
  const check = (value: unknown): Checked | Promise<Checked> => {
    let prepared: unknown;
    try {
      prepared = prepareArguments.call(definition, structuredClone(value));
    } catch (error) {
      return {
        ok: false,
        issues: [{ path: "", message: `was rejected by prepareArguments of the tool: ${messageOf(error)}` }],
      };
    }
    return schema.check(prepared);
  };
  return { json: schema.json, check };
}

function sessionListener(definition: PiDefinition, name: string, runtime: PiRuntime): Pick<Tool, "onSession"> {
  const { onSession } = definition;
  if (typeof onSession !== "function") return {};
  return {
    onSession: async (event, session) => {
      try {
        const directory = runtime.directory();
        await onSession.call(definition, event, createContext(runtime, { session, directory }));
      } catch (error) {
        runtime.logFailure(`onSession of "${name}"`, error);
      }
    },
  };
}
