/**
 * Folders whose files are run, by us or by other programs, with nobody being asked once more: tools, hooks, settings that
 * name commands. Who accepts edits has not accepted that.
 */
const FOLDERS: readonly string[] = [
  ".git",
  ".toolwright",
  ".atomic",
  ".opencode",
  ".omp",
  ".pi",
  ".claude",
  ".codex",
  ".vscode",
  ".husky",
];

/** The path is that from the project. */
export function runsByItself(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => FOLDERS.includes(segment.toLowerCase()));
}
