import { basename, dirname } from "node:path";

/** The line on which the tool of that name is exported from its file; undefined where it cannot be told. */
export function exportLine(name: string, file: string, source: string): number | undefined {
  const pattern = exportPattern(name, file);
  const at = source.split("\n").findIndex((line) => pattern.test(line));
  return at < 0 ? undefined : at + 1;
}

function exportPattern(name: string, file: string): RegExp {
  const own = basename(file).replace(/\.[^.]+$/, "");
  const stem = own === "index" ? basename(dirname(file)) : own;
  if (!name.startsWith(`${stem}_`)) return /^\s*(?:export\s+default\b|module\.exports\s*=)/;
  const exported = name.slice(stem.length + 1).replace(/\W/g, "\\$&");
  return new RegExp(`\\bexport\\b.*\\b${exported}\\b|\\bexports\\.${exported}\\b`);
}
