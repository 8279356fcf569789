import { isObject } from "../../core/is-object.ts";
import type { Tool } from "../../core/tool.ts";
import { type ExportAt, Refusal, toProblem } from "../export-at.ts";
import type { ExportProblem, FromFile } from "../module.ts";
import { type Definition, toTool } from "./definition-to-tool.ts";
import { createScope, type Scope } from "./pi-runtime.ts";
import { withoutOf } from "./unsupported-features.ts";

/** The tools that a factory has returned: one, or a list of them. Undefined when it has returned something else. */
export async function returnedTools(returned: unknown, at: ExportAt, scope: Scope): Promise<FromFile | undefined> {
  const definitions = Array.isArray(returned) ? returned : [returned];
  if (!definitions.some(isTool)) return undefined;
  const tools = new Map<string, Tool>();
  const problems: ExportProblem[] = [];
  for (const definition of definitions) {
    const name = isObject(definition) && typeof definition.name === "string" ? definition.name : at.name;
    try {
      const tool = await toTool(isObject(definition) ? definition : {}, { given: "returned", at, scope });
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
    about: { format: "factory", why, unsupportedFeatures: withoutOf(scope.source) },
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

function taken(name: string): Refusal {
  return new Refusal(
    "name_taken",
    `Two of the tools that the function returns are called "${name}". Rename one of them; until then the first is served.`,
  );
}

/** A tool of pi or oh-my-pi that is exported as it is, with no function around it. Rejects when it cannot be served. */
export async function fromToolObject(value: Definition, at: ExportAt): Promise<FromFile> {
  const scope = createScope(at.file, at.source, at.host);
  const tool = await toTool(value, { given: "exported", at, scope });
  // No function made it, but it asks for what those are given.
  return {
    tools: [tool],
    problems: [],
    about: { format: "factory", why: at.why, unsupportedFeatures: [] },
    made: true,
  };
}
