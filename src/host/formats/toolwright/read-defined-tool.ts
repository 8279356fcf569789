import { writtenDefinition } from "../../../authoring/define.ts";
import { messageOf } from "../../../core/error.ts";
import type { Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { buildTool, readOutputSchema } from "../build-tool.ts";
import type { Contributions, FormatHost } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { definedInput } from "./defined-input.ts";
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
        input: await definedInput(definition, defined.id),
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
      ...(writtenDefinition(defined) ? {} : { forAgent: perAgent(defined, definition, tool, at.host) }),
    };
    return { tools: [{ ...tool, ...fields }], problems: [], about, dependsOnHost: true, reads };
  } catch (thrown) {
    return { tools: [], problems: [toProblem(thrown, { ...at, name: defined.id })], about, dependsOnHost: true, reads };
  }
}

/** Callers name their agent: the definitions of the ones that have not called for the longest time are dropped. */
const MAX_AGENTS = 100;

/** Runs `init` once for each agent. It runs again at the next call if it has failed. */
function perAgent(defined: Defined, listed: Definition, tool: Tool, host: FormatHost): NonNullable<Tool["forAgent"]> {
  const definitions = new Map<string, ReturnType<NonNullable<Tool["forAgent"]>>>();
  const define: NonNullable<Tool["forAgent"]> = async (agent) => {
    const definition = await runInit(defined, host, agent);
    if (definition === listed) return { ...tool, ...accessOf(listed, defined.id) };
    return {
      input: await definedInput(definition, defined.id),
      run: async (args, { author }) => definition.execute(args, author),
      ...accessOf(definition, defined.id),
    };
  };
  return (agent) => {
    const known = definitions.get(agent) ?? define(agent);
    definitions.delete(agent);
    definitions.set(agent, known);
    known.catch(() => definitions.get(agent) === known && definitions.delete(agent));
    const [oldest] = definitions.keys();
    if (definitions.size > MAX_AGENTS && oldest !== undefined) definitions.delete(oldest);
    return known;
  };
}

/** `execute` of the returned definition does not check its arguments: the caller has done that. */
async function runInit(defined: Defined, { cwd, worktree }: FormatHost, agent?: string): Promise<Definition> {
  const given: unknown = await Promise.resolve()
    .then(() =>
      defined.init({
        agent: agent === undefined ? undefined : { name: agent },
        directory: cwd,
        worktree,
        workspace: worktree,
      }),
    )
    .catch((thrown: unknown) => {
      const whom = agent === undefined ? "" : ` for the agent "${agent}"`;
      throw new ExportError("init_failed", `init of "${defined.id}" failed${whom}: ${messageOf(thrown)}`);
    });
  const definition = writtenDefinition(given) ?? given;
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
