import { messageOf } from "../core/error.ts";
import type { ProblemCode } from "../core/problem.ts";
import type { ExportAt } from "./export-at.ts";
import type { ExportProblem } from "./module.ts";

/** Why an export cannot be served, with the code that it is reported under. The message speaks to the author. */
export class Refusal extends Error {
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
export function toProblem(thrown: unknown, { name, exportName, file }: Omit<ExportAt, "why">): ExportProblem {
  const at = { file: file.path, tool: name, exportName };
  if (!(thrown instanceof Refusal))
    return { ...at, code: "bad_definition", message: `"${name}": ${messageOf(thrown)}` };
  return { ...at, tool: thrown.tool ?? name, code: thrown.code, message: thrown.message };
}
