import type { ExportProblem, ModuleFile } from "./module.ts";

const ACCEPTED =
  'A tool file exports an object with description and execute, as default or by name: export default tool({ description: "…", args: { … }, async execute(args, context) { … } }). Tools made by Tool.define, the Claude and Copilot SDKs, the AI SDK, Mastra, LangChain or OpenAI Agents work too, and so do default functions written for pi, oh-my-pi or OpenCode.';

/** The problem of a file in which nothing was recognised. */
export function notATool(module: Record<string, unknown>, file: ModuleFile): ExportProblem {
  const names = Object.keys(module).filter((name) => name !== "module.exports" && name !== "__esModule");
  const found = names.length > 0 ? `It exports ${names.join(", ")}, and none of these is a tool` : "It exports nothing";
  return { file: file.path, code: "not_a_tool", message: `${found}. ${ACCEPTED}` };
}
