import type { Toolbox } from "../../toolbox/toolbox.ts";
import type { Invocation } from "./args/command.ts";
import { printWarnings } from "./print-warnings.ts";

/** Prints to stderr why tools are missing. */
export function reportMissingTools(toolbox: Toolbox, invocation: Invocation, say: (text: string) => void): void {
  printWarnings(toolbox.status.warnings, invocation);
  for (const line of missingTools(toolbox)) say(line);
}

/** Why tools are missing. */
export function missingTools(toolbox: Toolbox): string[] {
  const untrusted = untrustedLine(toolbox);
  const files = new Set(toolbox.problems().map(({ file }) => file)).size;
  const some =
    files === 1 ? "One tool file has a problem. To see it" : `${files} tool files have problems. To see them`;
  return [...(untrusted === undefined ? [] : [untrusted]), ...(files > 0 ? [`${some}, run: toolwright check`] : [])];
}

/** The message about an untrusted project; undefined if it has no tools. */
export function untrustedLine(toolbox: Toolbox): string | undefined {
  const [blocked] = toolbox.status.blocked;
  if (!blocked) return undefined;
  return `${toolbox.project.root} is not trusted, so its tools are not served. To serve them, run: ${blocked.fix}`;
}
