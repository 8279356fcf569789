import { TOOL_NAME } from "../core/tool.ts";
import { type ExportContext, ExportError } from "./export-context.ts";

/** The name of a tool: its own where it has one, else by where it stands. Refuses what cannot be one. */
export function toolName(own: unknown, at: ExportContext): string {
  if (typeof own === "string" && own !== "") {
    if (TOOL_NAME.test(own)) return own;
    throw new ExportError("bad_name", `"${own}" ${CANNOT}. Change the name that it is given in the file.`, own);
  }
  if (at.member?.startsWith("[")) {
    throw new ExportError(
      "bad_definition",
      `Element ${at.member} of "${at.exportName}" has no name. Put it into an object under its name instead of a list, or export it by itself.`,
    );
  }
  if (TOOL_NAME.test(at.name)) return at.name;
  throw new ExportError("bad_name", `"${at.name}" ${CANNOT}. Rename ${toRename(at)}.`);
}

const CANNOT = 'cannot be the name of a tool: names have 1 to 64 letters, digits, "_" and "-"';

function toRename({ exportName, member, file }: ExportContext): string {
  if (!TOOL_NAME.test(file.name)) return `the file "${file.name}"`;
  const isExport = exportName !== "default" && (member === undefined || !TOOL_NAME.test(exportName));
  if (isExport) return `the export "${exportName}"`;
  return member === undefined ? `the file "${file.name}"` : `"${member}"`;
}
