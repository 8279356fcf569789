import type { Toolbox } from "../../toolbox/toolbox.ts";
import { listNames } from "./list-names.ts";
import type { ResolvedOptions } from "./server-options.ts";

/**
 * What a model should know about this server: the names of the tools, by which clients with a tool search find them, and why
 * tools are missing. Undefined if there is nothing to say. It describes the tools at the time of the connection.
 */
export function instructionsFor(toolbox: Toolbox, { includes }: ResolvedOptions): string | undefined {
  const tools = toolbox.list({ agent: "" }).filter((tool) => includes(tool, undefined));
  const [blocked] = toolbox.status.blocked;
  const sentences = [
    ...(tools.length === 0
      ? []
      : [`Tools that the user and this project provide: ${listNames(tools.map(({ name }) => name))}.`]),
    ...(blocked
      ? [
          `The tools of ${toolbox.project.root} are not served, because the user has not trusted this project. To serve them, the user must run: ${blocked.fix}`,
        ]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join("\n");
}
