import { messageOf } from "../../../core/error.ts";
import type { Schema } from "../../../core/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { buildTool, readDeclaredInput, readOutputSchema } from "../build-tool.ts";
import type { Contributions, FormatHost } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { mapChecked } from "../frameworks/checked-input.ts";
import { checkedAccess, readAudience, readHints, readLimits } from "./definition-fields.ts";
import { readDescription } from "./description-file.ts";

/** The return value of `Tool.define()`. */
interface Defined {
  readonly id: string;
  init(context: unknown): unknown;
}

interface Definition {
  readonly description?: unknown;
  readonly parameters?: unknown;
  readonly output?: unknown;
  readonly limits?: unknown;
  readonly hints?: unknown;
  readonly access?: unknown;
  readonly subagents?: unknown;
  readonly delegates?: unknown;
  readonly providers?: unknown;
  execute(args: unknown, context: unknown): unknown;
  formatValidationError?(error: unknown): unknown;
}

/** Reads a tool of `Tool.define()`. Calls its `init` once. */
export async function readDefinedTool(defined: Defined, at: ExportContext): Promise<Contributions> {
  const about = { format: "define", why: at.why, unsupportedFeatures: [] } as const;
  const reads: string[] = [];
  try {
    const definition = await runInit(defined, at.host);
    const description = readDescription(definition.description, {
      id: defined.id,
      file: at.file.path,
      host: at.host,
      reads,
    });
    const tool = buildTool(
      {
        format: "define",
        ownName: defined.id,
        description,
        input: await inputOf(definition, defined.id),
        hints: readHints(definition.hints),
        run: async (args, context) => definition.execute(args, context),
        authorFunction: definition.execute,
      },
      at,
    );
    const fields = {
      limits: readLimits(definition.limits),
      ...(await readOutputSchema(definition.output, defined.id)),
      ...accessOf(definition, defined.id),
      ...readAudience(definition),
      ...(definition.delegates === true ? { delegates: true } : {}),
    };
    return { tools: [{ ...tool, ...fields }], problems: [], about, dependsOnHost: true, reads };
  } catch (thrown) {
    return { tools: [], problems: [toProblem(thrown, { ...at, name: defined.id })], about, dependsOnHost: true, reads };
  }
}

async function runInit(defined: Defined, { cwd, worktree }: FormatHost): Promise<Definition> {
  const definition: unknown = await Promise.resolve()
    .then(() => defined.init({ agent: undefined, directory: cwd, worktree, workspace: worktree }))
    .catch((thrown: unknown) => {
      throw new ExportError("init_failed", `init of "${defined.id}" failed: ${messageOf(thrown)}`);
    });
  if (isDefinition(definition)) return definition;
  throw new ExportError(
    "bad_definition",
    `init of "${defined.id}" returned no definition. Return { description: "…", parameters: z.object({ … }), async execute(args, context) { … } }.`,
  );
}

function isDefinition(value: unknown): value is Definition {
  return isObject(value) && typeof value.execute === "function";
}

function accessOf(definition: Definition, id: string): Pick<Tool, "access"> {
  const { access } = definition;
  return access === undefined ? {} : { access: checkedAccess(access, definition, id) };
}

async function inputOf(definition: Definition, id: string): Promise<Schema> {
  const schema = await readDeclaredInput(definition, ["parameters"], id);
  const { parameters } = definition;
  if (!definition.formatValidationError || !canParse(parameters)) return schema;
  return mapChecked(schema, async (checked, input) => {
    if (checked.ok) return checked;
    const { error } = await parameters.safeParseAsync(input);
    return { ok: false, issues: [{ path: "", message: String(definition.formatValidationError?.(error)) }] };
  });
}

/** `formatValidationError` receives the error of Zod. */
function canParse(value: unknown): value is { safeParseAsync(input: unknown): Promise<{ error?: unknown }> } {
  return typeof value === "object" && value !== null && "safeParseAsync" in value;
}
