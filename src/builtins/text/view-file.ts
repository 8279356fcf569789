import type { Tool, ToolContext } from "../../index.ts";
import { absolute } from "../../platform/files/absolute.ts";
import type { OpenFile } from "../../platform/files/open-file.ts";
import { fileKind } from "./file-kind.ts";
import type { FileView, ViewLimits } from "./file-view.ts";
import { displayPath, openExisting } from "./open-existing.ts";
import { guardFor } from "./path-guard.ts";
import { viewAttachment } from "./view-attachment.ts";
import { viewText } from "./view-text.ts";

/** The limits of a tool that reads files. */
export const READ_LIMITS: { readonly [K in keyof ViewLimits | "lines"]: number } = {
  lines: 2_000,
  lineCharacters: 2_000,
  wholeBytes: 8_000_000,
  /** 5 MB as base64, the limit of most models. */
  imageBytes: 3_750_000,
  pdfBytes: 20_000_000,
};

/** Returns lines of a text, or an image or a PDF as an attachment. Throws for other binary files. */
export async function viewFile(view: FileView, context: ToolContext): Promise<Tool.Result> {
  const path = absolute(view.displayName, context.directory);
  const guard = await guardFor("read", path, context);
  const file = await openExisting({ displayName: view.displayName, path, guard }, context);
  try {
    const head = await headOf(file);
    const kind = await fileKind(head, { cut: BigInt(head.length) < file.stats.size });
    const shown = { ...view, file, title: displayPath(path, "", context) };
    return kind.kind === "text"
      ? await viewText(shown, kind.encoding, context)
      : await viewAttachment(shown, kind, context);
  } finally {
    await file.handle.close();
  }
}

const HEAD = 64 * 1024;

async function headOf({ handle }: OpenFile): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(HEAD), position: 0 });
  return buffer.subarray(0, bytesRead);
}
