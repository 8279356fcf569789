import { join } from "node:path";
import type { ToolContext } from "../../index.ts";
import type { Start } from "./search-start.ts";

/**
 * Which of the paths below a start the permission rules let be seen; nobody is asked. Outside the project, where a person
 * said yes to the folder and no rule speaks of it, that covers what is in it.
 */
export async function areVisible(
  paths: readonly string[],
  { real, isInProject }: Start,
  context: ToolContext,
): Promise<readonly boolean[]> {
  if (paths.length === 0) return [];
  const access = (target: string) => ({ kind: "read", target, named: true }) as const;
  if (!isInProject && !(await context.permitted([access(real)]))[0]) return paths.map(() => true);
  return context.permitted(paths.map((path) => access(join(real, path))));
}
