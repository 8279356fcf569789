import { BlockingFileError } from "../../files/blocking-file.ts";
import { createBreather } from "./breather.ts";
import { type Ripgrep, ripgrepFor, runRipgrep } from "./ripgrep.ts";
import { type Folder, filesBelow } from "./walk.ts";

/**
 * Tells of every file in a folder and below it that is not ignored, as paths from the folder, in no order. `name` is a
 * pattern for the last name of a path: it may be heeded, and need not be. `begin` may be called a second time: what was told
 * before then does not count.
 */
export async function eachFile(
  folder: Folder,
  name: string | undefined,
  signal: AbortSignal,
  begin: () => (path: string) => void,
): Promise<void> {
  const ripgrep = await ripgrepFor(folder);
  try {
    if (ripgrep) return await listWith(ripgrep, name, signal, begin());
  } catch (error) {
    if (!(error instanceof BlockingFileError)) throw error;
  }
  const onFile = begin();
  for await (const path of filesBelow(folder, createBreather(signal))) onFile(path);
}

async function listWith(
  ripgrep: Ripgrep,
  name: string | undefined,
  signal: AbortSignal,
  onFile: (path: string) => void,
): Promise<void> {
  let rest = "";
  await runRipgrep(ripgrep, ["--files", ...nameFlags(name)], signal, (text) => {
    const paths = (rest + text).split("\0");
    rest = paths.pop() ?? "";
    for (const path of paths) onFile(path.slice(HERE.length));
    return false;
  });
}

const HERE = "./";

/**
 * A type, and not a glob: a glob that lets a file through would let it through against the ignore files.
 */
export function nameFlags(name: string | undefined): string[] {
  return name === undefined ? [] : ["--type-add", `wanted:${name}`, "--type", "wanted"];
}
