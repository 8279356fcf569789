import { messageOf, ToolError } from "../../core/error.ts";

/** The kinds of entries that are not regular files. */
export type NonFile = "folder" | "pipe" | "socket" | "device";

/** Whether a system error means that nothing is at the path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}

/** The error for a file that could not be read. */
export function unreadable(displayName: string, error: unknown): ToolError {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM")
    return problem(`"${displayName}" may not be read. Check its permissions.`, error);
  return problem(`"${displayName}" cannot be read: ${messageOf(error)}`, error);
}

/** The error for a file that could not be written, when nothing has been changed. */
export function unwritable(displayName: string, error: unknown): ToolError {
  if (ToolError.is(error)) return error;
  return problem(`${whyUnwritable(displayName, error)} Nothing was changed.`, error);
}

export function notAFile(displayName: string, what: NonFile): ToolError {
  return problem(`"${displayName}" is a ${what}, not a file. Send the path of a file.`);
}

function whyUnwritable(displayName: string, error: unknown): string {
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
      return `"${displayName}" may not be written: there is no write permission for its folder. Ask the user to change that, or write elsewhere.`;
    case "EROFS":
      return `"${displayName}" may not be written: it is on a read-only file system. Write elsewhere.`;
    case "ENOSPC":
    case "EDQUOT":
      return `"${displayName}" could not be written: there is no space left on the disk. Ask the user to make some.`;
    case "ENOTDIR":
    case "EEXIST":
      return `"${displayName}" cannot be written: a part of its path is a file, not a folder. Send another path.`;
    case "ENAMETOOLONG":
      return `"${displayName}" cannot be written: a name in it is too long. Send a shorter one.`;
    case "ELOOP":
      return `"${displayName}" cannot be written: its links form a cycle, or a folder in its path was replaced by a link. Send another path.`;
    default:
      return `"${displayName}" could not be written: ${messageOf(error)}.`;
  }
}

function problem(message: string, cause?: unknown): ToolError {
  return new ToolError("failed", message, cause === undefined ? {} : { cause });
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
