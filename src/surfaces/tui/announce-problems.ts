import type { Problem } from "../../core/problem.ts";
import { shownPath, shownPlace } from "../../platform/files/shown-path.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import type { NoticeKind } from "./chat-actions.ts";

/** Announces problems of tool files and settings when they appear, and files that have none left. Returns a function that ends this. */
export function announceProblems(
  toolbox: Pick<Toolbox, "on" | "problems" | "project">,
  notice: (text: string, kind: NoticeKind) => void,
): () => void {
  const { directory } = toolbox.project;
  let before = toolbox.problems();
  return toolbox.on("change", () => {
    const now = toolbox.problems();
    const known = new Set(before.map(identityOf));
    for (const problem of now) {
      if (!known.has(identityOf(problem))) notice(`${shownPlace(problem, directory)}: ${problem.message}`, "warning");
    }
    const files = new Set(now.map(({ file }) => file));
    for (const file of new Set(before.map((problem) => problem.file))) {
      if (!files.has(file)) notice(`${shownPath(file, directory)}: no problems now.`, "info");
    }
    before = now;
  });
}

/** Without the line: it changes when lines are added above. */
function identityOf({ file, message }: Problem): string {
  return `${file}\n${message}`;
}
