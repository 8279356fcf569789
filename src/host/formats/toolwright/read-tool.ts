import type { Tool } from "../../../core/tool.ts";
import { originOf, readDeclaredInput, readOutputSchema } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { toolName } from "../tool-name.ts";
import { checkedAccess, readAudience, readHints, readLimits } from "./definition-fields.ts";

type ToolObject = Readonly<Record<string, unknown>> & { execute(args: unknown, context: unknown): unknown };

/** Reads the argument of `tool({ … })`, or a plain object of that shape. */
export async function readTool(definition: ToolObject, at: ExportContext): Promise<Tool> {
  const name = toolName(undefined, at);
  const { description, access, subagents, providers } = definition;
  if (typeof description !== "string" || description.trim() === "") {
    throw new ExportError(
      "bad_definition",
      `"${name}" has no description. Add description: "…", a text that tells a model what the tool does and when to use it.`,
    );
  }
  const limits = readLimits(definition.limits);
  const hints = readHints(definition.hints);
  const declared = access === undefined ? {} : { access: checkedAccess(access, definition, name) };
  return {
    name,
    description,
    input: await readDeclaredInput(definition, ["args"], name),
    ...(await readOutputSchema(definition.output, name)),
    origin: originOf("tool", at),
    limits,
    hints,
    ...readAudience({ subagents, providers }),
    ...declared,
    run: async (input, { author }) => definition.execute(input, author),
    authorFunction: definition.execute,
  };
}
