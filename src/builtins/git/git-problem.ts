import { ToolError } from "../../index.ts";

/** The error for a failed git command. git reports the reason only as text. */
export function gitProblem(stderr: string, cwd: string): ToolError {
  return new ToolError("failed", reasonIn(stderr, cwd));
}

export function isNoRepository(stderr: string): boolean {
  return /not a git repository|must be run in a work tree/i.test(stderr);
}

function reasonIn(stderr: string, cwd: string): string {
  if (isNoRepository(stderr)) {
    return `${cwd} is not in a git repository. Continue without git.`;
  }
  const [, foreign] = /dubious ownership in repository at '(.*)'/.exec(stderr) ?? [];
  if (foreign !== undefined) {
    return `git refuses ${foreign} because it belongs to another user. If it can be trusted, ask the user to run: git config --global --add safe.directory "${foreign}"`;
  }
  if (stderr.includes("unknown option `show-scope'")) return "This git is too old: 2.26 or later is needed.";
  return `git failed: ${stderr.trim().split("\n", 3).join("\n") || "it was ended"}`;
}
