import { resolve } from "node:path";
import { realPath } from "./real-path.ts";

const lastByFile = new Map<string, Promise<unknown>>();

/** Runs the work after all earlier work on the same file. Work on different files runs in parallel. */
export async function withFileMutationQueue<T>(filePath: string, work: () => Promise<T>): Promise<T> {
  const path = resolve(filePath);
  const key = realPath(path) ?? path;
  const turn = (lastByFile.get(key) ?? Promise.resolve()).then(work);
  const settled = turn.catch(() => {});
  lastByFile.set(key, settled);
  try {
    return await turn;
  } finally {
    if (lastByFile.get(key) === settled) lastByFile.delete(key);
  }
}
