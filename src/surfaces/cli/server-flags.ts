import { isAbsolute, resolve } from "node:path";
import { OWN_NAME } from "./agent-targets.ts";
import type { CommandSpec } from "./args/command.ts";
import { parseOptions } from "./args/parse-arguments.ts";
import { UsageError } from "./args/usage-error.ts";
import { HTTP_OPTIONS } from "./http-options.ts";

/** Options with which an agent cannot use the server. */
const REFUSED = ["http", ...Object.keys(HTTP_OPTIONS), "help"];

/**
 * The options with which an agent starts "toolwright mcp": the user's, and the name of the server in the agent. Throws a
 * `UsageError` for options that would fail when the agent starts the server.
 */
export function serverFlags(flags: readonly string[], name: string, spec: CommandSpec, cwd: string): string[] {
  const { values } = parseOptions(spec, flags);
  const refused = REFUSED.find((option) => values[option] !== undefined);
  if (refused !== undefined) {
    throw new UsageError(`An agent talks to the server over stdin and stdout. Remove --${refused}.`);
  }
  const folder = values.cwd;
  // The editor replaces a variable such as ${workspaceFolder}.
  if (typeof folder === "string" && !isAbsolute(folder) && !folder.startsWith("$")) {
    throw new UsageError(
      `The agent may start the server in any directory. Use an absolute path: --cwd ${resolve(cwd, folder)}`,
    );
  }
  return name === OWN_NAME ? [...flags] : ["--name", name, ...flags];
}
