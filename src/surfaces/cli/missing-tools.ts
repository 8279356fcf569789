import type { Toolbox } from "../../toolbox.ts";
import type { Invocation } from "./command.ts";
import { printWarnings } from "./with-toolbox.ts";

/** For whoever looks at the terminal, or at a client's log of its servers: why tools are missing. */
export function sayWhatIsMissing(toolbox: Toolbox, invocation: Invocation, say: (text: string) => void): void {
  printWarnings(toolbox.warnings(), invocation);
  const [blocked] = toolbox.blocked();
  const { root } = toolbox.project;
  if (blocked) say(`${root} is not trusted, so its tools are left out. To have them, run: ${blocked.fix}`);
  const files = new Set(toolbox.problems().map(({ file }) => file)).size;
  const some = files === 1 ? "One tool file has a problem" : `${files} tool files have problems`;
  if (files > 0) say(`${some}. To see it, run: toolwright check`);
}
