import { resolve } from "node:path";
import { type Environment, expandHome } from "../../settings/defaults.ts";
import { readText } from "./read-config-file.ts";

/** The values of variables in a config file. */
export interface VariableSource {
  readonly env: Environment;
  readonly home: string;
  /** The base of the paths in `{file:…}`. */
  readonly folder: string;
}

/** Replaces the variables in a text. Throws, with what to do, if one has no value. */
export type FillIn = (text: string, from: VariableSource) => string;

/** `${NAME}` and `${NAME:-default}`, as in Claude Code and Copilot. */
export const fillInShell: FillIn = (text, { env }) =>
  text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
    const value = env[name] || otherwise;
    if (value !== undefined) return value;
    throw new Error(
      `needs the environment variable ${name}, which is not set. Set it, or write \${${name}:-…} to set a default`,
    );
  });

/** `{env:NAME}`, empty if unset, and `{file:path}`, as in OpenCode. */
export const fillInBraces: FillIn = (text, from) =>
  text.replace(/\{(env|file):([^}]+)\}/g, (_, kind: string, what: string) =>
    kind === "env" ? (from.env[what.trim()] ?? "") : contentOf(what.trim(), from),
  );

function contentOf(path: string, { home, folder }: VariableSource): string {
  const file = resolve(folder, expandHome(path, home));
  const text = readText(file);
  if (text !== undefined) return text.trim();
  throw new Error(`needs the file ${file}, which cannot be read. Create it, or correct the path`);
}
