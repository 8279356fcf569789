import { messageOf } from "../core/error.ts";
import type { ProblemCode } from "../core/problem.ts";
import type { ExportProblem, FormatHost, ModuleFile } from "./contributions.ts";

/** One export of a file, or one member of an export that is a set of tools, and where it was found. */
export interface ExportContext {
  readonly exportName: string;
  /** The key of a member, or its position in a list. */
  readonly member?: string;
  /** What it is called where it has no name of its own. */
  readonly name: string;
  readonly file: ModuleFile;
  readonly source: string;
  readonly host: FormatHost;
  /** What says that it is a tool, for whoever wrote it. */
  readonly why: string;
}

/** Why an export cannot be served, with the code that it is reported under. The message speaks to the author. */
export class ExportError extends Error {
  override readonly name: string = "Refusal";
  readonly code: ProblemCode;
  /** The name that the tool has of its own. */
  readonly tool?: string;

  constructor(code: ProblemCode, message: string, tool?: string) {
    super(message);
    this.code = code;
    if (tool !== undefined) this.tool = tool;
  }
}

/** What was thrown while an export was read, as the problem of that export. */
export function toProblem(thrown: unknown, { name, exportName, file }: Omit<ExportContext, "why">): ExportProblem {
  const at = { file: file.path, tool: name, exportName };
  if (!(thrown instanceof ExportError))
    return { ...at, code: "bad_definition", message: `"${name}": ${messageOf(thrown)}` };
  return { ...at, tool: thrown.tool ?? name, code: thrown.code, message: thrown.message };
}
