import { resolve } from "node:path";
import { type Environment, expandHome } from "../config/options.ts";
import { readText } from "./read-text.ts";

/** What variables in a configuration are filled in from. */
export interface VariableSource {
  readonly env: Environment;
  readonly home: string;
  /** Where the paths of `{file:…}` start. */
  readonly folder: string;
}

/** How a program writes variables in its configuration. Throws, with what to do, where one has no value. */
export type FillIn = (text: string, from: VariableSource) => string;

/** `${NAME}` and `${NAME:-otherwise}`, as Claude Code and Copilot have it. */
export const fillInShell: FillIn = (text, { env }) =>
  text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
    const value = env[name] || otherwise;
    if (value !== undefined) return value;
    throw new Error(
      `needs the environment variable ${name}, which is not set. Set it, or write \${${name}:-…} to say what counts otherwise`,
    );
  });

/** `{env:NAME}`, empty where it is not set, and `{file:path}`, as OpenCode has it. */
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
