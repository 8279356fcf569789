/**
 * Finds the line of an export with a regular expression; undefined if there is none. For a member of an export, such as
 * `tools.a`, the line of the export.
 */
export function exportLine(source: string, exportName: string): number | undefined {
  const pattern = exportPattern(exportName.split(".", 1)[0] ?? exportName);
  const at = source.split("\n").findIndex((line) => pattern.test(line));
  return at < 0 ? undefined : at + 1;
}

function exportPattern(exportName: string): RegExp {
  if (exportName === "default") return /^\s*(?:export\s+default\b|module\.exports\s*=)/;
  const name = exportName.replace(/\W/g, "\\$&");
  return new RegExp(`\\bexport\\b.*\\b${name}\\b|\\bexports\\.${name}\\b`);
}
