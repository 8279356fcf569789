import { realpathSync } from "node:fs";
import { resolve } from "node:path";

const lastByFile = new Map<string, Promise<unknown>>();

/** Does the work once all earlier work on the same file is over. Work on other files goes on meanwhile. */
export async function withFileMutationQueue<T>(filePath: string, work: () => Promise<T>): Promise<T> {
  const key = realPath(resolve(filePath));
  const turn = (lastByFile.get(key) ?? Promise.resolve()).then(work);
  const settled = turn.catch(() => {});
  lastByFile.set(key, settled);
  try {
    return await turn;
  } finally {
    if (lastByFile.get(key) === settled) lastByFile.delete(key);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
