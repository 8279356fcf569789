import { UsageError } from "./usage-error.ts";

/** Splits a comma-separated list of names with wildcards. */
export function toolNames(list: string, option: string): string[] {
  const names = list.split(",").map((name) => name.trim());
  if (names.every((name) => /^[\w*?[\]-]+$/.test(name))) return names;
  throw new UsageError(`--${option} takes a comma-separated list of tools, not "${list}".`);
}

/** `--builtins` alone is all of them, `--builtins=read,grep` those named. */
export function builtinsWanted(value: unknown): boolean | readonly string[] {
  return typeof value === "string" ? toolNames(value, "builtins") : value === true;
}
