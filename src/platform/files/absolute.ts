import { homedir } from "node:os";
import { resolve } from "node:path";
import { ToolError } from "../../core/error.ts";

/**
 * Resolves a path from a model: relative to the directory of the call, or to the home folder when it begins with `~`.
 */
export function absolute(path: string, cwd: string): string {
  if (path.includes("\0")) throw new ToolError("failed", "The path contains a NUL byte. Send it without.");
  return resolve(
    cwd,
    path.replace(/^~(?=$|[\\/])/, () => homedir()),
  );
}
