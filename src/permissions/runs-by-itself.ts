/**
 * Folders and files that are run, by us or by other programs, with nobody being asked once more: tools, packages, hooks,
 * settings that name commands. Who accepts edits has not accepted that.
 */
const NAMES: readonly string[] = [
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
  ".github",
  ".copilot",
  ".cursor",
  ".gemini",
  ".windsurf",
  ".zed",
  ".idea",
  ".mcp.json",
  "opencode.json",
  "opencode.jsonc",
  "node_modules",
];

/** The path is that from the project. */
export function runsByItself(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => NAMES.includes(segment.toLowerCase()));
}
