import type { Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { Contributions, ExportProblem } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { type PiDefinition, toTool } from "./definition-to-tool.ts";
import { createPiRuntime, type PiRuntime } from "./pi-runtime.ts";
import { unsupportedFeatures } from "./unsupported-features.ts";

/** Reads the tool, or the list of tools, that a factory returned. Resolves to undefined for any other value. */
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
      if (tools.has(tool.name)) throw nameTaken(tool.name);
      tools.set(tool.name, tool);
    } catch (thrown) {
      problems.push(toProblem(thrown, { ...at, name }));
    }
  }
  const why = "its default export is a function that returns tools, the shape of custom tools of oh-my-pi";
  return {
    tools: [...tools.values()],
    problems,
    about: { format: "factory", why, unsupportedFeatures: unsupportedFeatures(runtime.source) },
  };
}

/** Includes incomplete tools, so that the problem is reported, but not tools of forms without a name. */
function isTool(value: unknown): boolean {
  return isObject(value) && ["execute", "parameters"].some((key) => key in value) && !isWithoutName(value);
}

/** Tools of tool(), of Toolwright or the AI SDK. */
function isWithoutName(value: PiDefinition): boolean {
  return typeof value.name !== "string" && ["args", "inputSchema"].some((key) => key in value);
}

function nameTaken(name: string): ExportError {
  return new ExportError(
    "name_taken",
    `Two of the tools that the function returns are called "${name}". Rename one of them. Until then the first is served.`,
  );
}

/** Reads a tool of pi or oh-my-pi that is exported as an object. Rejects if it cannot be served. */
export async function readExportedTool(value: PiDefinition, at: ExportContext): Promise<Contributions> {
  const runtime = createPiRuntime(at.file, at.source, at.host);
  const tool = await toTool(value, { providedAs: "exported", at, runtime });
  return {
    tools: [tool],
    problems: [],
    about: { format: "factory", why: at.why, unsupportedFeatures: [] },
    dependsOnHost: true,
  };
}
