/**
 * Finds the line of an export with a regular expression; undefined if there is none. For a member of an export, such as
 * `tools.a`, the line of the export.
 */
export function exportLine(source: string, exportName: string): number | undefined {
  const isExport = exportCheck(exportName.split(".", 1)[0] ?? exportName);
  const at = source.split("\n").findIndex(isExport);
  return at < 0 ? undefined : at + 1;
}

function exportCheck(exportName: string): (line: string) => boolean {
  if (exportName === "default") return (line) => /^\s*(?:export\s+default\b|module\.exports\s*=)/.test(line);
  const name = exportName.replace(/\W/g, "\\$&");
  const itself = new RegExp(`\\b${name}\\b`);
  const member = new RegExp(`\\bexports\\.${name}\\b`);
  return (line) => {
    // Two searches: one expression for both takes minutes for a long line with many exports.
    const at = line.search(/\bexport\b/);
    return (at >= 0 && itself.test(line.slice(at + "export".length))) || member.test(line);
  };
}
