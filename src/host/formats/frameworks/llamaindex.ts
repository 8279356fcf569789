import type { Tool } from "../../../core/tool.ts";
import { buildTool, readDeclaredInput } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { withOptionalDefaults } from "./declared-defaults.ts";
import { plainResult } from "./result-parts.ts";

/** The return value of `tool()` and `FunctionTool.from()` of LlamaIndex. */
interface LlamaIndexTool {
  readonly metadata: { readonly name: string; readonly description?: unknown; readonly parameters?: unknown };
  call(input: unknown): unknown;
}

/** `call` gets the input only. It parses it again with the author's schema, so that defaults and transforms apply once. */
export async function readLlamaIndexTool(definition: LlamaIndexTool, at: ExportContext): Promise<Tool> {
  const { metadata } = definition;
  const { name, description } = metadata;
  const declared = "parameters" in metadata ? { parameters: withOptionalDefaults(metadata.parameters) } : {};
  return buildTool(
    {
      format: "llamaindex",
      ownName: name,
      description,
      input: await readDeclaredInput(declared, ["parameters"], name),
      run: async (input) => plainResult(await definition.call(input)),
    },
    at,
  );
}
