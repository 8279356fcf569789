import type { Toolbox } from "../../toolbox/toolbox.ts";
import type { Invocation } from "./command.ts";
import { printWarnings } from "./with-toolbox.ts";

/** For whoever looks at the terminal, or at a client's log of its servers: why tools are missing. */
export function sayWhatIsMissing(toolbox: Toolbox, invocation: Invocation, say: (text: string) => void): void {
  printWarnings(toolbox.status.warnings, invocation);
  const untrusted = untrustedLine(toolbox);
  if (untrusted !== undefined) say(untrusted);
  const files = new Set(toolbox.problems().map(({ file }) => file)).size;
  const some =
    files === 1 ? "One tool file has a problem. To see it" : `${files} tool files have problems. To see them`;
  if (files > 0) say(`${some}, run: toolwright check`);
}

/** What is said of a project that is not trusted; undefined where nothing of one is left out. */
export function untrustedLine(toolbox: Toolbox): string | undefined {
  const [blocked] = toolbox.status.blocked;
  if (!blocked) return undefined;
  return `${toolbox.project.root} is not trusted, so its tools are left out. To have them, run: ${blocked.fix}`;
}
