import type { ToolContext } from "../../../authoring/tool-function.ts";
import type { CallContext, Tool } from "../../../core/tool.ts";
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
    run: async (input, context) => definition.execute(input, authorContext(context)),
    authorFunction: definition.execute,
  };
}

/** The context of a call without the fields for adapters. Runs on every call, so fields are listed instead of spread. */
export function authorContext(context: CallContext): ToolContext {
  const { sessionID, messageID, callID, agent, directory, worktree, abort, extra, metadata, session } = context;
  const { write, ask, permit, permitted, permittedBelow, state, limits, delegate } = context;
  const messages = session.messages ?? [];
  const services = { write, ask, permit, permitted, permittedBelow, state, limits, delegate };
  return { sessionID, messageID, callID, agent, directory, worktree, abort, extra, metadata, messages, ...services };
}
