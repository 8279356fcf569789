import { messageOf } from "../../core/error.ts";
import type { Checked, Schema } from "../../core/schema.ts";
import type { Format, Hints, Tool } from "../../core/tool.ts";
import { buildTool, readInputSchema } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { argumentOrder, type ProvidedAs } from "./argument-order.ts";
import { createContext } from "./extension-context.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import { createRender } from "./tool-renderer.ts";

/** A tool of pi or oh-my-pi, of which nothing is sure yet. */
export type Definition = Readonly<Record<string, unknown>>;

/** Makes a `Tool` of a definition. Refuses one that cannot be served. */
export async function toTool(
  definition: Definition,
  { providedAs, at, runtime }: { providedAs: ProvidedAs; at: ExportContext; runtime: PiRuntime },
): Promise<Tool> {
  const { execute, name } = definition;
  if (typeof name !== "string" || name === "") {
    throw new ExportError("bad_definition", 'A tool has no name. Add name: "…", which is what a model calls it by.');
  }
  if (typeof execute !== "function") {
    throw new ExportError(
      "bad_definition",
      `"${name}" has no function execute. Add async execute(toolCallId, params, …) { … }, which does the work.`,
    );
  }
  const updateFirst = argumentOrder(execute, providedAs, runtime.system) === "update-first";
  const run: Tool["run"] = async (input, call) => {
    const { session, directory, abort: signal } = call;
    const context = createContext(runtime, { session, directory, signal });
    const update = (partial: unknown): void => call.partial(partial);
    const rest = updateFirst ? [update, context, signal] : [signal, update, context];
    return runtime.inDirectory(directory, () => execute.call(definition, call.callID, input, ...rest));
  };
  const foreign = {
    format: FORMATS[providedAs],
    ownName: name,
    description: describe(definition),
    input: prepared(await readInputSchema(definition.parameters, name, "The parameters"), definition),
    hints: hintsOf(definition),
    run,
  };
  return {
    ...buildTool(foreign, { ...at, ...(providedAs === "exported" ? {} : { member: name }) }),
    ...createRender(definition, runtime),
    ...listening(definition, name, runtime),
  };
}

const FORMATS: Readonly<Record<ProvidedAs, Format>> = {
  registered: "pi-extension",
  returned: "factory",
  exported: "factory",
};

/** Pi puts the guidelines into its system prompt. Here there is none, and a model reads the description. */
function describe({ description, promptGuidelines }: Definition): unknown {
  if (typeof description !== "string" || !Array.isArray(promptGuidelines) || promptGuidelines.length === 0) {
    return description;
  }
  return `${description}\n\nGuidelines:\n${promptGuidelines.map((line) => `- ${line}`).join("\n")}`;
}

function hintsOf({ label, approval }: Definition): Hints {
  return {
    ...(typeof label === "string" && label !== "" ? { title: label } : {}),
    ...(approval === "read" ? { readOnly: true } : {}),
  };
}

/** Pi lets a tool mend its raw arguments before they are judged. */
function prepared(schema: Schema, definition: Definition): Schema {
  const { prepareArguments } = definition;
  if (typeof prepareArguments !== "function") return schema;
  const check = (value: unknown): Checked | Promise<Checked> => {
    let mended: unknown;
    try {
      mended = prepareArguments.call(definition, structuredClone(value));
    } catch (error) {
      return { ok: false, issues: [{ path: "", message: `was refused by the tool: ${messageOf(error)}` }] };
    }
    return schema.check(mended);
  };
  return { json: schema.json, check };
}

function listening(definition: Definition, name: string, runtime: PiRuntime): Pick<Tool, "onSession"> {
  const { onSession } = definition;
  if (typeof onSession !== "function") return {};
  return {
    onSession: async (event, session) => {
      try {
        const directory = runtime.directory();
        await onSession.call(definition, event, createContext(runtime, { session, directory }));
      } catch (error) {
        runtime.failed(`onSession of "${name}"`, error);
      }
    },
  };
}
