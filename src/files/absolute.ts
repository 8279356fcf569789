import { homedir } from "node:os";
import { resolve } from "node:path";
import { ToolError } from "../core/error.ts";

/** A path as a model writes it: from the directory of the call, or from the home folder when it begins with `~`. */
export function absolute(path: string, cwd: string): string {
  if (path.includes("\0")) throw new ToolError("failed", "The path contains a NUL byte. Send it without.");
  return resolve(
    cwd,
    path.replace(/^~(?=$|[\\/])/, () => homedir()),
  );
}
