import { withFileMutationQueue } from "../../files/file-queue.ts";
import type { OpenFile } from "../../files/open-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import type { ToolContext } from "../../index.ts";
import type { NamedFile } from "./open-existing.ts";
import { hashOf, refuseChanged, rememberContent } from "./seen-files.ts";

/** How a file is changed. */
export interface Changing<C extends Change> {
  readonly file: NamedFile;
  /** Where to write when there is no file. */
  readonly real: string;
  /** Opens the file; undefined when there is none. */
  open(): Promise<OpenFile | undefined>;
  /** The new content, from the old. Throws to leave the file as it is. */
  change(old: OpenFile | undefined): Promise<C>;
}

/** A change of a file. */
export interface Change {
  /** The whole new content; undefined when it is the old one. */
  readonly bytes: Buffer | undefined;
}

/**
 * Changes a file: one change at a time, none of a file that somebody else has changed since the session last saw it,
 * and all of it or nothing.
 */
export function changeFile<C extends Change>(changing: Changing<C>, context: ToolContext): Promise<C> {
  const { file, real, open, change } = changing;
  return withFileMutationQueue(file.path, async () => {
    context.abort.throwIfAborted();
    const old = await open();
    try {
      if (old) await refuseChanged(old, file.said, context);
      const changed = await change(old);
      if (changed.bytes) await put(old?.real ?? real, changed.bytes, old, changing, context);
      return changed;
    } finally {
      await old?.handle.close();
    }
  });
}

async function put(
  real: string,
  bytes: Buffer,
  old: OpenFile | undefined,
  { file: { said, guard } }: { file: NamedFile },
  context: ToolContext,
): Promise<void> {
  await replaceFile({ real, said, bytes, before: old?.stats, guard, signal: context.abort });
  await rememberContent(real, bytes.length, hashOf(bytes), context);
}
