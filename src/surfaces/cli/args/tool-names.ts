import type { Invocation } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Splits a comma-separated list of names with wildcards. */
function toolNames(list: string, option: string): string[] {
  const names = list.split(",").map((name) => name.trim());
  if (names.every((name) => /^[\w*?[\]-]+$/.test(name))) return names;
  throw new UsageError(`--${option} takes a comma-separated list of tools, not "${list}".`);
}

/** The names of an option that may be repeated, each time with a comma-separated list. */
export function toolLists({ values }: Pick<Invocation, "values">, option: string): string[] {
  const lists = values[option];
  return Array.isArray(lists) ? lists.flatMap((list: string) => toolNames(list, option)) : [];
}

/** `--builtins` alone is all of them, `--builtins=read,grep` those named. */
export function builtinsWanted(value: unknown): boolean | readonly string[] {
  return typeof value === "string" ? toolNames(value, "builtins") : value === true;
}
