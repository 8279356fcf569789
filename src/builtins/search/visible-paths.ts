import { join } from "node:path";
import type { ToolContext } from "../../index.ts";
import type { Start } from "./search-start.ts";

/**
 * Whether permission rules let each path be shown, without asking a person. Outside the project, if a person permitted
 * the folder and no rule matches it, everything in it is visible.
 */
export async function areVisible(
  paths: readonly string[],
  { real, isInProject }: Pick<Start, "real" | "isInProject">,
  context: ToolContext,
): Promise<readonly boolean[]> {
  if (paths.length === 0) return [];
  const access = (target: string) => ({ kind: "read", target, named: true }) as const;
  if (isInProject && (await context.permittedBelow(real))) return paths.map(() => true);
  if (!isInProject && !(await context.permitted([access(real)]))[0]) return paths.map(() => true);
  return context.permitted(paths.map((path) => access(join(real, path))));
}
