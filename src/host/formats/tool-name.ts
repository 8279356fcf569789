import { TOOL_NAME } from "../../core/tool.ts";
import { type ExportContext, ExportError } from "./export-context.ts";

/** The name in the definition, else the name of the export. Throws an `ExportError` if it is not a valid tool name. */
export function toolName(named: unknown, at: ExportContext): string {
  if (typeof named === "string" && named !== "") {
    if (TOOL_NAME.test(named)) return named;
    throw new ExportError("bad_name", `"${named}" ${INVALID}. Change the name in the definition.`, named);
  }
  if (at.member?.startsWith("[")) {
    throw new ExportError(
      "bad_definition",
      `Element ${at.member} of the list "${at.exportName}" has no name. Export an object, { name: tool }, instead of a list, or export the tool by itself.`,
    );
  }
  if (TOOL_NAME.test(at.name)) return at.name;
  throw new ExportError("bad_name", `"${at.name}" ${INVALID}. Rename ${toRename(at)}.`);
}

const INVALID = 'is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-"';

function toRename({ exportName, member, file }: ExportContext): string {
  if (!TOOL_NAME.test(file.name)) return `the file "${file.name}"`;
  const isExport = exportName !== "default" && (member === undefined || !TOOL_NAME.test(exportName));
  if (isExport) return `the export "${exportName}"`;
  return member === undefined ? `the file "${file.name}"` : `"${member}"`;
}
