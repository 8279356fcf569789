import { messageOf } from "../../core/error.ts";
import type { ProblemCode } from "../../core/problem.ts";
import type { ExportProblem, FormatHost, LoadedSource } from "./contributions.ts";

/** One export of a file, or one member of an exported set of tools. */
export interface ExportContext extends LoadedSource {
  readonly exportName: string;
  /** The key of the member, or `[index]` in a list. */
  readonly member?: string;
  /** The name of the tool if its definition has none. */
  readonly name: string;
  readonly host: FormatHost;
  /** All exports of the file. */
  readonly module?: Readonly<Record<string, unknown>>;
  /** Why it was read as a tool. The author reads this. */
  readonly why: string;
}

/** An export that cannot be served. The author reads the message. */
export class ExportError extends Error {
  override readonly name: string = "ExportError";
  readonly code: ProblemCode;
  /** The name in the definition. */
  readonly tool?: string;

  constructor(code: ProblemCode, message: string, tool?: string) {
    super(message);
    this.code = code;
    if (tool !== undefined) this.tool = tool;
  }
}

/** Converts an error that was thrown while an export was read. */
export function toProblem(thrown: unknown, { name, exportName, file }: Omit<ExportContext, "why">): ExportProblem {
  const at = { file: file.path, tool: name, exportName };
  if (!(thrown instanceof ExportError))
    return { ...at, code: "bad_definition", message: `"${name}": ${messageOf(thrown)}` };
  return { ...at, tool: thrown.tool ?? name, code: thrown.code, message: thrown.message };
}
