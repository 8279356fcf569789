import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import { readTextFile } from "../../platform/files/read-text-file.ts";
import { lineFinder, parseJson } from "../../platform/json/parse-json.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** A config file of an agent: JSON, with or without comments. */
type AgentConfigFile =
  | { readonly kind: "missing" }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "read"; readonly value: unknown; lineOf(path: readonly (string | number)[]): number | undefined };

const MAX_TEXT_BYTES = 10_000_000;
const MAX_CONFIG_BYTES = 50_000_000;

/** The text of a file; undefined if it cannot be read. `untrusted` as in `readAgentConfig`. */
export function readText(file: string, untrusted?: string): string | undefined {
  const read = readTextFile(file, { largest: MAX_TEXT_BYTES, untrusted });
  return read.kind === "text" ? read.text : undefined;
}

/** The value of a JSON file without comments; undefined if it cannot be read. */
export function readPlainJson(file: string): unknown {
  return tryOrUndefined(() => JSON.parse(readText(file) ?? ""));
}

/**
 * Reads the `what` in a config file of an agent. `untrusted` is the root of a project that is not trusted: links out of it are not followed.
 * Never throws.
 */
export function readAgentConfig(
  file: string,
  what: "MCP servers" | "plugins" | "extensions",
  untrusted?: string,
): AgentConfigFile {
  const read = readTextFile(file, { largest: MAX_CONFIG_BYTES, untrusted });
  if (read.kind === "missing") return read;
  if (read.kind === "refused") return unreadable(file, read.reason);
  try {
    return parse(file, read.text, what);
  } catch (error) {
    // The parser throws on a text that is nested too deeply.
    return unreadable(file, `${messageOf(error)}. Correct it.`);
  }
}

function parse(file: string, text: string, what: string): AgentConfigFile {
  const { value, error } = parseJson(text, { allowEmpty: true });
  if (!error) return { kind: "read", value, lineOf: lineFinder(text) };
  const message = `This is not valid JSON (${error.reason}), so its ${what} are not loaded. Correct it.`;
  return { kind: "problem", problem: { file, line: error.line, code: "syntax", message } };
}

function unreadable(file: string, reason: string): AgentConfigFile {
  return { kind: "problem", problem: { file, code: "unreadable", message: `It is not read: ${reason}` } };
}
