import { type Ripgrep, runRipgrep } from "./ripgrep.ts";

/**
 * Calls `onFile` with the relative path of every file below a folder that is not ignored, in no order. `name` is a glob
 * for the last path segment.
 */
export async function listFiles(
  ripgrep: Ripgrep,
  name: string | undefined,
  signal: AbortSignal,
  onFile: (path: string) => void,
): Promise<void> {
  let rest = "";
  await runRipgrep(ripgrep, ["--files", ...nameFlags(name)], signal, (text) => {
    const paths = (rest + text).split("\0");
    rest = paths.pop() ?? "";
    for (const path of paths) if (path.startsWith(ripgrep.prefix)) onFile(path.slice(ripgrep.prefix.length));
    return false;
  });
}

/** A file type and not a glob: a file that matches `--glob` is found even if it is ignored. */
export function nameFlags(name: string | undefined): string[] {
  return name === undefined ? [] : ["--type-add", `wanted:${name}`, "--type", "wanted"];
}
