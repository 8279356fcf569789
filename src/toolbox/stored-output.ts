import { join } from "node:path";
import { ToolError } from "../core/error.ts";
import { isInside } from "../platform/files/inside.ts";
import { type OpenFile, openToRead } from "../platform/files/open-file.ts";
import { realPath } from "../platform/files/real-path.ts";

/**
 * Opens the full output of a call whose result was truncated. Undefined if there is no such file in the user's folder of
 * outputs. Links that lead out of it are not followed. The caller closes the handle.
 */
export async function openStoredOutput(toolwrightHome: string, file: string): Promise<OpenFile | undefined> {
  const folder = realPath(join(toolwrightHome, "outputs"));
  if (folder === undefined || file.includes("\0")) return undefined;
  const guard = (real: string): void => {
    if (!isInside(folder, real)) throw new ToolError("denied", "It is not an output of a call.");
  };
  try {
    const opened = await openToRead(file, file, guard);
    return opened.kind === "file" ? opened : undefined;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
