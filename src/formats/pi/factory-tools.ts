import { isObject } from "../../core/is-object.ts";
import type { Tool } from "../../core/tool.ts";
import type { Contributions, ExportProblem } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { type Definition, toTool } from "./definition-to-tool.ts";
import { createPiRuntime, type PiRuntime } from "./pi-runtime.ts";
import { unsupportedFeatures } from "./unsupported-features.ts";

/** The tools that a factory has returned: one, or a list of them. Undefined when it has returned something else. */
export async function readReturnedTools(
  returned: unknown,
  at: ExportContext,
  runtime: PiRuntime,
): Promise<Contributions | undefined> {
  const definitions = Array.isArray(returned) ? returned : [returned];
  if (!definitions.some(isTool)) return undefined;
  const tools = new Map<string, Tool>();
  const problems: ExportProblem[] = [];
  for (const definition of definitions) {
    const name = isObject(definition) && typeof definition.name === "string" ? definition.name : at.name;
    try {
      const tool = await toTool(isObject(definition) ? definition : {}, { providedAs: "returned", at, runtime });
      if (tools.has(tool.name)) throw taken(tool.name);
      tools.set(tool.name, tool);
    } catch (thrown) {
      problems.push(toProblem(thrown, { ...at, name }));
    }
  }
  const why = "its default export is a function that returns tools, as oh-my-pi's custom tools are";
  return {
    tools: [...tools.values()],
    problems,
    about: { format: "factory", why, unsupportedFeatures: unsupportedFeatures(runtime.source) },
  };
}

/** Also one that lacks something, so that its author hears what; but not one in a form that has no name of its own. */
function isTool(value: unknown): boolean {
  return isObject(value) && ["execute", "parameters"].some((key) => key in value) && !isNameless(value);
}

/** As tool() makes them, here and in the AI SDK. */
function isNameless(value: Definition): boolean {
  return typeof value.name !== "string" && ["args", "inputSchema"].some((key) => key in value);
}

function taken(name: string): ExportError {
  return new ExportError(
    "name_taken",
    `Two of the tools that the function returns are called "${name}". Rename one of them; until then the first is served.`,
  );
}

/** A tool of pi or oh-my-pi that is exported as it is, with no function around it. Rejects when it cannot be served. */
export async function readExportedTool(value: Definition, at: ExportContext): Promise<Contributions> {
  const runtime = createPiRuntime(at.file, at.source, at.host);
  const tool = await toTool(value, { providedAs: "exported", at, runtime });
  // No function made it, but it asks for what those are given.
  return {
    tools: [tool],
    problems: [],
    about: { format: "factory", why: at.why, unsupportedFeatures: [] },
    dependsOnHost: true,
  };
}
