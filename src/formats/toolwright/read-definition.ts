import { messageOf } from "../../core/error.ts";
import type { Schema } from "../../core/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { type ExportAt, Refusal, toProblem } from "../export-at.ts";
import { changeChecked } from "../frameworks/checked-input.ts";
import { declaredOutput, foreignTool, schemaOf } from "../frameworks/foreign-tool.ts";
import type { FormatHost, FromFile } from "../module.ts";
import { declaredAccess, readAudience, readHints, readLimits } from "./definition.ts";
import { describedBy } from "./description-file.ts";
import { authorContext } from "./read-tool.ts";

/** What `Tool.define()` gives back. */
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
  readonly providers?: unknown;
  execute(args: unknown, context: unknown): unknown;
  formatValidationError?(error: unknown): unknown;
}

/** A tool of `Tool.define()`: its `init` is run here, once. The files that may describe it are among the `reads`. */
export async function fromDefine(defined: Defined, at: ExportAt): Promise<FromFile> {
  const about = { format: "define", why: at.why, unsupportedFeatures: [] } as const;
  const reads: string[] = [];
  try {
    const definition = await initialised(defined, at.host);
    const description = describedBy(definition.description, {
      id: defined.id,
      file: at.file.path,
      host: at.host,
      reads,
    });
    const tool = foreignTool(
      {
        format: "define",
        ownName: defined.id,
        description,
        input: await inputOf(definition, defined.id),
        hints: readHints(definition.hints),
        run: async (args, context) => definition.execute(args, authorContext(context)),
      },
      at,
    );
    const declared = {
      limits: readLimits(definition.limits),
      ...(await declaredOutput(definition.output, defined.id)),
      ...accessOf(definition, defined.id),
      ...readAudience(definition),
    };
    return { tools: [{ ...tool, ...declared }], problems: [], about, made: true, reads };
  } catch (thrown) {
    return { tools: [], problems: [toProblem(thrown, { ...at, name: defined.id })], about, made: true, reads };
  }
}

async function initialised(defined: Defined, { cwd, worktree }: FormatHost): Promise<Definition> {
  const definition: unknown = await Promise.resolve()
    .then(() => defined.init({ agent: undefined, directory: cwd, worktree, workspace: worktree }))
    .catch((thrown: unknown) => {
      throw new Refusal("init_failed", `init of "${defined.id}" failed: ${messageOf(thrown)}`);
    });
  if (isDefinition(definition)) return definition;
  throw new Refusal(
    "bad_definition",
    `init of "${defined.id}" gave no definition. Return { description: "…", parameters: z.object({ … }), async execute(args, context) { … } }.`,
  );
}

function isDefinition(value: unknown): value is Definition {
  return typeof value === "object" && value !== null && "execute" in value && typeof value.execute === "function";
}

function accessOf(definition: Definition, id: string): Pick<Tool, "access"> {
  const { access } = definition;
  return access === undefined ? {} : { access: declaredAccess(access, definition, id) };
}

async function inputOf(definition: Definition, id: string): Promise<Schema> {
  const schema = await schemaOf(definition.parameters, id, "parameters");
  const { parameters } = definition;
  if (!definition.formatValidationError || !canParse(parameters)) return schema;
  return changeChecked(schema, async (checked, input) => {
    if (checked.ok) return checked;
    const { error } = await parameters.safeParseAsync(input);
    return { ok: false, issues: [{ path: "", message: String(definition.formatValidationError?.(error)) }] };
  });
}

/** The author's own words for an error are made of Zod's. */
function canParse(value: unknown): value is { safeParseAsync(input: unknown): Promise<{ error?: unknown }> } {
  return typeof value === "object" && value !== null && "safeParseAsync" in value;
}
