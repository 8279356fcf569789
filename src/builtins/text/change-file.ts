import type { ToolContext } from "../../index.ts";
import { withFileMutationQueue } from "../../platform/files/file-queue.ts";
import type { OpenFile } from "../../platform/files/open-file.ts";
import { replaceFile } from "../../platform/files/replace-file.ts";
import { hashOf, refuseChanged, rememberContent } from "./known-content.ts";
import type { NamedFile } from "./open-existing.ts";

interface FileChange<C extends ChangedContent> {
  readonly file: NamedFile;
  /** The path to write to when there is no file. */
  readonly real: string;
  /** Undefined when there is no file. */
  open(): Promise<OpenFile | undefined>;
  /** Makes the new content from the old. Throws to leave the file unchanged. */
  change(old: OpenFile | undefined): Promise<C>;
}

interface ChangedContent {
  /** The whole new content; undefined when it is unchanged. */
  readonly bytes: Buffer | undefined;
}

/** Changes a file atomically, one change at a time. Refuses a file that has changed since the session last saw it. */
export function changeFile<C extends ChangedContent>(fileChange: FileChange<C>, context: ToolContext): Promise<C> {
  const { file, real, open, change } = fileChange;
  return withFileMutationQueue(file.path, async () => {
    context.abort.throwIfAborted();
    const old = await open();
    try {
      if (old) await refuseChanged(old, file.displayName, context);
      const changed = await change(old);
      if (changed.bytes)
        await writeContent({ real: old?.real ?? real, bytes: changed.bytes, before: old?.stats }, fileChange, context);
      return changed;
    } finally {
      await old?.handle.close();
    }
  });
}

async function writeContent(
  change: { readonly real: string; readonly bytes: Buffer; readonly before: OpenFile["stats"] | undefined },
  { file: { displayName, guard } }: { file: NamedFile },
  context: ToolContext,
): Promise<void> {
  await replaceFile({ ...change, displayName, guard, signal: context.abort });
  await rememberContent(change.real, change.bytes.length, hashOf(change.bytes), context);
}
