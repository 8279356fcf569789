import { isAbsolute, resolve } from "node:path";
import { OWN_NAME } from "./agent-targets.ts";
import type { CommandSpec } from "./command.ts";
import { HTTP_OPTIONS } from "./http-options.ts";
import { parseOptions } from "./parse-arguments.ts";
import { UsageError } from "./usage-error.ts";

/** No agent can use a server that was started with one of these. */
const REFUSED = ["http", ...Object.keys(HTTP_OPTIONS), "help"];

/**
 * The options with which an agent is to start "toolwright mcp", whose `spec` is given: those that somebody asked for, and
 * the name by which the agent knows the server. Throws a `UsageError` for what would only fail once the agent starts it.
 */
export function serverFlags(flags: readonly string[], name: string, spec: CommandSpec, cwd: string): string[] {
  const { values } = parseOptions(spec, flags);
  const refused = REFUSED.find((option) => values[option] !== undefined);
  if (refused !== undefined) {
    throw new UsageError(`An agent talks to the server over stdin and stdout: leave --${refused} out.`);
  }
  const folder = values.cwd;
  // An editor fills in what begins with a dollar sign.
  if (typeof folder === "string" && !isAbsolute(folder) && !folder.startsWith("$")) {
    throw new UsageError(`The agent may start the server anywhere: say --cwd ${resolve(cwd, folder)}`);
  }
  return name === OWN_NAME ? [...flags] : ["--name", name, ...flags];
}
