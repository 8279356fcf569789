import { messageOf } from "../core/error.ts";
import type { Problem } from "../core/problem.ts";
import { TOOL_NAME, type Tool } from "../core/tool.ts";
import { toSchema } from "../schema/to-schema.ts";
import { declaredAccess, readHints, readLimits } from "./definition.ts";
import { listExports } from "./exports.ts";
import type { ExportProblem, ModuleFile } from "./module.ts";

/** The tools of a module whose exports are `tool({ … })` or plain objects of that shape. Never rejects. */
export async function fromToolExports(
  module: Record<string, unknown>,
  file: ModuleFile,
): Promise<{ tools: Tool[]; problems: ExportProblem[] }> {
  const tools: Tool[] = [];
  const problems: ExportProblem[] = [];
  for (const { exportName, read } of listExports(module, file.path)) {
    const name = exportName === "default" ? file.name : `${file.name}_${exportName}`;
    try {
      const value = read();
      if (isToolObject(value)) tools.push(await toTool(value, name, exportName, file));
    } catch (thrown) {
      problems.push(toProblem(thrown, name, exportName, file));
    }
  }
  if (tools.length === 0 && problems.length === 0) problems.push(notATool(module, file));
  return { tools, problems };
}

type ToolObject = Readonly<Record<string, unknown>> & { execute(args: unknown, context: unknown): unknown };

/** Objects with these are tools of other systems, whose `execute` or `handler` takes other arguments. */
const OTHER_FORMS = ["parameters", "inputSchema", "handler"];

function isToolObject(value: unknown): value is ToolObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return typeof (value as ToolObject).execute === "function" && !OTHER_FORMS.some((key) => key in value);
}

async function toTool(definition: ToolObject, name: string, exportName: string, file: ModuleFile): Promise<Tool> {
  refuseBadName(name, exportName, file);
  const { description, args, access } = definition;
  if (typeof description !== "string" || description.trim() === "") {
    throw new Refusal(
      "bad_definition",
      `"${name}" has no description. Add description: "…", a text that tells a model what the tool does and when to use it.`,
    );
  }
  const limits = readLimits(definition.limits);
  const hints = readHints(definition.hints);
  const declared = access === undefined ? {} : { access: declaredAccess(access, definition, name) };
  const input = await toSchema(args).catch((cause: unknown) => {
    throw new Refusal("bad_schema", `args of "${name}": ${messageOf(cause)}`);
  });
  return {
    name,
    description,
    input,
    origin: { source: file.source, place: file.place, format: "tool", file: file.path, exportName },
    limits,
    hints,
    ...declared,
    run: async (given, context) => definition.execute(given, context),
  };
}

function refuseBadName(name: string, exportName: string, file: ModuleFile): void {
  if (TOOL_NAME.test(name)) return;
  const renameFile = exportName === "default" || !TOOL_NAME.test(file.name);
  const what = renameFile ? `the file "${file.name}"` : `the export "${exportName}"`;
  throw new Refusal(
    "bad_name",
    `"${name}" cannot be the name of a tool: names have 1 to 64 letters, digits, "_" and "-". Rename ${what}.`,
  );
}

class Refusal extends Error {
  readonly code: Problem["code"];

  constructor(code: Problem["code"], message: string) {
    super(message);
    this.code = code;
  }
}

function toProblem(thrown: unknown, tool: string, exportName: string, file: ModuleFile): ExportProblem {
  const at = { file: file.path, tool, exportName };
  if (thrown instanceof Refusal) return { ...at, code: thrown.code, message: thrown.message };
  return { ...at, code: "bad_definition", message: `"${tool}": ${messageOf(thrown)}` };
}

function notATool(module: Record<string, unknown>, file: ModuleFile): ExportProblem {
  const names = Object.keys(module).filter((name) => name !== "module.exports" && name !== "__esModule");
  const found = names.length > 0 ? `It exports ${names.join(", ")}, and none of these is a tool` : "It exports nothing";
  return {
    file: file.path,
    code: "not_a_tool",
    message: `${found}. A tool file exports an object with description and execute, as default or by name: export default tool({ description: "…", args: { … }, async execute(args, context) { … } }).`,
  };
}
